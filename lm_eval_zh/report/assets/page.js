"use strict";
// What every part of the page uses: the data, the language, building of elements.
// Text of models and judges enters the page through text nodes alone; nothing here or elsewhere parses it as HTML.

const Page = (() => {
  const parse = (name) => JSON.parse(document.getElementById(`data-${name}`).textContent);
  const strings = parse("strings");
  const report = parse("report");
  const indexes = new Map();
  const pieces = new Map();

  const state = {
    language: (location.hash.slice(1) || navigator.language || "en").startsWith("zh") ? "zh" : "en",
    pipeline: "",
    section: 0,
  };

  /** The section that is shown. */
  const section = () => report.sections[state.section];

  /** The index of its questions, parsed when first asked for. */
  function index() {
    if (!indexes.has(state.section)) indexes.set(state.section, parse(`index-${state.section}`));
    return indexes.get(state.section);
  }

  /** The texts of one question. */
  function texts(row) {
    const size = index().piece;
    const name = `texts-${state.section}-${Math.floor(row / size)}`;
    if (!pieces.has(name)) pieces.set(name, parse(name));
    return pieces.get(name)[row % size];
  }

  /** A text of the interface, with {fields} filled in. */
  function t(key, fields = {}) {
    const text = Object.hasOwn(strings, key) ? strings[key][state.language] : key;
    return text.replace(/\{(\w+)\}/g, (whole, field) => (Object.hasOwn(fields, field) ? String(fields[field]) : whole));
  }

  /** What the benchmark calls one of its labels, numbers or statuses; else the interface's word, else the key itself. */
  function name(key, of = section()) {
    const names = of.names;
    if (Object.hasOwn(names, key)) return names[key][state.language];
    return Object.hasOwn(strings, key) ? strings[key][state.language] : key;
  }

  /** What a label of a kind is called: a word may be a label of two kinds. */
  function labelName(kind, label) {
    const own = `${kind}.${label}`;
    return name(Object.hasOwn(section().names, own) ? own : label);
  }

  /** An element. Strings among its children become text. */
  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (value === true) node.setAttribute(key, "");
      else if (value !== false && value != null) node.setAttribute(key, value);
    }
    node.append(...children.filter((child) => child != null));
    return node;
  }

  /** A table of cells; the first column names the row. */
  function table(headings, rows, attributes = {}) {
    const head = el("tr", {}, ...headings.map((heading) => el("th", { scope: "col" }, heading)));
    const body = rows.map((cells) =>
      el("tr", {}, ...cells.map((cell, column) => el(column ? "td" : "th", column ? {} : { scope: "row" }, cell))),
    );
    return el("table", attributes, el("thead", {}, head), el("tbody", {}, ...body));
  }

  /** A number on its scale, as it is printed; a dash where there is none. */
  function shown(value, scale, moreDigits = 0) {
    return value == null ? "–" : (value * (scale.percent ? 100 : 1)).toFixed(scale.digits + moreDigits);
  }

  /** Its interval. */
  function interval(estimate, scale) {
    return estimate.low == null ? "" : `[${shown(estimate.low, scale)}, ${shown(estimate.high, scale)}]`;
  }

  const count = (value) => value.toLocaleString("en");

  return { report, state, section, index, texts, t, name, labelName, el, table, shown, interval, count };
})();
