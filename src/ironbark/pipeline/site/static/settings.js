// The table of one data set and noise: all methods with the test of the best one against each.
"use strict";

(function () {
  const ib = window.ironbark;
  const LEVEL = 0.05;
  const TESTS = {
    paired: "paired t-test",
    corrected: "corrected paired t-test (Nadeau and Bengio)",
    "trial-means": "paired t-test of the means over sizes",
  };

  // Returns {table, summary}; `about` has study, task, metric, dataset, noise, and shown, a test of a method and its seconds.
  async function setting(about) {
    const { study, task, metric, dataset, noise } = about;
    const [grid, costs] = await Promise.all([ib.grid(study.id, task, metric), ib.grid(study.id, task, "seconds")]);
    const sign = ib.metrics[metric].larger_is_better ? -1 : 1;
    const cells = grid.cells(dataset, noise).sort((a, b) => sign * (a.mean - b.mean));
    const best = grid.reference(dataset, noise);
    const lines = cells.map((cell, i) => ({ ...cell, place: i + 1, seconds: costs.cell(dataset, noise, cell.method)?.mean }));
    const shown = lines.filter((line) => about.shown === undefined || about.shown(line.method, line.seconds));
    return { table: draw(study, metric, best, shown), summary: summary(about, best, cells), lines: shown };
  }

  function draw(study, metric, best, lines) {
    const columns = [
      { head: "method" }, { head: "place" }, { head: ib.unit(metric), title: "mean ± standard deviation of the runs" }, { head: "runs" },
      { head: "behind the best", title: "mean difference on the same runs" },
      { head: "p-value", title: "of the test against the best, for this pair alone" },
      { head: "p (Holm)", title: "adjusted for the number of methods" },
      { head: "worse?", title: "significant at the level 0.05 after adjustment" },
      { head: "CPU seconds", title: "of a fit with its tuning" },
    ];
    const rows = lines.map((line) => {
      const first = line.method === best;
      const worse = first ? "best" : !ib.known(line.p_holm) ? "–" : line.p_holm < LEVEL ? "yes" : "no";
      return [
        { text: study.methods[line.method], href: `${document.body.dataset.root}method/${line.method}.html` },
        line.place,
        { text: ib.spread(line.mean, line.sd, metric), sort: line.mean },
        line.n,
        { text: first ? "–" : ib.number(Math.abs(line.difference), metric), sort: first ? 0 : Math.abs(line.difference) },
        { text: ib.pValue(line.p), sort: line.p },
        { text: ib.pValue(line.p_holm), sort: line.p_holm },
        { text: worse, className: worse === "yes" ? "bad" : "" },
        { text: ib.number(line.seconds, "seconds"), sort: line.seconds },
      ].map((cell) => (typeof cell === "number" ? String(cell) : cell));
    });
    return ib.table("Methods", columns, rows);
  }

  // The answer in words: which method is best, and whether it is better than the others.
  function summary({ study, task, metric, dataset, noise }, best, cells) {
    const top = cells.find((cell) => cell.method === best);
    const where = `${study.datasets[dataset]}, ${study.noises[noise].name}`;
    const others = cells.filter((cell) => cell.method !== best && ib.known(cell.p_holm));
    const start = `${where}: ${study.methods[best]} is best, ${ib.spread(top.mean, top.sd, metric)}${ib.metrics[metric].unit === "percent" ? " %" : ""}.`;
    if (others.length === 0) return `${start} No test: it needs two methods with two runs.`;
    const beaten = others.filter((cell) => cell.p_holm < LEVEL).length;
    const test = `${TESTS[study.tasks[task].test]} over ${ib.runs(top.runs)}, Holm's adjustment for ${others.length} methods, level 0.05`;
    return `${start} It is significantly better than ${beaten} of the ${others.length} other methods (${test}).`;
  }

  Object.assign(ib, { setting });
})();
