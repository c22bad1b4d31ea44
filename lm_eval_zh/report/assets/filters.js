"use strict";
// Which questions are shown: the filters' controls, and what each of them looks at in the index.

const Filters = (() => {
  const { state, section, index, texts, t, name, labelName, el } = Page;
  const SEARCH_PAUSE = 200; // milliseconds after the last key

  const filters = new Map(); // by section, so that coming back finds them as they were

  function current() {
    if (!filters.has(state.section)) {
      filters.set(state.section, { candidate: 0, labels: {}, checks: new Set(), atMost: "", query: "", selected: -1 });
    }
    return filters.get(state.section);
  }

  // --- what a filter looks at

  const readings = (pipeline = state.pipeline, candidate = current().candidate) =>
    index().readings[candidate][pipeline];
  const most = (reading, row) => (section().scale.percent ? reading.possible[row] : section().scale.high);

  /** full, part, none, failed, or absent where the candidate was not asked. */
  function verdict(row, pipeline = state.pipeline) {
    const reading = readings(pipeline);
    if (!reading || reading.possible[row] == null) return "absent";
    if (reading.failure[row]) return "failed";
    const earned = reading.earned[row];
    if (earned >= most(reading, row) - 1e-9) return "full";
    return earned > (section().scale.percent ? 0 : section().scale.low) ? "part" : "none";
  }

  function differs(row) {
    const [one, other] = Figures.pipelines().map((pipeline) => readings(pipeline));
    if (!one || !other) return false;
    const fields = ["earned", "possible", "status", "extracted"];
    return fields.some((field) => one[field][row] !== other[field][row]);
  }

  const CHECKS = {
    wrong_only: (row) => verdict(row) !== "full" && verdict(row) !== "absent",
    differ: differs,
    not_read: (row) => readings()?.failure[row] === "unread",
    judge_failed: (row) => readings()?.failure[row] === "unjudged",
    flagged: (row) => (readings()?.flags[row] || []).length > 0,
  };

  function fits(row, query) {
    const { labels, checks, atMost } = current();
    const reading = readings();
    if (!reading || reading.possible[row] == null) return false;
    for (const [kind, value] of Object.entries(labels)) if (value && index().labels[kind][row] !== value) return false;
    for (const check of checks) if (!CHECKS[check](row)) return false;
    if (atMost !== "" && !(reading.possible[row] > 0 && reading.earned[row] <= Number(atMost))) return false;
    return !query || contains(row, query);
  }

  function contains(row, query) {
    if (index().ids[row].toLowerCase().includes(query)) return true;
    const { text, replies } = texts(row);
    const reply = replies[current().candidate]?.reply || "";
    return text.toLowerCase().includes(query) || reply.toLowerCase().includes(query);
  }

  // --- the controls

  function controls(changed) {
    const chosen = current();
    const kinds = Object.keys(index().labels);
    const selects = kinds.map((kind) => {
      const values = Figures.labels(kind, section().accounts);
      return select(
        name(kind),
        [["", t("all")], ...values.map((value) => [value, labelName(kind, value)])],
        chosen.labels[kind] || "",
        kind,
        (value) => {
          chosen.labels[kind] = value;
          changed();
        },
      );
    });
    const candidates = section().candidates.map((candidate, place) => [String(place), candidate.name]);
    const candidate = select(t("model"), candidates, String(chosen.candidate), "candidate", (value) => {
      chosen.candidate = Number(value);
      changed();
    });
    const checks = Object.keys(CHECKS)
      .filter((check) => check !== "flagged" || section().accounts.some((account) => Object.keys(account.flags).length))
      .map((check) =>
        el(
          "label",
          { class: "check" },
          el("input", {
            type: "checkbox",
            name: check,
            checked: chosen.checks.has(check),
            onchange: (event) => {
              event.target.checked ? chosen.checks.add(check) : chosen.checks.delete(check);
              changed();
            },
          }),
          t(check),
        ),
      );
    const atMost = section().scale.percent
      ? null
      : el(
          "label",
          {},
          t("at_most"),
          el("input", {
            type: "number",
            name: "at_most",
            min: section().scale.low,
            max: section().scale.high,
            step: "any",
            value: chosen.atMost,
            oninput: (event) => {
              chosen.atMost = event.target.value;
              changed();
            },
          }),
        );
    let pause = 0;
    const search = el("input", {
      type: "search",
      name: "search",
      placeholder: t("search"),
      "aria-label": t("search"),
      value: chosen.query,
      oninput: (event) => {
        clearTimeout(pause);
        pause = setTimeout(() => {
          chosen.query = event.target.value;
          changed();
        }, SEARCH_PAUSE);
      },
    });
    return el(
      "form",
      { class: "filters", onsubmit: (event) => event.preventDefault() },
      candidates.length > 1 ? candidate : null,
      ...selects,
      atMost,
      ...checks,
      search,
    );
  }

  function select(label, options, chosen, field, changed) {
    const entries = options.map(([value, text]) => el("option", { value, selected: value === chosen }, text));
    return el(
      "label",
      {},
      label,
      el("select", { name: field, onchange: (event) => changed(event.target.value) }, ...entries),
    );
  }

  return { current, readings, verdict, fits, controls };
})();
