// From rows to cells (mean and spread of a data set, noise and method) and to ranks. No drawing here.
"use strict";

(function () {
  const TIE = 1e-6; // means are sums of 4-byte numbers: what is closer is equal

  // Cells of a metric of a whole study, kept for the next call.
  function allCells(study, metric) {
    study.cells = study.cells || new Map();
    if (!study.cells.has(metric)) {
      const found = metric === "error" ? derived(study) : study.kind === "cells" ? ready(study, metric) : gathered(study, metric);
      study.cells.set(metric, found);
    }
    return study.cells.get(metric);
  }

  function derived(study) {
    return allCells(study, "accuracy").map((cell) => ({ ...cell, mean: 1 - cell.mean }));
  }

  function named(study, i) {
    const at = (column) => study.names(column)[study.codes[column][i]];
    return { dataset: at("dataset"), task: at("task"), noise: at("noise_id"), method: at("method") };
  }

  function ready(study, metric) {
    const means = study.values(metric);
    const spreads = study.values(metric, "spreads");
    const found = [];
    for (let i = 0; i < study.n; i++) {
      if (!Number.isNaN(means[i])) found.push({ ...named(study, i), mean: means[i], sd: spreads[i], n: study.counts[i] });
    }
    return found;
  }

  // Two passes, so that spreads are exact: sums, then squares of distances.
  function gathered(study, metric) {
    const values = study.values(metric);
    const { dataset, task, noise_id: noise, method } = study.codes;
    const sizes = ["task", "noise_id", "method"].map((name) => study.names(name).length);
    const slots = new Map();
    const cells = [];
    const place = new Int32Array(study.n).fill(-1);
    for (let i = 0; i < study.n; i++) {
      if (Number.isNaN(values[i])) continue;
      const key = ((dataset[i] * sizes[0] + task[i]) * sizes[1] + noise[i]) * sizes[2] + method[i];
      let slot = slots.get(key);
      if (slot === undefined) {
        slot = cells.length;
        slots.set(key, slot);
        cells.push({ ...named(study, i), mean: 0, sd: 0, n: 0 });
      }
      place[i] = slot;
      cells[slot].mean += values[i];
      cells[slot].n += 1;
    }
    for (const cell of cells) cell.mean /= cell.n;
    for (let i = 0; i < study.n; i++) {
      if (place[i] >= 0) cells[place[i]].sd += (values[i] - cells[place[i]].mean) ** 2;
    }
    for (const cell of cells) cell.sd = cell.n > 1 ? Math.sqrt(cell.sd / (cell.n - 1)) : NaN;
    return cells;
  }

  // Cells of the chosen data sets, noises and methods of one task.
  function cells(study, metric, chosen) {
    const wanted = { dataset: new Set(chosen.datasets), noise: new Set(chosen.noises), method: new Set(chosen.methods) };
    return allCells(study, metric).filter(
      (cell) =>
        cell.task === chosen.task &&
        wanted.dataset.has(cell.dataset) &&
        wanted.noise.has(cell.noise) &&
        wanted.method.has(cell.method),
    );
  }

  // Means of all methods in each setting (data set and noise) that all of them have finished.
  function settings(found) {
    const methods = [...new Set(found.map((cell) => cell.method))];
    const groups = new Map();
    for (const cell of found) {
      const key = `${cell.dataset} ${cell.noise}`;
      if (!groups.has(key)) groups.set(key, new Map());
      groups.get(key).set(cell.method, cell.mean);
    }
    const complete = [...groups.entries()].filter(([, group]) => group.size === methods.length);
    const rows = complete.map(([key, group]) => ({ key: key, means: methods.map((method) => group.get(method)) }));
    return { methods: methods, rows: rows, dropped: groups.size - complete.length };
  }

  // Ranks from 1 (best); ties share the mean of their ranks.
  function ranks(means, larger) {
    const order = means.map((_, i) => i).sort((a, b) => (larger ? means[b] - means[a] : means[a] - means[b]));
    const found = new Array(means.length);
    for (let i = 0; i < order.length; ) {
      let end = i + 1;
      while (end < order.length && Math.abs(means[order[end]] - means[order[i]]) < TIE) end++;
      for (let j = i; j < end; j++) found[order[j]] = (i + 1 + end) / 2;
      i = end;
    }
    return found;
  }

  function quantile(sorted, q) {
    const at = (sorted.length - 1) * q;
    const low = Math.floor(at);
    return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
  }

  // Average rank of each method, best first, with the quartiles over the settings.
  function averageRanks(table, larger) {
    const lists = table.methods.map(() => []);
    for (const row of table.rows) ranks(row.means, larger).forEach((rank, i) => lists[i].push(rank));
    return table.methods
      .map((method, i) => {
        const sorted = lists[i].slice().sort((a, b) => a - b);
        const rank = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
        return { method: method, rank: rank, low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
      })
      .sort((a, b) => a.rank - b.rank);
  }

  // Nemenyi's critical difference at the level 0.05; NaN for more methods than its values are known for.
  function criticalDifference(methods, settingCount) {
    const q = window.ironbark.critical[methods - 2] ?? NaN;
    return q * Math.sqrt((methods * (methods + 1)) / (6 * settingCount));
  }

  // Largest sets of neighbours in rank that span no more than the critical difference.
  function groups(ranked, difference) {
    const found = [];
    let reached = 0;
    ranked.forEach((first, i) => {
      let end = i;
      while (end < ranked.length && ranked[end].rank <= first.rank + difference) end++;
      if (end - i > 1 && end > reached) {
        found.push([i, end - 1]);
        reached = end;
      }
    });
    return found;
  }

  // How often the first method of a pair is better, as good and worse.
  function wins(table, larger) {
    const found = [];
    table.methods.forEach((a, i) => {
      table.methods.forEach((b, j) => {
        if (i === j) return;
        let won = 0;
        let tied = 0;
        for (const { means } of table.rows) {
          const ahead = larger ? means[i] - means[j] : means[j] - means[i];
          if (Math.abs(ahead) < TIE) tied++;
          else if (ahead > 0) won++;
        }
        found.push({ method: a, other: b, won: won, tied: tied, lost: table.rows.length - won - tied });
      });
    });
    return found;
  }

  const stats = { cells, settings, ranks, averageRanks, criticalDifference, groups, wins };
  window.ironbark = Object.assign(window.ironbark || {}, { stats: stats });
})();
