// The page that explores the aggregates of a study.
"use strict";

(function () {
  const ib = window.ironbark;
  const root = document.getElementById("explorer");
  const MOST_LINES = 8; // methods whose curves are drawn at first
  const MOST_ROWS = 500; // of the table of numbers
  const parts = {};
  let study = null;
  let chosen = null;

  // The part of a choice that the address keeps: what differs from the default view.
  function address(wanted) {
    const done = ib.complete(study, wanted);
    const shown = { study: study.id, view: done.view, task: done.task, metric: done.metric, dataset: done.dataset };
    if (done.view === "curves") shown.line = done.line;
    else if (done.among) shown.among = done.among;
    else Object.assign(shown, { kind: done.kind, rate: done.rate });
    return { ...shown, datasets: wanted.datasets, methods: wanted.methods };
  }

  function change(updates) {
    const wanted = { ...chosen, ...chosen.wanted, ...updates };
    ib.address.push(address(wanted));
    return show(wanted);
  }

  function tools() {
    const about = study.tasks[chosen.task];
    const choose = (key) => (value) => change({ [key]: value });
    const any = (text, values, named = (value) => value) => [["*", text], ...values.map((value) => [value, named(value)])];
    const fields = [
      ib.select("study", "Study", ib.studies.map((entry) => [entry.id, entry.title]), study.id, openStudy),
      ib.select("task", "Task", Object.keys(study.tasks).map((name) => [name, name]), chosen.task, (task) => change({ task: task, methods: undefined, dataset: undefined, datasets: undefined })),
      ib.select("metric", "Measure", about.metrics.map((name) => [name, ib.metrics[name].name]), chosen.metric, choose("metric")),
    ];
    const figures = Object.entries(study.figures).filter(([, figure]) => figure.task === chosen.task && figure.metric === chosen.metric);
    const board = chosen.view !== "curves" && chosen.view !== "numbers";
    if (board && figures.length) {
      const entries = figures.map(([id]) => [id, `those of figure ${id}`]);
      fields.push(ib.select("among", "Compared methods", [["", "all of the study"], ...entries], chosen.among, (among) => change({ among: among, methods: undefined })));
    }
    if (board && chosen.among) return fields;
    const together = [["*", chosen.view === "curves" ? "all, a panel each" : "all"], ...(chosen.view === "curves" ? [["mean", "all, their mean"]] : [])];
    if (about.datasets.length > 1) fields.push(ib.select("dataset", "Data set", [...together, ...about.datasets.map((id) => [id, study.datasets[id]])], chosen.dataset, choose("dataset")));
    if (chosen.view === "curves") return [...fields, ib.select("line", "Kind of noise", chosen.lines.map((name) => [name, name]), chosen.line, choose("line"))];
    fields.push(ib.select("kind", "Kind of noise", any("all kinds", chosen.kinds), chosen.kind, choose("kind")));
    fields.push(ib.select("rate", "Rate", any("all rates", chosen.rates, (rate) => rate || "without a rate"), chosen.rate, choose("rate")));
    return fields;
  }

  function openStudy(id) {
    ib.address.push({ study: id });
    return open({ study: id });
  }

  function methods() {
    const on = new Set(chosen.methods);
    const checked = () => Array.from(options.querySelectorAll("input:checked"), (box) => box.value);
    const boxes = study.tasks[chosen.task].methods.map((id) => {
      const box = ib.make("input", { type: "checkbox", id: `method-${id}`, value: id, checked: on.has(id), name: "methods" });
      box.addEventListener("change", () => change({ methods: checked() }));
      return ib.make("label", {}, box, study.methods[id]);
    });
    const options = ib.make("div", { className: "options" }, ...boxes);
    const search = ib.search("Search methods", () => options.querySelectorAll("label"));
    const buttons = [["all", true], ["none", false]].map(([text, value]) => {
      const button = ib.make("button", { type: "button", id: `methods-${text}`, textContent: text, attributes: { "aria-label": `${text}: methods` } });
      button.addEventListener("click", () => {
        options.querySelectorAll("label:not([hidden]) input").forEach((box) => { box.checked = value; });
        change({ methods: checked() });
      });
      return button;
    });
    parts.search = search;
    parts.boxes = options;
    return ib.make("fieldset", {}, ib.make("legend", { textContent: "Methods" }), ib.make("div", { className: "all" }, search.label, ...buttons), options);
  }

  function tabs() {
    const buttons = Object.entries(ib.VIEWS).map(([id, text]) => {
      const tab = ib.make("button", { type: "button", id: `tab-${id}`, textContent: text, attributes: { role: "tab" } });
      tab.addEventListener("click", () => change({ view: id }));
      return tab;
    });
    const list = ib.make("div", { attributes: { role: "tablist", "aria-label": "Views" } }, ...buttons);
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length];
      next.focus();
      next.click();
    });
    return list;
  }

  function numbers(records) {
    const columns = ["data set", "noise", "method", ib.unit(chosen.metric), "standard deviation", "runs", "p (Holm)"].map((head) => ({ head: head }));
    const rows = records.slice(0, MOST_ROWS).map((cell) => [
      cell.panel, study.noises[cell.noise].name, study.methods[cell.method],
      { text: ib.number(cell.mean, chosen.metric), sort: cell.mean }, { text: ib.number(cell.sd, chosen.metric), sort: cell.sd ?? null },
      String(cell.n), { text: ib.pValue(cell.p_holm), sort: cell.p_holm ?? null },
    ]);
    return ib.table("Numbers", columns, rows);
  }

  function csv(records) {
    const quoted = (value) => (/[",\n]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value);
    const names = Object.keys(records[0]);
    const lines = records.map((record) => names.map((name) => quoted(String(record[name] ?? ""))).join(","));
    return [names.join(","), ...lines].join("\n") + "\n";
  }

  function save(name, content) {
    const link = ib.make("a", { href: URL.createObjectURL(content), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  async function show(wanted) {
    const asked = { ...ib.complete(study, wanted), wanted: { methods: wanted.methods, datasets: wanted.datasets } };
    if (asked.view === "curves" && !wanted.methods) asked.methods = await first(asked);
    const refilled = chosen?.task !== asked.task || !parts.boxes;
    chosen = asked;
    parts.chart.asked = asked;
    ib.refill(parts.tools, tools());
    if (refilled) parts.filters.replaceChildren(methods());
    parts.boxes.querySelectorAll("input").forEach((box) => { box.checked = chosen.methods.includes(box.value); });
    for (const tab of parts.tabs.children) {
      const on = tab.id === `tab-${chosen.view}`;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    parts.panel.setAttribute("aria-labelledby", `tab-${chosen.view}`);
    const result = await ib.draw(parts.chart, study, asked);
    if (asked === chosen) report(result);
  }

  function report(result) {
    const records = result.message ? [] : result.records;
    parts.status.textContent = result.message || result.summary;
    if (chosen.view === "numbers" && records.length) {
      parts.chart.replaceChildren(numbers(records));
      if (records.length > MOST_ROWS) parts.status.textContent += ` The first ${MOST_ROWS} are shown; the CSV file has all.`;
    }
    parts.links.hidden = records.length === 0;
    parts.svg.hidden = !result.spec;
    parts.csv.onclick = () => save(`${study.id}-${chosen.view}-${chosen.metric}.csv`, new Blob([csv(records)], { type: "text/csv" }));
    parts.svg.onclick = async () => save(`${study.id}-${chosen.view}.svg`, new Blob([await parts.chart.ironbarkView.view.toSVG()], { type: "image/svg+xml" }));
    document.body.dataset.shown = `${study.id} ${chosen.view}`;
  }

  // The methods whose curves are drawn at first: all, or those of the best average rank.
  async function first({ task, metric, methods: all }) {
    if (all.length <= MOST_LINES + 2) return all;
    const found = study.tasks[task].ranked.includes(metric) && (await ib.boards(study.id, task, metric))("*|*|*");
    const best = new Set((found ? found.methods : all).slice(0, MOST_LINES));
    return all.filter((id) => best.has(id));
  }

  function page() {
    parts.tools = ib.make("div", { className: "tools" });
    parts.tabs = tabs();
    parts.status = ib.make("p", { className: "status", id: "status", attributes: { "aria-live": "polite" } });
    parts.chart = ib.make("div", { className: "chart", id: "chart" });
    parts.csv = ib.make("button", { type: "button", textContent: "Numbers as CSV" });
    parts.svg = ib.make("button", { type: "button", textContent: "Chart as SVG" });
    parts.links = ib.make("p", { className: "links" }, parts.csv, parts.svg);
    parts.panel = ib.make("div", { id: "panel", attributes: { role: "tabpanel" } }, parts.status, parts.chart, parts.links);
    parts.filters = ib.make("div", { className: "filters" });
    parts.boxes = null;
    root.replaceChildren(parts.tools, parts.tabs, parts.panel, ib.make("h2", { textContent: "Shown methods" }), parts.filters);
  }

  function fail(text) {
    root.replaceChildren(ib.make("p", { className: "absent", textContent: text }));
  }

  async function open(wanted) {
    if (ib.studies.length === 0) return fail("There are no rows yet. Run a study and build the site again.");
    const id = ib.studies.some((entry) => entry.id === wanted.study) ? wanted.study : ib.studies[0].id;
    try {
      if (study?.id !== id) {
        study = await ib.load(id);
        page();
      }
      await show(wanted);
    } catch (error) {
      fail(error.message);
    }
  }

  const again = () => study && show({ ...chosen, ...chosen.wanted });
  ib.address.listen(open);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  let timer = 0;
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { if (window.innerWidth !== width) { width = window.innerWidth; again(); } }, 200);
  });
  open(ib.address.read());
})();
