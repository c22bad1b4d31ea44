"use strict";
// Puts the page together, and again when the language, the pipeline or the section changes.

(() => {
  const { report, state, section, t, name, el } = Page;
  const by = (id) => document.getElementById(id);

  function heading(key) {
    return el("h2", {}, t(key));
  }

  function button(text, pressed, action, attributes = {}) {
    return el("button", { type: "button", "aria-pressed": String(pressed), onclick: action, ...attributes }, text);
  }

  function change(changes) {
    Object.assign(state, changes);
    render();
  }

  function top() {
    by("title").textContent = t("title");
    document.title = `${t("title")} · lm-eval-zh`;
    document.documentElement.lang = state.language === "zh" ? "zh-CN" : "en";
    const tabs = report.sections.map((one, place) =>
      button(name(one.whole, one), place === state.section, () => change({ section: place })),
    );
    by("sections").replaceChildren(...tabs);
    const pipelines = Figures.pipelines().map((pipeline) =>
      button(t(pipeline), pipeline === state.pipeline, () => change({ pipeline }), {
        title: t(`${pipeline}_help`),
        "data-pipeline": pipeline,
      }),
    );
    const language = button(t("language"), false, () => change({ language: state.language === "zh" ? "en" : "zh" }), {
      id: "language",
    });
    by("controls").replaceChildren(el("span", { class: "quiet" }, t("pipeline")), ...pipelines, language);
  }

  function charts() {
    const [main, ...others] = section().breakdowns.filter((kind) => Figures.labels(kind, Figures.accounts()).length);
    if (!main) return [Charts.stacks(), Charts.outcomes()]; // a run without the number that is told apart
    const many = Figures.labels(main, Figures.accounts()).length > 2; // a radar of two axes is a line
    return [
      many ? Charts.radar(main) : null,
      Charts.bars(main),
      Charts.stacks(),
      ...others.map(Charts.bars),
      Charts.outcomes(),
    ];
  }

  function render() {
    const pipelines = Figures.pipelines();
    if (!pipelines.includes(state.pipeline)) state.pipeline = pipelines.includes("robust") ? "robust" : pipelines[0];
    Frame.clear();
    top();
    const published = Charts.published();
    const judges = Figures.judges();
    by("main").replaceChildren(
      heading("headline"),
      Figures.headline(),
      heading("charts"),
      el("div", { class: "charts" }, ...charts().filter((chart) => chart != null)),
      ...(published.length ? [heading("published"), el("div", { class: "charts" }, ...published)] : []),
      ...(judges ? [heading("judges"), judges] : []),
      heading("questions"),
      Browser.view(),
    );
    const { resamples, level, seed } = report.bootstrap;
    by("foot").textContent = t("foot", { version: report.version, level: +(100 * level).toFixed(6), resamples, seed });
    Frame.draw();
  }

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", render);
  render();
})();
