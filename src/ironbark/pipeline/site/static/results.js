// Results on a data set: methods by noises, or one noise with its tests.
"use strict";

(function () {
  const ib = window.ironbark;
  const root = document.getElementById("results-table");
  const dataset = root.dataset.dataset;
  const parts = {};

  // Pairs of study and task that have results on the data set, from the tables of best methods.
  const places = Array.from(document.querySelectorAll("[data-results]"), (box) => box.dataset.results);

  const split = (place) => [place.slice(0, place.lastIndexOf(".")), place.slice(place.lastIndexOf(".") + 1)];

  async function complete(wanted) {
    const results = places.includes(wanted.results) ? wanted.results : places[0];
    const [id, task] = split(results);
    const study = await ib.load(id);
    const { ranked, noises } = study.tasks[task];
    const metric = ranked.includes(wanted.metric) ? wanted.metric : ranked[0];
    const noise = noises.includes(wanted.noise) ? wanted.noise : "*";
    return { results: results, metric: metric, noise: noise, study: study, task: task };
  }

  async function controls(chosen) {
    const { study, task, metric } = chosen;
    const studies = await Promise.all(places.map((place) => ib.load(split(place)[0])));
    const named = places.map((place, i) => [place, `${studies[i].title}, ${split(place)[1]}`]);
    const grid = await ib.grid(study.id, task, metric);
    const there = study.tasks[task].noises.filter((name) => grid.at.noises.has(name) && grid.at.datasets.has(dataset) && grid.cells(dataset, name).length);
    const noises = [["*", "all, means only"], ...there.map((name) => [name, study.noises[name].name])];
    const choose = (key) => (value) => change({ results: chosen.results, metric: metric, noise: chosen.noise, [key]: value });
    return [
      ib.select("results", "Study and task", named, chosen.results, choose("results")),
      ib.select("metric", "Measure", study.tasks[task].ranked.map((name) => [name, ib.metrics[name].name]), metric, choose("metric")),
      ib.select("noise", "Noise", noises, noises.some(([name]) => name === chosen.noise) ? chosen.noise : "*", choose("noise")),
      parts.search.label,
    ];
  }

  function change(wanted) {
    ib.address.push(wanted);
    return show(wanted);
  }

  async function show(wanted) {
    parts.asked = wanted;
    const chosen = await complete(wanted);
    const tools = await controls(chosen);
    const grid = await ib.grid(chosen.study.id, chosen.task, chosen.metric);
    const tested = chosen.noise !== "*" && grid.at.noises.has(chosen.noise) && grid.cells(dataset, chosen.noise).length;
    const found = tested ? await ib.setting({ ...chosen, dataset: dataset }) : matrix(chosen, grid);
    if (parts.asked !== wanted) return;
    ib.refill(parts.tools, tools);
    parts.status.textContent = found.summary;
    parts.table.replaceChildren(found.table);
    parts.search.apply();
    document.body.dataset.shown = `${chosen.results} ${chosen.metric} ${chosen.noise}`;
  }

  // Methods by noises.
  function matrix({ study, task, metric }, grid) {
    const noises = study.tasks[task].noises.filter((noise) => grid.at.noises.has(noise) && grid.at.datasets.has(dataset) && grid.cells(dataset, noise).length);
    const methods = grid.methods.filter((method) => noises.some((noise) => grid.cell(dataset, noise, method)));
    const columns = [{ head: "method" }, ...noises.map((noise) => ({ head: study.noises[noise].name }))];
    const counts = new Set();
    const best = new Map(noises.map((noise) => [noise, grid.cell(dataset, noise, grid.reference(dataset, noise)).mean]));
    const rows = methods.map((method) => [
      { text: study.methods[method], href: `../method/${method}.html` },
      ...noises.map((noise) => {
        const cell = grid.cell(dataset, noise, method);
        if (!cell) return "–";
        counts.add(cell.n);
        return { text: ib.spread(cell.mean, cell.sd, metric), sort: cell.mean, title: ib.runs(cell.n), className: cell.mean === best.get(noise) ? "best" : "" };
      }),
    ]);
    const runs = counts.size === 1 ? ib.runs([...counts][0]) : `${Math.min(...counts)} to ${Math.max(...counts)} runs, see the tooltips`;
    return { table: ib.table("Methods by noises", columns, rows), summary: `${ib.unit(metric)}: mean ± standard deviation of ${runs}; bold: best. Choose a noise for tests.` };
  }

  const scroll = () => document.getElementById("all").scrollIntoView();

  async function start() {
    parts.tools = ib.make("div", { className: "tools" });
    parts.status = ib.make("p", { className: "answer", id: "status", attributes: { "aria-live": "polite" } });
    parts.table = ib.make("div", { id: "methods-table" });
    parts.search = ib.search("Search methods", () => parts.table.querySelectorAll("tbody tr"));
    root.replaceChildren(parts.tools, parts.status, parts.table);
    document.querySelectorAll("[data-noise]").forEach((link) => link.addEventListener("click", (event) => {
      event.preventDefault();
      change(ib.address.parse(link.hash.slice(1))).then(scroll);
    }));
    try {
      await show(ib.address.read());
    } catch (error) {
      root.replaceChildren(ib.make("p", { className: "absent", textContent: error.message }));
    }
    if (ib.address.read().noise) scroll();
  }

  ib.address.listen(show);
  start();
})();
