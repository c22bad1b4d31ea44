"use strict";
// What all charts share: a figure with its numbers in a table below, colours, scales, and whiskers for intervals.

const Frame = (() => {
  const { t, el } = Page;
  const drawn = [];

  // Okabe and Ito's colours, which colour-blind readers can tell apart.
  const PALETTE = [
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#8c6d31",
    "#7570b3",
    "#999999",
    "#b2df8a",
  ];
  const whiskers = {
    id: "whiskers",
    afterDatasetsDraw(chart) {
      const horizontal = chart.options.indexAxis === "y";
      const scale = horizontal ? chart.scales.x : chart.scales.y;
      chart.data.datasets.forEach((dataset, number) => {
        if (!dataset.intervals || !chart.isDatasetVisible(number)) return;
        chart.getDatasetMeta(number).data.forEach((bar, place) => {
          const ends = dataset.intervals[place];
          if (ends)
            whisker(
              chart.ctx,
              ends.map((end) => scale.getPixelForValue(end)),
              horizontal ? bar.y : bar.x,
              horizontal,
            );
        });
      });
    },
  };

  function whisker(context, [low, high], across, horizontal) {
    const point = (along, aside) => (horizontal ? [along, across + aside] : [across + aside, along]);
    context.save();
    context.strokeStyle = colour("--ink");
    context.lineWidth = 1.25;
    context.beginPath();
    for (const [from, to] of [
      [point(low, 0), point(high, 0)],
      [point(low, -3), point(low, 3)],
      [point(high, -3), point(high, 3)],
    ]) {
      context.moveTo(...from);
      context.lineTo(...to);
    }
    context.stroke();
    context.restore();
  }

  const colour = (variable) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
  const onScale = (value, scale) => (value == null ? null : scale.percent ? value * 100 : value);
  const ends = (one, scale) => (one.low == null ? null : [onScale(one.low, scale), onScale(one.high, scale)]);

  // Suggested: what counts a failure as -1 can come out below the scale.
  const range = (scale) => ({ suggestedMin: onScale(scale.low, scale), suggestedMax: onScale(scale.high, scale) });

  /** A figure with a chart that is drawn once it is in the page. */
  function figure(title, height, config, numbers, { wide = false, notes = [] } = {}) {
    const canvas = el("canvas", { role: "img", "aria-label": title });
    const box = el("div", { class: "canvas" }, canvas);
    box.style.height = `${height}px`;
    drawn.push({ canvas, config, chart: null });
    return el(
      "figure",
      { class: wide ? "wide" : "" },
      el("figcaption", {}, title),
      box,
      ...notes.map((note) => el("p", { class: "note" }, note)),
      el("details", {}, el("summary", {}, t("figures")), el("div", { class: "scroll" }, numbers)),
    );
  }

  /** Draws what has been placed since the last clearing. */
  function draw() {
    Chart.defaults.color = colour("--quiet");
    Chart.defaults.borderColor = colour("--line");
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.animation = false;
    Chart.defaults.maintainAspectRatio = false;
    for (const one of drawn) one.chart = new Chart(one.canvas, one.config());
  }

  function clear() {
    for (const one of drawn) if (one.chart) one.chart.destroy();
    drawn.length = 0;
  }

  function intervalOf(item) {
    const pair = item.dataset.intervals?.[item.dataIndex];
    return pair ? `[${pair.map((end) => end.toFixed(1)).join(", ")}]` : "";
  }

  return { PALETTE, whiskers, intervalOf, colour, onScale, ends, range, figure, draw, clear };
})();
