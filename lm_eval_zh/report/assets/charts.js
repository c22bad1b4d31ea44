"use strict";
// The charts, drawn by Chart.js.

const Charts = (() => {
  const { state, section, t, name, labelName, table, shown, interval } = Page;
  const { PALETTE, whiskers, intervalOf, colour, onScale, ends, range, figure } = Frame;
  const HEIGHT = 340; // pixels
  const OUTCOMES = { ok: "#009e73", unread: "#e69f00", unjudged: "#d55e00", empty: "#999999", unscored: "#cc79a7", missing: "#56b4e9" };

  // --- parts: subjects, categories, years, types

  function partsTable(kind, accounts, scale) {
    const rows = accounts.flatMap((account) =>
      account.parts[kind].map((part) => [
        labelName(kind, part.label),
        ...(accounts.length > 1 ? [account.candidate] : []),
        shown(part.value, scale),
        interval(part, scale),
        String(part.questions),
      ]),
    );
    const headings = [name(kind), ...(accounts.length > 1 ? [t("model")] : []), t("value"), t("interval"), t("count")];
    return table(headings, rows);
  }

  function radar(kind) {
    const scale = section().scale;
    // With one candidate the pipelines are what there is to compare.
    const single = section().candidates.length === 1;
    const accounts = single ? section().accounts : Figures.accounts();
    const labels = Figures.labels(kind, Figures.accounts());
    const config = () => ({
      type: "radar",
      data: {
        labels: labels.map((label) => labelName(kind, label)),
        datasets: accounts.map((account, place) => ({
          label: single ? t(account.pipeline) : account.candidate,
          data: labels.map((label) => onScale(account.parts[kind].find((part) => part.label === label)?.value, scale)),
          borderColor: PALETTE[place % PALETTE.length],
          backgroundColor: `${PALETTE[place % PALETTE.length]}22`,
          borderDash: single && place ? [5, 4] : [],
          pointRadius: 2.5,
        })),
      },
      options: {
        scales: {
          r: {
            ...range(scale),
            ticks: { backdropColor: "transparent", maxTicksLimit: 6 },
            grid: { color: colour("--line") },
            angleLines: { color: colour("--line") },
            pointLabels: { font: { size: 12 }, color: colour("--ink") },
          },
        },
      },
    });
    return figure(
      t("of_candidates", { kind: name(kind) }),
      HEIGHT,
      config,
      partsTable(kind, Figures.accounts(), scale),
    );
  }

  function bars(kind) {
    const scale = section().scale;
    const accounts = Figures.accounts();
    const labels = Figures.labels(kind, accounts);
    const many = labels.length > 14;
    const config = () => ({
      type: "bar",
      plugins: [whiskers],
      data: {
        labels: labels.map((label) => labelName(kind, label)),
        datasets: accounts.map((account, place) => {
          const parts = labels.map((label) => account.parts[kind].find((part) => part.label === label) || {});
          return {
            label: account.candidate,
            data: parts.map((part) => onScale(part.value, scale)),
            intervals: parts.map((part) => ends(part, scale)),
            backgroundColor: `${PALETTE[place % PALETTE.length]}bb`,
            maxBarThickness: 34,
          };
        }),
      },
      options: {
        indexAxis: many ? "y" : "x",
        scales: { [many ? "x" : "y"]: range(scale) },
        plugins: { legend: { display: accounts.length > 1 }, tooltip: { callbacks: { afterLabel: intervalOf } } },
      },
    });
    const height = many ? 60 + labels.length * (12 + 10 * accounts.length) : HEIGHT;
    return figure(t("by", { kind: name(kind) }), height, config, partsTable(kind, accounts, scale), { wide: many });
  }

  // --- totals as stacks

  function stacks() {
    const kind = section().breakdowns[0];
    const rows = Figures.accounts().flatMap((account) =>
      Object.entries(account.stacks)
        .filter(([, slices]) => slices.every((slice) => slice.value != null))
        .map(([number, slices]) => ({
          label: `${account.candidate} · ${name(number)}`,
          slices,
          high: account.headline.find((figure) => figure.number === number).scale.high,
        })),
    );
    if (!rows.length) return null;
    const labels = [...new Set(rows.flatMap((row) => row.slices.map((slice) => slice.labels[kind])))];
    const sum = (row, label, field) =>
      row.slices.filter((slice) => slice.labels[kind] === label).reduce((total, slice) => total + slice[field], 0);
    const config = () => ({
      type: "bar",
      data: {
        labels: rows.map((row) => row.label),
        datasets: labels.map((label, place) => ({
          label: labelName(kind, label),
          data: rows.map((row) => sum(row, label, "value")),
          backgroundColor: PALETTE[place % PALETTE.length],
          maxBarThickness: 40,
        })),
      },
      options: {
        indexAxis: "y",
        scales: { x: { stacked: true, min: 0, max: Math.max(...rows.map((row) => row.high)) }, y: { stacked: true } },
      },
    });
    const cells = rows.map((row) => [
      row.label,
      ...labels.map((label) => {
        const most = sum(row, label, "most");
        return most ? `${sum(row, label, "value").toFixed(1)} / ${most}` : "–";
      }),
    ]);
    return figure(
      t("stacked"),
      110 + 56 * rows.length,
      config,
      table(["", ...labels.map((label) => labelName(kind, label))], cells),
      { wide: true },
    );
  }

  // --- outcomes

  function outcomes() {
    const accounts = section().accounts;
    const kinds = Object.keys(OUTCOMES).filter((kind) => accounts.some((account) => account.outcomes[kind]));
    const labels = accounts.map((account) => `${account.candidate} · ${t(account.pipeline)}`);
    const config = () => ({
      type: "bar",
      data: {
        labels,
        datasets: kinds.map((kind) => ({
          label: t(kind),
          data: accounts.map((account) => account.outcomes[kind] || 0),
          backgroundColor: OUTCOMES[kind],
          maxBarThickness: 30,
        })),
      },
      options: { indexAxis: "y", scales: { x: { stacked: true }, y: { stacked: true } } },
    });
    const reasons = accounts.map((account, place) => [
      labels[place],
      ...kinds.map((kind) => String(account.outcomes[kind] || 0)),
      Object.entries(account.statuses)
        .map(([status, n]) => `${name(status)} ${n}`)
        .join(", ") || "–",
    ]);
    const headings = ["", ...kinds.map((kind) => t(kind)), t("status")];
    return figure(t("outcomes"), 90 + 40 * accounts.length, config, table(headings, reasons), { wide: true });
  }

  // --- published models

  function published() {
    return section()
      .standings.filter((standing) => standing.pipeline === state.pipeline)
      .map(standingFigure);
  }

  function standingFigure(standing) {
    const scale = standing.scale;
    const [main] = standing.columns;
    const values = standing.rows.map((row) => row.values[main]);
    const config = () => ({
      type: "bar",
      plugins: [whiskers],
      data: {
        labels: standing.rows.map((row) => (row.remarks.length ? `${row.model} *` : row.model)),
        datasets: [
          {
            label: name(main),
            data: values.map((one) => onScale(one.value, scale)),
            intervals: values.map((one) => ends(one, scale)),
            backgroundColor: standing.rows.map((row) => (row.ours ? PALETTE[0] : `${colour("--quiet")}66`)),
            maxBarThickness: 18,
          },
        ],
      },
      options: {
        indexAxis: "y",
        scales: { x: range(scale), y: { ticks: { autoSkip: false } } },
        plugins: { legend: { display: false }, tooltip: { callbacks: { afterLabel: intervalOf } } },
      },
    });
    const rows = standing.rows.map((row) => [
      row.model,
      ...standing.columns.map(
        (column) => `${shown(row.values[column].value, scale)} ${interval(row.values[column], scale)}`,
      ),
    ]);
    const judge = standing.judge ? `${t("judge")}: ${standing.judge}` : t("judge_none");
    const notes = [
      `${t("source")}: ${standing.source[state.language]}, ${standing.date}. ${judge}.`,
      ...(standing.note[state.language] ? [standing.note[state.language]] : []),
      ...standing.rows
        .filter((row) => row.remarks.length)
        .map((row) => {
          const reasons = row.remarks.map(({ what, run, table }) =>
            t("remark", { what: t(`remark_${what}`).replace(/^remark_/, ""), run, table }),
          );
          return `* ${t("differs", { model: row.model, reasons: reasons.join("; ") })}`;
        }),
    ];
    const numbers = table([t("model"), ...standing.columns.map((column) => name(column))], rows);
    return figure(standing.title[state.language], 70 + 22 * rows.length, config, numbers, { notes });
  }

  return { radar, bars, stacks, outcomes, published };
})();
