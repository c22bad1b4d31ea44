"use strict";
// The questions: a list that holds only the rows in sight, and one question in full.

const Browser = (() => {
  const { state, section, index, texts, t, name, labelName, el, table, count } = Page;
  const { current, readings, verdict, fits, controls } = Filters;
  const ROW = 62; // height of a row in pixels, as in the style sheet
  const SPARE = 6; // rows kept beyond those in sight

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
      rows = index()
        .ids.map((_, row) => row)
        .filter((row) => fits(row, query));
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
        {
          class: `row ${verdict(row)}`,
          role: "option",
          id: `row-${row}`,
          "aria-selected": String(row === current().selected),
          "aria-posinset": place + 1,
          "aria-setsize": rows.length,
          onclick: () => choose(row),
        },
        el("span", { class: "mark", "aria-hidden": "true" }),
        el(
          "span",
          { class: "text" },
          el("b", {}, index().ids[row].split("/").slice(1).join(" / ")),
          el("span", {}, index().previews[row]),
        ),
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
      detail.replaceChildren(
        ...(row >= 0 ? question(row) : [el("p", { class: "quiet" }, t(rows.length ? "choose" : "none"))]),
      );
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
    const kinds = Object.keys(index().labels).map(
      (kind) => `${name(kind)}: ${labelName(kind, index().labels[kind][row])}`,
    );
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
      ...judgment.replies.flatMap(([model, text]) => [
        el("p", { class: "quiet" }, model),
        el("pre", { class: "judge" }, text || t("no_text")),
      ]),
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
