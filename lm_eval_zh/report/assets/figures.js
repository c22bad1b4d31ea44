"use strict";
// The headline numbers, signatures, judges.

const Figures = (() => {
  const { state, section, t, name, el, table, shown, interval, count } = Page;

  const account = (candidate, pipeline) =>
    section().accounts.find((one) => one.candidate === candidate && one.pipeline === pipeline);

  /** The accounts of the pipeline that is shown, one per candidate. */
  const accounts = () => section().accounts.filter((one) => one.pipeline === state.pipeline);

  /** The pipelines of the section. */
  const pipelines = () => [...new Set(section().accounts.map((one) => one.pipeline))];

  /** The labels of a kind that any of the accounts has. */
  const labels = (kind, accounts) => [
    ...new Set(accounts.flatMap((account) => account.parts[kind].map((part) => part.label))),
  ];

  function headline() {
    return el("div", { class: "cards" }, ...section().candidates.map(card));
  }

  function card(candidate) {
    const chosen = account(candidate.name, state.pipeline);
    return el(
      "article",
      { class: "card" },
      el("h3", {}, candidate.name),
      el("p", { class: "quiet" }, candidate.runs.map((run) => `${run.task} · ${count(run.questions)}`).join("  +  ")),
      chosen
        ? el("div", { class: "numbers" }, ...chosen.headline.map((figure) => number(candidate.name, figure)))
        : null,
      chosen ? outcomes(chosen) : null,
      signatures(candidate),
    );
  }

  function number(candidate, figure) {
    const others = pipelines()
      .filter((pipeline) => pipeline !== state.pipeline)
      .map((pipeline) => [pipeline, account(candidate, pipeline)])
      .filter(([, one]) => one)
      .map(([pipeline, one]) => {
        const same = one.headline.find((other) => other.number === figure.number);
        return same ? `${t(pipeline)} ${shown(same.value, same.scale)} ${interval(same, same.scale)}` : "";
      });
    const parts =
      figure.error_of_judge == null
        ? null
        : t("error_parts", {
            error: shown(figure.error, figure.scale, 1),
            questions: shown(figure.error_of_questions, figure.scale, 1),
            judge: shown(figure.error_of_judge, figure.scale, 1),
            values: figure.by_judge.map((value) => shown(value, figure.scale)).join(", "),
          });
    return el(
      "div",
      { class: "number" },
      el("span", { class: "what" }, name(figure.number)),
      el(
        "span",
        { class: "value" },
        el("b", {}, shown(figure.value, figure.scale)),
        figure.scale.percent ? el("small", {}, "%") : null,
        " ",
        el("span", { class: "interval" }, interval(figure, figure.scale)),
      ),
      el("span", { class: "quiet" }, [t("n_questions", { n: count(figure.questions) }), ...others].join(" · ")),
      parts ? el("span", { class: "quiet" }, parts) : null,
    );
  }

  function outcomes(chosen) {
    const chips = Object.entries(chosen.outcomes)
      .filter(([outcome]) => outcome !== "ok")
      .map(([outcome, n]) => el("span", { class: `chip ${outcome}` }, `${t(outcome)} ${count(n)}`));
    const flags = Object.entries(chosen.flags).map(([flag, n]) =>
      el("span", { class: "chip flag" }, `${name(flag)} ${count(n)}`),
    );
    return chips.length + flags.length ? el("p", { class: "chips" }, ...chips, ...flags) : null;
  }

  function signatures(candidate) {
    const lines = candidate.runs.flatMap((run) =>
      Object.keys(run.signatures).length
        ? Object.values(run.signatures).map((signature) => el("code", {}, signature))
        : [el("p", { class: "quiet" }, `${run.task}: ${t("no_signature")}`)],
    );
    return el("details", { class: "signature" }, el("summary", {}, t("signature")), ...lines);
  }

  /** What the judges did and cost; nothing where no judge was asked. */
  function judges() {
    const rows = section().candidates.flatMap((candidate) =>
      candidate.runs.flatMap((run) =>
        run.judges.map((judge) => [
          `${candidate.name} · ${run.task}`,
          String(judge.model),
          Object.entries(judge.outcomes || {})
            .map(([outcome, n]) => `${outcome} ${count(n)}`)
            .join(", "),
          count(judge.calls || 0),
          count((judge.prompt_tokens || 0) + (judge.completion_tokens || 0)),
          judge.cost == null ? "–" : judge.cost.toFixed(2),
        ]),
      ),
    );
    if (!rows.length) return null;
    const headings = ["model", "judge", "judge_outcomes", "judge_calls", "judge_tokens", "judge_cost"].map((key) =>
      t(key),
    );
    return el("div", { class: "scroll" }, table(headings, rows, { class: "judges" }));
  }

  return { accounts, pipelines, labels, headline, judges };
})();
