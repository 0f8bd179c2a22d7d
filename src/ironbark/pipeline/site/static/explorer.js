// The page that explores the rows of a study: what is chosen stands in the address, so that it can be sent.
"use strict";

(function () {
  const ib = window.ironbark;
  const root = document.getElementById("explorer");
  const MOST_LINES = 8; // methods that are chosen at first
  const MOST_ROWS = 500; // of the table of numbers
  const FILTERS = [["datasets", "Data sets", "dataset"], ["noises", "Noises", "noise_id"], ["methods", "Methods", "method"]];
  const parts = {};
  let study = null;
  let chosen = null;

  function make(tag, options = {}, ...children) {
    const { dataset, ...rest } = options;
    const element = Object.assign(document.createElement(tag), rest);
    Object.assign(element.dataset, dataset || {});
    element.append(...children);
    return element;
  }

  function select(name, title, entries, value, change) {
    const list = make("select", { id: `choose-${name}` }, ...entries.map(([id, text]) => make("option", { value: id, textContent: text, selected: id === value })));
    list.addEventListener("change", () => change(list.value));
    return make("label", { htmlFor: `choose-${name}` }, title, list);
  }

  function address() {
    const shown = { study: study.id, view: chosen.view, task: chosen.task, metric: chosen.metric, line: chosen.line, panels: chosen.panels };
    const here = ib.present(study, chosen.task);
    for (const [key, , column] of FILTERS) {
      if (chosen[key].length < here[column].size) shown[key] = chosen[key].join(",");
    }
    return `#${new URLSearchParams(shown).toString().replace(/%2C/g, ",")}`;
  }

  function change(updates) {
    chosen = ib.complete(study, { ...chosen, ...updates });
    history.replaceState(null, "", address());
    show();
  }

  function tools() {
    const tasks = study.names("task").map((name) => [name, name]);
    const metrics = study.metrics.map((name) => [name, ib.metrics[name].name]);
    const studies = ib.studies.map((entry) => [entry.id, entry.title]);
    const all = { datasets: undefined, noises: undefined, methods: undefined };
    const fields = [
      select("study", "Study", studies, study.id, (id) => { location.hash = `study=${id}`; }),
      select("task", "Task", tasks, chosen.task, (task) => change({ ...all, methods: first(task), task: task })),
      select("metric", "Measure", metrics, chosen.metric, (metric) => change({ metric: metric })),
    ];
    if (chosen.view === "curves") {
      fields.push(select("line", "Kind of noise", chosen.lines.map((name) => [name, name.replace(/_/g, " ")]), chosen.line, (line) => change({ line: line })));
      fields.push(select("panels", "Data sets", [["each", "a panel each"], ["mean", "their mean"]], chosen.panels, (panels) => change({ panels: panels })));
    }
    return fields;
  }

  function filter(key, title, column) {
    const names = { dataset: study.datasets, method: study.methods }[column];
    const there = study.ordered(column, { dataset: study.datasets, noise_id: study.noises, method: study.methods }[column]);
    const here = ib.present(study, chosen.task)[column];
    const on = new Set(chosen[key]);
    const boxes = there.filter((id) => here.has(id)).map((id) => {
      const box = make("input", { type: "checkbox", value: id, checked: on.has(id), name: key });
      box.addEventListener("change", () => change({ [key]: checked() }));
      return make("label", {}, box, names && names[id] !== id ? `${names[id]} (${id})` : id);
    });
    const options = make("div", { className: "options" }, ...boxes);
    const checked = () => Array.from(options.querySelectorAll("input:checked"), (box) => box.value);
    const all = (value) => () => {
      options.querySelectorAll("input").forEach((box) => { box.checked = value; });
      change({ [key]: checked() });
    };
    const buttons = [["all", true], ["none", false]].map(([text, value]) => {
      const button = make("button", { type: "button", textContent: text });
      button.setAttribute("aria-label", `${text}: ${title.toLowerCase()}`);
      button.addEventListener("click", all(value));
      return button;
    });
    return make("fieldset", {}, make("legend", { textContent: title }), make("div", { className: "all" }, ...buttons), options);
  }

  function tabs() {
    const buttons = Object.entries(ib.VIEWS).map(([id, text]) => {
      const tab = make("button", { type: "button", id: `tab-${id}`, textContent: text });
      tab.setAttribute("role", "tab");
      tab.addEventListener("click", () => change({ view: id }));
      return tab;
    });
    const list = make("div", {}, ...buttons);
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Views");
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
      next.focus();
      next.click();
    });
    return list;
  }

  function numbers(cells) {
    const { factor } = ib.metrics[chosen.metric];
    const rows = cells.slice(0, MOST_ROWS).map((cell) => {
      const texts = [cell.noise, cell.method, (factor * cell.mean).toFixed(3), Number.isNaN(cell.sd) ? "–" : (factor * cell.sd).toFixed(3), String(cell.n)];
      const head = make("th", { textContent: cell.dataset, scope: "row" });
      return make("tr", {}, head, ...texts.map((text) => make("td", { textContent: text })));
    });
    const heads = ["data set", "noise", "method", ib.axisTitle(chosen.metric), "standard deviation", "fits"];
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { textContent: head })))), make("tbody", {}, ...rows));
    const box = make("div", { className: "scroll", tabIndex: 0 }, table);
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Numbers");
    ib.makeSortable(table);
    return box;
  }

  function csv(cells) {
    const quoted = (value) => (/[",\n]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value);
    const lines = cells.map((cell) => [cell.dataset, cell.task, cell.noise, cell.method, chosen.metric, cell.mean, cell.sd, cell.n].map((value) => quoted(String(value))).join(","));
    return ["dataset,task,noise,method,metric,mean,sd,n", ...lines].join("\n") + "\n";
  }

  function save(name, content) {
    const link = make("a", { href: URL.createObjectURL(content), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  async function show() {
    const focused = document.activeElement?.id;
    parts.tools.replaceChildren(...tools());
    if (focused) document.getElementById(focused)?.focus();
    for (const tab of parts.tabs.children) {
      const on = tab.id === `tab-${chosen.view}`;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    parts.panel.setAttribute("aria-labelledby", `tab-${chosen.view}`);
    const asked = chosen;
    const result = await ib.draw(parts.chart, study, chosen);
    if (asked !== chosen) return;
    parts.status.textContent = result.message || result.summary;
    const cells = result.message ? [] : result.cells;
    if (chosen.view === "numbers" && cells.length) {
      parts.chart.replaceChildren(numbers(cells));
      if (cells.length > MOST_ROWS) parts.status.textContent += ` The first ${MOST_ROWS} are shown; the CSV file has all.`;
    }
    parts.links.hidden = cells.length === 0;
    parts.svg.hidden = !result.spec;
    parts.csv.onclick = () => save(`${study.id}-${chosen.metric}.csv`, new Blob([csv(cells)], { type: "text/csv" }));
    parts.svg.onclick = async () => save(`${study.id}-${chosen.view}.svg`, new Blob([await parts.chart.ironbarkView.view.toSVG()], { type: "image/svg+xml" }));
    document.body.dataset.shown = `${study.id} ${chosen.view}`;
  }

  // The methods that are chosen at first: all, or those of the best average rank.
  function first(task) {
    const all = ib.complete(study, { task: task });
    if (all.methods.length <= MOST_LINES + 2) return all.methods;
    const table = ib.stats.settings(ib.stats.cells(study, all.metric, all));
    if (table.rows.length === 0) return all.methods.slice(0, MOST_LINES);
    return ib.stats.averageRanks(table, true).slice(0, MOST_LINES).map((entry) => entry.method);
  }

  function page() {
    parts.tools = make("div", { className: "tools" });
    parts.tabs = tabs();
    parts.status = make("p", { className: "status", id: "status" });
    parts.status.setAttribute("aria-live", "polite");
    parts.chart = make("div", { className: "chart", id: "chart" });
    parts.csv = make("button", { type: "button", textContent: "Numbers as CSV" });
    parts.svg = make("button", { type: "button", textContent: "Chart as SVG" });
    parts.links = make("p", { className: "links" }, parts.csv, parts.svg);
    parts.panel = make("div", { id: "panel" }, parts.status, parts.chart, parts.links);
    parts.panel.setAttribute("role", "tabpanel");
    parts.filters = make("div", { className: "filters" });
    root.replaceChildren(parts.tools, parts.tabs, parts.panel, make("h2", { textContent: "What is shown" }), parts.filters);
  }

  function fail(text) {
    root.replaceChildren(make("p", { className: "absent", textContent: text }));
  }

  async function start() {
    const wanted = ib.parse(location.hash.slice(1));
    if (ib.studies.length === 0) return fail("There are no rows yet. Run a study and build the site again.");
    const id = ib.studies.some((entry) => entry.id === wanted.study) ? wanted.study : ib.studies[0].id;
    try {
      study = await ib.load(id);
    } catch (error) {
      return fail(error.message);
    }
    if (wanted.methods === undefined) wanted.methods = first(ib.complete(study, wanted).task);
    chosen = ib.complete(study, wanted);
    page();
    parts.filters.replaceChildren(...FILTERS.map((about) => filter(...about)));
    if (study.kind === "cells") {
      const words = `These are ${study.fits.toLocaleString("en")} fits: too many for a browser, so it has the mean and spread of each cell.`;
      parts.filters.before(make("p", { className: "note", textContent: words }));
    }
    return show();
  }

  window.addEventListener("hashchange", start);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => study && show());
  let timer = 0;
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { if (study && window.innerWidth !== width) { width = window.innerWidth; show(); } }, 200);
  });
  start();
})();
