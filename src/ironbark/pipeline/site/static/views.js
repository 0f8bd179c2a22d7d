// From aggregates and a choice to a chart and a sentence about it. A view returns {spec, summary, records} or {message}.
"use strict";

(function () {
  const ib = window.ironbark;
  const { charts, differences, looks } = ib;
  const MOST_PANELS = 12;
  const TOGETHER = "mean"; // in place of a data set: the mean over all

  const factor = (metric) => ib.metrics[metric].factor;

  // Noises of one kind with clean labels as rate 0, and their places on an axis, of numbers where each has a single rate.
  function axis(study, task, kind) {
    const line = study.tasks[task].noises.filter((id) => [kind, "clean"].includes(study.noises[id].kind));
    const numeric = line.length > 1 && line.every((id) => typeof study.noises[id].x === "number");
    return { noises: line, ordinal: !numeric, x: (id) => (numeric ? study.noises[id].x : study.noises[id].name) };
  }

  async function curves(study, chosen, width) {
    const { task, metric } = chosen;
    const { noises, ordinal, x } = axis(study, task, chosen.line);
    const together = chosen.dataset === TOGETHER;
    const found = together ? await means(study, chosen, noises) : await single(study, chosen, noises);
    const sets = [...new Set(found.map((cell) => cell.panel))];
    const shown = new Set(sets.slice(0, MOST_PANELS));
    const points = found.filter((cell) => shown.has(cell.panel)).map((cell) => {
      const [mean, sd] = [factor(metric) * cell.mean, factor(metric) * (cell.sd ?? 0)];
      return { ...cell, method: study.methods[cell.method], noise: study.noises[cell.noise].name, x: x(cell.noise), mean: mean, sd: sd, low: mean - 2 * sd, high: mean + 2 * sd };
    });
    const options = { methods: chosen.methods.map((id) => study.methods[id]), ordinal: ordinal, x: ordinal ? `noise (${chosen.line})` : `rate of the noise (${chosen.line})`, y: ib.unit(metric), panels: shown.size, counted: together ? "data sets" : "runs" };
    const cut = sets.length > shown.size ? ` Only the first ${MOST_PANELS} of ${sets.length} data sets are drawn; choose one, or their mean.` : "";
    const band = !together && chosen.methods.length <= charts.MOST_BANDS ? " Bands: two standard deviations over the runs." : "";
    return { spec: charts.curves(points, options, width), records: found, summary: `${points.length} points.${band} A click in the legend singles out a method.${cut}` };
  }

  async function single(study, { task, metric, methods, datasets }, noises) {
    const grid = await ib.grid(study.id, task, metric);
    const cells = datasets.filter((id) => grid.at.datasets.has(id)).flatMap((dataset) => noises.filter((id) => grid.at.noises.has(id)).flatMap((noise) => methods.filter((id) => grid.at.methods.has(id)).map((method) => grid.cell(dataset, noise, method))));
    return cells.filter(Boolean).map((cell) => ({ ...cell, panel: study.datasets[cell.dataset] }));
  }

  // Means over the data sets, from the boards of single noises.
  async function means(study, { task, metric, methods }, noises) {
    if (!study.tasks[task].ranked.includes(metric)) return [];
    const board = await ib.boards(study.id, task, metric);
    return noises.flatMap((noise) => {
      const { kind, rate } = study.noises[noise];
      const found = board(`*|${kind}|${rate}`);
      if (!found) return [];
      const cells = found.methods.map((method, i) => ({ noise: noise, method: method, mean: found.mean[i], n: found.datasets, panel: `mean over ${found.datasets} data sets` }));
      return cells.filter((cell) => methods.includes(cell.method));
    });
  }

  // The board that the views of ranks share, with lines of the chosen methods.
  async function ranked(study, chosen) {
    const { task, metric, among } = chosen;
    if (!study.tasks[task].ranked.includes(metric)) return { message: "Methods are ranked by measures of quality only. Choose another measure." };
    const dataset = chosen.dataset === TOGETHER ? "*" : chosen.dataset;
    const board = (await ib.boards(study.id, task, metric))(among ? `figure:${among}` : `${dataset}|${chosen.kind}|${chosen.rate}`);
    if (!board) return { message: "Ranks need two methods and two settings (data set and noise) that all methods have finished. Choose more noises, or all data sets." };
    const wanted = new Set(chosen.methods);
    const lines = board.methods.map((method, i) => ({ method: method, label: study.methods[method], rank: board.rank[i], low: board.low?.[i], high: board.high?.[i], mean: factor(metric) * board.mean[i], seconds: board.seconds[i], place: i }));
    const shown = lines.filter((line) => wanted.has(line.method));
    if (shown.length === 0) return { message: "None of the chosen methods is ranked here." };
    const hidden = lines.length > shown.length ? ` ${lines.length - shown.length} are not shown.` : "";
    const left = board.dropped ? ` ${board.dropped} settings are left out, since a method has no finished fit there.` : "";
    const sets = board.datasets === 1 ? "1 data set" : `${board.datasets} data sets`;
    const words = `${lines.length} methods over ${board.settings} settings of ${sets}.${hidden} Best average rank: ${lines[0].label}, ${lines[0].rank.toFixed(2)}; then ${lines[1].label}, ${lines[1].rank.toFixed(2)}.${left}`;
    return { board: board, lines: lines, shown: shown, summary: words };
  }

  async function ranks(study, chosen, width) {
    const base = await ranked(study, chosen);
    if (base.message) return base;
    const bars = base.board.low ? " Bars: the middle half of the ranks." : "";
    return { spec: charts.ranks(base.shown, { count: base.lines.length }, width), records: base.shown, summary: base.summary + bars };
  }

  async function difference(study, chosen, width) {
    const base = await ranked(study, chosen);
    if (base.message) return base;
    if (!base.board.groups) return { message: "The critical difference is shown for all data sets only." };
    const spec = differences.diagram(base.lines, base.board.difference, base.board.groups, width);
    const words = `Nemenyi's critical difference at the level 0.05 is ${base.board.difference.toFixed(2)}; the test does not separate methods under one bar.`;
    return { spec: spec, records: base.lines, summary: `${base.summary} ${words}` };
  }

  async function wins(study, chosen, width) {
    const base = await ranked(study, chosen);
    if (base.message) return base;
    if (!base.board.wins) return { message: "Wins are counted for all data sets and the main measure only." };
    const pairs = base.shown.flatMap((row) => base.shown.filter((column) => column !== row).map((column) => ({ row: row.label, column: column.label, won: base.board.wins[row.place][column.place] })));
    const spec = charts.wins(pairs, base.shown.map((line) => line.label), width);
    return { spec: spec, records: pairs, summary: `${base.summary} Numbers: percentage of the settings in which the method of the row is better than that of the column; a tie is half a win, and each data set counts once.` };
  }

  async function time(study, chosen, width) {
    const base = await ranked(study, chosen);
    if (base.message) return base;
    const sorted = base.shown.slice().sort((a, b) => a.seconds - b.seconds);
    const words = ` Cheapest: ${sorted[0].label}, ${sorted[0].seconds.toPrecision(2)} s; most expensive: ${sorted.at(-1).label}, ${sorted.at(-1).seconds.toPrecision(2)} s.`;
    return { spec: charts.time(base.shown, { methods: base.shown.map((line) => line.label), y: ib.unit(chosen.metric) }, width), records: base.shown, summary: base.summary + words };
  }

  async function numbers(study, chosen) {
    const fits = (id) => (chosen.kind === "*" || study.noises[id].kind === chosen.kind) && (chosen.rate === "*" || study.noises[id].rate === chosen.rate);
    const found = await single(study, chosen, study.tasks[chosen.task].noises.filter(fits));
    return { records: found, summary: `${found.length} cells: mean and standard deviation over the runs; p-values of the best method against each.` };
  }

  const views = { curves, ranks, difference, wins, time, numbers };

  // Draw a view into an element; a promise of what was drawn.
  async function draw(element, study, chosen) {
    const width = Math.max(280, element.clientWidth);
    const result = chosen.methods.length === 0 ? { message: "No methods are chosen." } : await views[chosen.view](study, chosen, width);
    if (!result.message && result.records.length === 0) result.message = "No finished fit has this measure for what is chosen.";
    if (element.asked !== undefined && element.asked !== chosen) return result;
    element.ironbarkView?.finalize();
    element.ironbarkView = null;
    element.replaceChildren();
    if (result.message || !result.spec) return result;
    const description = `${result.summary} The tab "Numbers" has the same as a table.`;
    const spec = { $schema: "https://vega.github.io/schema/vega-lite/v6.json", description: description, ...result.spec };
    const inner = document.createElement("div");
    element.append(inner);
    element.ironbarkView = await window.vegaEmbed(inner, spec, { actions: false, renderer: "svg", config: looks.config() });
    return result;
  }

  // A choice completed by what a study has, so that any address and any figure makes a drawing.
  function complete(study, wanted) {
    const pick = (value, values, other = values[0]) => (values.includes(value) ? value : other);
    const figure = study.figures[wanted.among];
    const task = pick(wanted.task ?? figure?.task, Object.keys(study.tasks));
    const about = study.tasks[task];
    const noises = about.noises.map((id) => study.noises[id]);
    const chosen = { view: pick(wanted.view, Object.keys(views)), task: task, metric: pick(wanted.metric, about.metrics, pick("accuracy", about.metrics)) };
    chosen.among = figure?.task === task && figure.metric === chosen.metric ? wanted.among : "";
    chosen.dataset = about.datasets.length === 1 ? "*" : pick(wanted.dataset, [TOGETHER, ...about.datasets], "*");
    chosen.datasets = about.datasets.filter((id) => (about.datasets.includes(chosen.dataset) ? id === chosen.dataset : !wanted.datasets || wanted.datasets.includes(id)));
    const lines = [...new Set(noises.map((noise) => noise.kind).filter((kind) => kind !== "clean"))];
    chosen.lines = lines.length ? lines : ["clean"];
    chosen.line = pick(wanted.line, chosen.lines);
    chosen.kinds = [...new Set(noises.map((noise) => noise.kind))];
    chosen.kind = pick(wanted.kind, chosen.kinds, "*");
    chosen.rates = [...new Set(noises.filter((noise) => chosen.kind === "*" || noise.kind === chosen.kind).map((noise) => noise.rate))];
    chosen.rate = pick(wanted.rate, chosen.rates, "*");
    chosen.methods = about.methods.filter((id) => !wanted.methods || wanted.methods.includes(id));
    return chosen;
  }

  const VIEWS = { curves: "Curves", ranks: "Ranks", difference: "Critical difference", wins: "Wins", time: "Accuracy and time", numbers: "Numbers" };
  Object.assign(ib, { draw, complete, VIEWS });
})();
