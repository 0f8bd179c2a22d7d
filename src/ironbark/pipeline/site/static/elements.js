// Elements of pages that are drawn by scripts: controls, tables that sort, and numbers as text.
"use strict";

(function () {
  const ib = window.ironbark;

  function make(tag, options = {}, ...children) {
    const { dataset, attributes, ...rest } = options;
    const element = Object.assign(document.createElement(tag), rest);
    Object.assign(element.dataset, dataset || {});
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // A labelled list to choose from; entries are pairs of value and text.
  function select(name, title, entries, value, change) {
    const options = entries.map(([id, text]) => make("option", { value: id, textContent: text, selected: id === value }));
    const list = make("select", { id: `choose-${name}` }, ...options);
    list.addEventListener("change", () => change(list.value));
    return make("label", { htmlFor: list.id }, title, list);
  }

  // Replace the controls of a page and give the focus back to the one that had it.
  function refill(parent, children) {
    const focused = document.activeElement?.id;
    parent.replaceChildren(...children);
    if (focused && parent.querySelector(`#${focused}`)) document.getElementById(focused).focus();
  }

  // A table that sorts. Columns: {head, title}; cells: text, or {text, sort, href, className, title}. The first is the row's head.
  function table(label, columns, rows) {
    const heads = columns.map((column) => make("th", { textContent: column.head, title: column.title || "" }));
    const lines = rows.map((cells) => make("tr", {}, ...cells.map((cell, i) => entry(cell, i === 0))));
    const found = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...lines));
    ib.makeSortable(found);
    const box = make("div", { className: "scroll", tabIndex: 0, attributes: { role: "region", "aria-label": label } }, found);
    ib.showScrolling(box);
    return box;
  }

  function entry(cell, first) {
    const about = typeof cell === "object" ? cell : { text: cell };
    const element = make(first ? "th" : "td", { className: about.className || "", title: about.title || "" });
    if (first) element.scope = "row";
    if (about.sort !== undefined) element.dataset.sort = about.sort === null ? "" : String(about.sort);
    element.append(about.href ? make("a", { href: about.href, textContent: about.text }) : about.text);
    return element;
  }

  // A field that hides the rows, or other elements, without the text that is typed.
  function search(title, items) {
    const field = make("input", { type: "search", id: "search-methods", placeholder: "part of a name" });
    const apply = () => ib.hideOthers(items(), field.value);
    field.addEventListener("input", apply);
    return { label: make("label", { htmlFor: field.id }, title, field), apply: apply };
  }

  const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);

  function number(value, metric) {
    if (!known(value)) return "–";
    const shown = ib.metrics[metric].factor * value;
    return ib.metrics[metric].factor === 100 ? shown.toFixed(2) : String(Number(shown.toPrecision(3)));
  }

  function spread(mean, sd, metric) {
    return known(sd) ? `${number(mean, metric)} ± ${number(sd, metric)}` : number(mean, metric);
  }

  function pValue(p) {
    if (!known(p)) return "–";
    return p < 0.001 ? "< 0.001" : p.toFixed(3);
  }

  const runs = (count) => (count === 1 ? "1 run" : `${count} runs`);

  function unit(metric) {
    const { name, unit: found } = ib.metrics[metric];
    return found ? `${name} (${found === "percent" ? "%" : found})` : name;
  }

  Object.assign(ib, { make, select, refill, table, search, known, number, spread, pValue, runs, unit });
})();
