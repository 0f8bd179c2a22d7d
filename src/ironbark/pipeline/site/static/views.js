// From rows and a choice to a chart and a sentence about it. A view returns {spec, summary, cells} or {message}.
"use strict";

(function () {
  const { stats, charts, differences, looks } = window.ironbark;
  const MOST_PANELS = 12;

  function about(metric) {
    return window.ironbark.metrics[metric];
  }

  function axisTitle(metric) {
    const { name, unit } = about(metric);
    return unit ? `${name} (${unit === "percent" ? "%" : unit})` : name;
  }

  function label(study, method) {
    return study.methods[method] || method;
  }

  // Labels in the order of the study; a label that two methods share gets their ids.
  function labels(study, methods) {
    const names = methods.map((method) => label(study, method));
    const twice = new Set(names.filter((name, i) => names.indexOf(name) !== i));
    return new Map(methods.map((method, i) => [method, twice.has(names[i]) ? `${names[i]} (${method})` : names[i]]));
  }

  // Noises of one model with clean as rate 0, on an axis of numbers where each has a single rate.
  function axis(study, chosen) {
    const line = chosen.noises.filter((id) => [chosen.line, "clean"].includes(study.noises[id].model));
    const rates = line.map((id) => study.noises[id].rate);
    const numeric = rates.every((rate) => typeof rate === "number");
    return { noises: line, ordinal: !numeric || line.length < 2, x: (id) => (numeric && line.length > 1 ? study.noises[id].rate : study.noises[id].label) };
  }

  function curves(study, chosen, width) {
    const { noises, ordinal, x } = axis(study, chosen);
    const found = stats.cells(study, chosen.metric, { ...chosen, noises: noises });
    const factor = about(chosen.metric).factor;
    const names = labels(study, chosen.methods);
    const pooled = chosen.panels === "mean";
    const groups = pooled ? pool(found) : found;
    const sets = pooled ? [""] : chosen.datasets.filter((id) => found.some((cell) => cell.dataset === id));
    const shown = sets.slice(0, MOST_PANELS);
    const points = groups
      .filter((cell) => pooled || shown.includes(cell.dataset))
      .map((cell) => {
        const mean = factor * cell.mean;
        const sd = Number.isNaN(cell.sd) ? 0 : factor * cell.sd;
        const panel = pooled ? `mean over ${cell.sets} data sets` : study.datasets[cell.dataset];
        return { method: names.get(cell.method), panel: panel, noise: cell.noise, x: x(cell.noise), order: noises.indexOf(cell.noise), mean: mean, sd: sd, low: mean - 2 * sd, high: mean + 2 * sd, n: cell.n };
      })
      .sort((a, b) => a.order - b.order);
    const model = chosen.line.replace(/_/g, " ");
    const options = { methods: [...names.values()], ordinal: ordinal, x: ordinal ? `noise (${model})` : `rate of the noise (${model})`, y: axisTitle(chosen.metric), panels: new Set(points.map((point) => point.panel)).size, counted: pooled ? "data sets" : "fits" };
    const cut = sets.length > shown.length ? ` Only the first ${MOST_PANELS} of ${sets.length} data sets are drawn; choose fewer, or their mean.` : "";
    const band = pooled ? "Bands: two standard deviations of the mean of independent data sets." : "Bands: two standard deviations over the fits.";
    return { spec: charts.curves(points, options, width), cells: found, summary: `${points.length} points. ${band} A click in the legend singles out a method.${cut}` };
  }

  // Means over the data sets that every method has, so that lines are comparable.
  function pool(found) {
    const groups = new Map();
    const methods = new Set(found.map((cell) => cell.method));
    const counts = new Map();
    for (const cell of found) {
      const key = `${cell.dataset} ${cell.noise}`;
      counts.set(key, (counts.get(key) || 0) + 1);
    }
    for (const cell of found) {
      if (counts.get(`${cell.dataset} ${cell.noise}`) < methods.size) continue;
      const key = `${cell.method} ${cell.noise}`;
      if (!groups.has(key)) groups.set(key, { method: cell.method, noise: cell.noise, mean: 0, square: 0, sets: 0 });
      const group = groups.get(key);
      group.mean += cell.mean;
      group.square += Number.isNaN(cell.sd) ? 0 : cell.sd ** 2;
      group.sets += 1;
    }
    return [...groups.values()].map((group) => ({ ...group, mean: group.mean / group.sets, sd: Math.sqrt(group.square) / group.sets, n: group.sets }));
  }

  // What the three views of ranks share.
  function ranked(study, chosen) {
    const found = stats.cells(study, chosen.metric, chosen);
    const table = stats.settings(found);
    if (table.methods.length < 2 || table.rows.length === 0) return { message: "Ranks need two methods and a setting (data set and noise) that all of them have finished. Choose fewer methods, or others." };
    const larger = about(chosen.metric).larger_is_better;
    const names = labels(study, chosen.methods);
    const order = stats.averageRanks(table, larger).map((entry) => ({ ...entry, label: names.get(entry.method) }));
    const left = table.dropped ? ` ${table.dropped} settings are left out, since a method has no finished fit there.` : "";
    const best = `${table.methods.length} methods over ${table.rows.length} settings of data set and noise. Best average rank: ${order[0].label}, ${order[0].rank.toFixed(2)}; then ${order[1].label}, ${order[1].rank.toFixed(2)}.`;
    return { found, table, larger, names, order, summary: best + left };
  }

  function ranks(study, chosen, width) {
    const base = ranked(study, chosen);
    if (base.message) return base;
    const spec = charts.ranks(base.order, { count: base.order.length }, width);
    return { spec: spec, cells: base.found, summary: `${base.summary} Bars: the middle half of the ranks.` };
  }

  function difference(study, chosen, width) {
    const base = ranked(study, chosen);
    if (base.message) return base;
    const critical = stats.criticalDifference(base.order.length, base.table.rows.length);
    if (Number.isNaN(critical)) return { message: `The critical difference is known for up to ${window.ironbark.critical.length + 1} methods; choose fewer.` };
    const bars = stats.groups(base.order, critical);
    const spec = differences.diagram(base.order, critical, bars, width);
    const words = `Nemenyi's critical difference at the level 0.05 is ${critical.toFixed(2)}; methods under one bar are not told apart.`;
    return { spec: spec, cells: base.found, summary: `${base.summary} ${words}` };
  }

  function wins(study, chosen, width) {
    const base = ranked(study, chosen);
    if (base.message) return base;
    const pairs = stats.wins(base.table, base.larger).map((pair) => ({
      ...pair, row: base.names.get(pair.method), column: base.names.get(pair.other), share: (pair.won + pair.tied / 2) / base.table.rows.length,
    }));
    const spec = charts.wins(pairs, base.order.map((entry) => entry.label), width);
    return { spec: spec, cells: base.found, summary: `${base.summary} Numbers: in how many settings the method of the row is better than that of the column.` };
  }

  function time(study, chosen, width) {
    const found = stats.cells(study, chosen.metric, chosen);
    const seconds = new Map();
    for (const name of ["fit_seconds", "tune_seconds"].filter((name) => study.metrics.includes(name))) {
      for (const cell of stats.cells(study, name, chosen)) {
        const key = `${cell.dataset} ${cell.noise} ${cell.method}`;
        seconds.set(key, (seconds.get(key) || 0) + cell.mean);
      }
    }
    const table = stats.settings(found);
    if (table.rows.length === 0) return { message: "No setting has been finished by all the methods that are chosen. Choose fewer methods." };
    const names = labels(study, chosen.methods);
    const factor = about(chosen.metric).factor;
    const points = table.methods.map((method, i) => {
      const logs = table.rows.map(({ key }) => Math.log(Math.max(seconds.get(`${key} ${method}`) ?? NaN, 1e-4)));
      const mean = table.rows.reduce((sum, row) => sum + row.means[i], 0) / table.rows.length;
      return { label: names.get(method), mean: factor * mean, seconds: Math.exp(logs.reduce((a, b) => a + b, 0) / logs.length), settings: table.rows.length };
    });
    if (points.some((point) => Number.isNaN(point.seconds))) return { message: "These rows have no CPU times." };
    const sorted = points.slice().sort((a, b) => a.seconds - b.seconds);
    const spec = charts.time(points, { methods: [...names.values()], y: axisTitle(chosen.metric) }, width);
    const words = `${points.length} methods, means over ${table.rows.length} settings. Cheapest: ${sorted[0].label}, ${sorted[0].seconds.toPrecision(2)} s; dearest: ${sorted.at(-1).label}, ${sorted.at(-1).seconds.toPrecision(2)} s.`;
    return { spec: spec, cells: found, summary: words };
  }

  function numbers(study, chosen) {
    const found = stats.cells(study, chosen.metric, chosen);
    return { cells: found, summary: `${found.length} cells: mean and standard deviation over the fits.` };
  }

  const views = { curves, ranks, difference, wins, time, numbers };

  // Draw a view into an element; a promise of what was drawn.
  async function draw(element, study, chosen) {
    element.ironbarkView?.finalize();
    element.ironbarkView = null;
    const width = Math.max(280, element.clientWidth);
    const empty = ["datasets", "noises", "methods"].find((key) => chosen[key].length === 0);
    const result = empty ? { message: `No ${{ datasets: "data sets", noises: "noises", methods: "methods" }[empty]} are chosen.` } : views[chosen.view](study, chosen, width);
    if (!result.message && result.cells.length === 0) result.message = "No finished fit has this measure for what is chosen.";
    element.replaceChildren();
    if (result.message || !result.spec) return result;
    const description = `${result.summary} The tab "Numbers" has the same as a table.`;
    const spec = { $schema: "https://vega.github.io/schema/vega-lite/v6.json", description: description, ...result.spec };
    const inner = document.createElement("div");
    element.append(inner);
    const embedded = await window.vegaEmbed(inner, spec, { actions: false, renderer: "svg", config: looks.config() });
    element.ironbarkView = embedded;
    return result;
  }

  // A choice completed by what a study has, so that any address and any figure makes a drawing.
  function complete(study, wanted) {
    const tasks = study.names("task");
    const task = tasks.includes(wanted.task) ? wanted.task : tasks[0];
    const metric = study.metrics.includes(wanted.metric) ? wanted.metric : "accuracy";
    const here = present(study, task);
    const kept = (key, column, order) => {
      const there = study.ordered(column, order).filter((id) => here[column].has(id));
      return wanted[key] === undefined ? there : there.filter((id) => wanted[key].includes(id));
    };
    const chosen = { view: views[wanted.view] ? wanted.view : "curves", task: task, metric: metric };
    chosen.datasets = kept("datasets", "dataset", study.datasets);
    chosen.noises = kept("noises", "noise_id", study.noises);
    chosen.methods = kept("methods", "method", study.methods);
    const lines = [...new Set(chosen.noises.map((id) => study.noises[id].model).filter((model) => model !== "clean"))];
    chosen.lines = lines.length ? lines : ["clean"];
    chosen.line = chosen.lines.includes(wanted.line) ? wanted.line : chosen.lines[0];
    chosen.panels = wanted.panels === "mean" ? "mean" : "each";
    return chosen;
  }

  // Ids that have rows of a task.
  function present(study, task) {
    study.present = study.present || new Map();
    if (!study.present.has(task)) {
      const found = { dataset: new Set(), noise_id: new Set(), method: new Set() };
      const code = study.names("task").indexOf(task);
      const columns = Object.keys(found);
      const seen = columns.map((name) => new Uint8Array(study.names(name).length));
      for (let i = 0; i < study.n; i++) {
        if (study.codes.task[i] === code) columns.forEach((name, j) => (seen[j][study.codes[name][i]] = 1));
      }
      columns.forEach((name, j) => study.names(name).forEach((id, i) => seen[j][i] && found[name].add(id)));
      study.present.set(task, found);
    }
    return study.present.get(task);
  }

  // The text of an address as a choice, and back.
  function parse(text) {
    const lists = new Set(["datasets", "noises", "methods"]);
    return Object.fromEntries([...new URLSearchParams(text)].map(([key, value]) => [key, lists.has(key) ? value.split(",").filter(Boolean) : value]));
  }

  const VIEWS = { curves: "Curves", ranks: "Ranks", difference: "Critical difference", wins: "Wins", time: "Accuracy and time", numbers: "Numbers" };
  window.ironbark = Object.assign(window.ironbark, { draw, complete, present, parse, axisTitle, labels, VIEWS });
})();
