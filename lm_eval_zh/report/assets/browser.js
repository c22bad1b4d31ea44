"use strict";
// The questions: filters over the index, a list that holds only the rows in sight, and one question in full.

const Browser = (() => {
  const { state, section, index, texts, t, name, labelName, el, table, count } = Page;
  const ROW = 62; // height of a row in pixels, as in the style sheet
  const SPARE = 6; // rows kept beyond those in sight
  const SEARCH_PAUSE = 200; // milliseconds after the last key

  const filters = new Map(); // by section, so that coming back finds them as they were

  function current() {
    if (!filters.has(state.section)) {
      filters.set(state.section, { candidate: 0, labels: {}, checks: new Set(), atMost: "", query: "", selected: -1 });
    }
    return filters.get(state.section);
  }

  // --- what a filter looks at

  const readings = (pipeline = state.pipeline, candidate = current().candidate) => index().readings[candidate][pipeline];
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
      const values = section().accounts[0].parts[kind].map((part) => part.label);
      return select(name(kind), [["", t("all")], ...values.map((value) => [value, labelName(kind, value)])], chosen.labels[kind] || "", kind, (value) => {
        chosen.labels[kind] = value;
        changed();
      });
    });
    const candidates = section().candidates.map((candidate, place) => [String(place), candidate.name]);
    const candidate = select(t("model"), candidates, String(chosen.candidate), "candidate", (value) => {
      chosen.candidate = Number(value);
      changed();
    });
    const checks = Object.keys(CHECKS)
      .filter((check) => check !== "flagged" || section().accounts.some((account) => Object.keys(account.flags).length))
      .map((check) =>
        el("label", { class: "check" }, el("input", { type: "checkbox", name: check, checked: chosen.checks.has(check), onchange: (event) => {
          event.target.checked ? chosen.checks.add(check) : chosen.checks.delete(check);
          changed();
        } }), t(check)),
      );
    const atMost = section().scale.percent
      ? null
      : el("label", {}, t("at_most"), el("input", { type: "number", name: "at_most", min: section().scale.low, max: section().scale.high, step: "any", value: chosen.atMost, oninput: (event) => {
          chosen.atMost = event.target.value;
          changed();
        } }));
    let pause = 0;
    const search = el("input", { type: "search", name: "search", placeholder: t("search"), "aria-label": t("search"), value: chosen.query, oninput: (event) => {
      clearTimeout(pause);
      pause = setTimeout(() => {
        chosen.query = event.target.value;
        changed();
      }, SEARCH_PAUSE);
    } });
    return el("form", { class: "filters", onsubmit: (event) => event.preventDefault() }, candidates.length > 1 ? candidate : null, ...selects, atMost, ...checks, search);
  }

  function select(label, options, chosen, field, changed) {
    const entries = options.map(([value, text]) => el("option", { value, selected: value === chosen }, text));
    return el("label", {}, label, el("select", { name: field, onchange: (event) => changed(event.target.value) }, ...entries));
  }

  // --- the list

  /** The browser as an element; it fills itself. */
  function view() {
    const shown = el("p", { class: "quiet shown", "aria-live": "polite" });
    const spacer = el("div", { class: "spacer" });
    const list = el("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": t("questions") }, spacer);
    const detail = el("article", { class: "detail", tabindex: "0" });
    let rows = [];

    function refresh() {
      const query = current().query.trim().toLowerCase();
      rows = index().ids.map((_, row) => row).filter((row) => fits(row, query));
      shown.textContent = t("shown", { n: count(rows.length), all: count(index().ids.length) });
      spacer.style.height = `${rows.length * ROW}px`;
      list.scrollTop = 0;
      paint();
      if (!rows.includes(current().selected)) current().selected = -1;
      open(current().selected);
    }

    function paint() {
      const first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
      const last = Math.min(rows.length, Math.ceil((list.scrollTop + (list.clientHeight || 600)) / ROW) + SPARE);
      spacer.replaceChildren(...rows.slice(first, last).map((row, place) => item(row, first + place)));
    }

    function item(row, place) {
      const node = el(
        "div",
        { class: `row ${verdict(row)}`, role: "option", id: `row-${row}`, "aria-selected": String(row === current().selected), "aria-posinset": place + 1, "aria-setsize": rows.length, onclick: () => choose(row) },
        el("span", { class: "mark", "aria-hidden": "true" }),
        el("span", { class: "text" }, el("b", {}, index().ids[row].split("/").slice(1).join(" / ")), el("span", {}, index().previews[row])),
        el("span", { class: "score" }, points(readings(), row)),
      );
      node.style.transform = `translateY(${place * ROW}px)`;
      return node;
    }

    function choose(row) {
      current().selected = row;
      paint();
      open(row);
    }

    function step(by) {
      const place = rows.indexOf(current().selected);
      const next = Math.min(rows.length - 1, Math.max(0, place + by));
      if (!rows.length || next === place) return;
      const top = next * ROW;
      if (top < list.scrollTop) list.scrollTop = top;
      if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
      choose(rows[next]);
    }

    function open(row) {
      detail.replaceChildren(...(row >= 0 ? question(row) : [el("p", { class: "quiet" }, t(rows.length ? "choose" : "none"))]));
      detail.scrollTop = 0;
    }

    list.addEventListener("scroll", paint);
    list.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      step(by);
    });
    requestAnimationFrame(refresh);
    return el("div", {}, controls(refresh), shown, el("div", { class: "browser" }, list, detail));
  }

  function points(reading, row) {
    if (!reading || reading.possible[row] == null) return "";
    if (reading.possible[row] === 0) return "–";
    const earned = Number(reading.earned[row].toFixed(2));
    return section().scale.percent ? `${earned} / ${Number(reading.possible[row].toFixed(2))}` : String(earned);
  }

  // --- one question

  function question(row) {
    const content = texts(row);
    const kinds = Object.keys(index().labels).map((kind) => `${name(kind)}: ${labelName(kind, index().labels[kind][row])}`);
    const instruction = index().instructions[content.instruction];
    return [
      el("h3", {}, index().ids[row]),
      el("p", { class: "quiet" }, kinds.join(" · ")),
      readingTable(row),
      ...passage("question", content.text),
      ...replies(content.replies),
      ...passage("reference", content.reference),
      instruction ? el("details", {}, el("summary", {}, t("instruction")), el("pre", {}, instruction)) : null,
    ].filter((node) => node != null);
  }

  function readingTable(row) {
    const several = section().candidates.length > 1;
    const rows = section().candidates.flatMap((candidate, place) =>
      Object.entries(index().readings[place])
        .filter(([, reading]) => reading.possible[row] != null)
        .map(([pipeline, reading]) => [
          several ? `${candidate.name} · ${t(pipeline)}` : t(pipeline),
          reading.extracted[row] || "–",
          points(reading, row),
          name(reading.status[row]),
          reading.flags[row].map((flag) => name(flag)).join(", ") || "–",
        ]),
    );
    return table(["", t("extracted"), t("points"), t("status"), t("flags")], rows, { class: "readings" });
  }

  function replies(given) {
    const chosen = current().candidate;
    const order = [chosen, ...given.keys()].filter((place, at, all) => all.indexOf(place) === at);
    return order.flatMap((place) => {
      const heading = given.length > 1 ? `${t("reply")}: ${section().candidates[place].name}` : t("reply");
      const content = given[place] ? body(given[place]) : [el("p", { class: "quiet" }, t("not_asked"))];
      if (place === chosen) return [el("h4", {}, heading), ...content];
      return [el("details", {}, el("summary", {}, heading), ...content)];
    });
  }

  function body({ reply, judged }) {
    const words = judged.flatMap((judgment) => [
      judgment.status === "ok" ? null : el("p", { class: "quiet" }, `${judgment.status} ${judgment.reason}`),
      ...judgment.replies.flatMap(([model, text]) => [el("p", { class: "quiet" }, model), el("pre", { class: "judge" }, text || t("no_text"))]),
    ]);
    return [
      el("pre", { class: "reply" }, reply || t("no_text")),
      ...(judged.length ? [el("h4", {}, t("judge_words")), ...words.filter((node) => node != null)] : []),
    ];
  }

  function passage(heading, text) {
    return [el("h4", {}, t(heading)), el("pre", { class: heading }, text || t("no_text"))];
  }

  return { view };
})();
