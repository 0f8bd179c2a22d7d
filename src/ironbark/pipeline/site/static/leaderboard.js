// The page of a leaderboard: filters, the sentence on the best method, and the table.
"use strict";

(function () {
  const ib = window.ironbark;
  const root = document.getElementById("leaderboard");
  const { study: id, track } = root.dataset;
  const LIMITS = [0.01, 0.1, 1, 10, 60, 600]; // CPU seconds of a fit
  const parts = {};
  let study = null;

  // A choice completed by what the study has.
  function complete(wanted) {
    const tasks = Object.keys(study.tasks).filter((task) => study.tasks[task].tracks[track]);
    const pick = (value, values, other = values[0]) => (values.includes(value) ? value : other);
    const task = pick(wanted.task, tasks);
    const { datasets, noises, tracks } = study.tasks[task];
    const single = datasets.length === 1 ? datasets[0] : "*";
    const chosen = { task: task, metric: pick(wanted.metric, tracks[track]), dataset: pick(wanted.dataset, ["*", ...datasets], single) };
    if (datasets.length === 1) chosen.dataset = single;
    const about = noises.map((name) => study.noises[name]);
    chosen.kind = pick(wanted.kind, about.map((noise) => noise.kind), "*");
    const rates = about.filter((noise) => chosen.kind === "*" || noise.kind === chosen.kind).map((noise) => noise.rate);
    chosen.rate = pick(wanted.rate, rates, "*");
    chosen.cost = pick(wanted.cost, LIMITS.map(String), "*");
    return { ...chosen, tasks: tasks, rates: [...new Set(rates)], kinds: [...new Set(about.map((noise) => noise.kind))] };
  }

  function controls(chosen) {
    const { datasets, tracks } = study.tasks[chosen.task];
    const any = (text, values, named = (value) => value) => [["*", text], ...values.map((value) => [value, named(value)])];
    const sets = any("all data sets", datasets, (name) => study.datasets[name]).slice(datasets.length === 1 ? 1 : 0);
    const choose = (key) => (value) => change({ ...chosen, [key]: value });
    return [
      ib.select("task", "Task", chosen.tasks.map((task) => [task, task]), chosen.task, choose("task")),
      ib.select("metric", "Measure", tracks[track].map((name) => [name, ib.metrics[name].name]), chosen.metric, choose("metric")),
      ib.select("dataset", "Data set", sets, chosen.dataset, choose("dataset")),
      ib.select("kind", "Kind of noise", any("all kinds", chosen.kinds), chosen.kind, choose("kind")),
      ib.select("rate", "Rate", any("all rates", chosen.rates, (rate) => rate || "without a rate"), chosen.rate, choose("rate")),
      ib.select("cost", "CPU seconds of a fit", any("any", LIMITS.map(String), (limit) => `at most ${limit}`), chosen.cost, choose("cost")),
    ];
  }

  function change(wanted) {
    const { task, metric, dataset, kind, rate, cost } = complete(wanted);
    ib.address.push({ task, metric, dataset, kind, rate, cost });
    show(wanted);
  }

  async function show(wanted) {
    const chosen = complete(wanted);
    parts.last = chosen;
    ib.refill(parts.tools, [...controls(chosen), parts.search.label]);
    const found = await result(chosen);
    if (parts.last !== chosen) return;
    parts.status.textContent = found.summary;
    parts.more.replaceChildren(...(found.more || []));
    parts.table.replaceChildren(...(found.table ? [found.table] : []));
    parts.search.apply();
    document.body.dataset.shown = JSON.stringify(chosen);
  }

  async function result(chosen) {
    const { task, metric, dataset, kind, rate } = chosen;
    const fits = (noise) => [["kind", kind], ["rate", rate]].every(([key, value]) => value === "*" || study.noises[noise][key] === value);
    const noises = study.tasks[task].noises.filter(fits);
    const cheap = (method, seconds) => chosen.cost === "*" || seconds <= Number(chosen.cost);
    if (dataset !== "*" && noises.length === 1) {
      const about = { study: study, task: task, metric: metric, dataset: dataset, noise: noises[0], shown: cheap };
      const grid = await ib.grid(id, task, metric);
      if (grid.cells(dataset, noises[0]).length === 0) return { summary: "No fit of this data set and noise has this measure." };
      const found = await ib.setting(about);
      const state = ib.address.format({ results: `${id}.${task}`, metric: metric, noise: noises[0] });
      const link = ib.make("a", { href: `../dataset/${dataset}.html${state}`, textContent: `All results on ${study.datasets[dataset]}` });
      return { ...found, more: [link, "."] };
    }
    const board = (await ib.boards(id, task, metric))(`${dataset}|${kind}|${rate}`);
    if (!board) return { summary: "No setting of these filters has been finished by all methods of the study." };
    return ranked(chosen, board, cheap);
  }

  function ranked({ metric, dataset, cost }, board, cheap) {
    const columns = [
      { head: "method" }, { head: "place" }, { head: "average rank", title: "over the settings of data set and noise; 1 is best" },
      { head: ib.unit(metric), title: "mean; each data set counts once" },
      { head: "normalised score", title: "1 for the best method of a setting, 0 for the median and all that are worse" },
      { head: "CPU seconds", title: "of a fit with its tuning, geometric mean" },
    ];
    if (board.p) columns.push({ head: "p (Holm)", title: "Wilcoxon's signed-rank test over data sets against the method of the best average rank, adjusted for the number of methods" });
    const intervals = board.elo && ib.known(board.elo_low[0]); // not from few data sets
    if (board.elo) columns.push({ head: "Elo", title: "a lead of 400 means ten wins for each loss" });
    if (intervals) columns.push({ head: "95 % interval", title: "of bootstrap draws of data sets" });
    const rows = board.methods.map((method, i) => {
      const cells = [
        { text: study.methods[method], href: `../method/${method}.html` }, String(i + 1), board.rank[i].toFixed(2),
        { text: ib.number(board.mean[i], metric), sort: board.mean[i] }, board.score[i].toFixed(2),
        { text: ib.number(board.seconds[i], "seconds"), sort: board.seconds[i] },
      ];
      if (board.p) cells.push({ text: ib.pValue(board.p[i]), sort: board.p[i] });
      if (board.elo) cells.push(board.elo[i].toFixed(0));
      if (intervals) cells.push({ text: `${board.elo_low[i].toFixed(0)} to ${board.elo_high[i].toFixed(0)}`, sort: board.elo_low[i] });
      return { cells: cells, shown: cheap(method, board.seconds[i]) };
    });
    const table = ib.table("Methods", columns, rows.filter((row) => row.shown).map((row) => row.cells));
    return { table: table, summary: words(board, dataset, cost, rows.filter((row) => !row.shown).length) };
  }

  function words(board, dataset, cost, hidden) {
    const best = study.methods[board.methods[0]];
    const sets = board.datasets === 1 ? "1 data set" : `${board.datasets} data sets`;
    const start = `${best} has the best average rank, ${board.rank[0].toFixed(2)}, of ${board.methods.length} methods over ${board.settings} settings of ${sets}.`;
    const tested = board.p && board.p.some(ib.known);
    const beaten = tested ? board.p.filter((p) => ib.known(p) && p < 0.05).length : 0;
    const test = tested
      ? ` It is significantly better than ${beaten} of the ${board.methods.length - 1} others (Wilcoxon's signed-rank test over data sets, Holm's adjustment, level 0.05).`
      : dataset === "*" && board.datasets > 1 ? " No test: it needs 6 data sets." : " For a test, choose one kind of noise and one rate.";
    const left = board.dropped ? ` ${board.dropped} settings of all noises are left out, since a method has no finished fit there.` : "";
    const costly = hidden ? ` ${hidden} methods that take longer than ${cost} seconds are hidden; ranks and tests are among all.` : "";
    return start + test + left + costly;
  }

  async function start() {
    parts.tools = ib.make("div", { className: "tools" });
    parts.status = ib.make("p", { className: "answer", id: "status", attributes: { "aria-live": "polite" } });
    parts.more = ib.make("p", { className: "note" });
    parts.table = ib.make("div", { id: "board" });
    parts.search = ib.search("Search methods", () => parts.table.querySelectorAll("tbody tr"));
    try {
      study = await ib.load(id);
      root.replaceChildren(parts.tools, parts.status, parts.more, parts.table);
      await show(ib.address.read());
    } catch (error) {
      root.replaceChildren(ib.make("p", { className: "absent", textContent: error.message }));
    }
  }

  ib.address.listen((wanted) => study && show(wanted));
  start();
})();
