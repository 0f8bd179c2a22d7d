// Aggregates of a study: loaded by script tags, which also work from a folder, when they are first asked for.
"use strict";

(function () {
  const ib = window.ironbark;
  const waiting = new Map();
  const loaded = new Map();

  // Called by a script of data; the text is JSON, compressed by gzip, in base64.
  function receive(place, text) {
    loaded.set(place, unpacked(text));
    waiting.get(place)?.resolve(loaded.get(place));
  }

  function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  }

  // A promise of the content of a script below the folder of data.
  function load(place) {
    if (loaded.has(place)) return loaded.get(place);
    if (!waiting.has(place)) {
      const entry = {};
      entry.promise = new Promise((resolve, reject) => {
        entry.resolve = resolve;
        const script = document.createElement("script");
        script.src = `${document.body.dataset.root}data/${place.split("/").map(encodeURIComponent).join("/")}.js`;
        script.onerror = () => {
          waiting.delete(place);
          reject(new Error(`The results ${place} cannot be read. Is the folder "data" complete?`));
        };
        document.head.append(script);
      });
      waiting.set(place, entry);
    }
    return waiting.get(place).promise;
  }

  // Means, spreads and tests of one metric, by data set, noise and method.
  class Grid {
    constructor(content) {
      Object.assign(this, content);
      const places = (ids) => new Map(ids.map((id, i) => [id, i]));
      this.at = { datasets: places(content.datasets), noises: places(content.noises), methods: places(content.methods) };
    }

    setting(dataset, noise) {
      return this.at.datasets.get(dataset) * this.noises.length + this.at.noises.get(noise);
    }

    // The cell of a data set, noise and method; undefined without a value.
    cell(dataset, noise, method) {
      const i = this.setting(dataset, noise) * this.methods.length + this.at.methods.get(method);
      if (!ib.known(this.mean[i])) return undefined;
      const found = { dataset: dataset, noise: noise, method: method };
      for (const name of ["mean", "sd", "n", "difference", "runs", "p", "p_holm"]) found[name] = Array.isArray(this[name]) ? this[name][i] : this[name];
      return found;
    }

    // Cells of a setting in the order of the study.
    cells(dataset, noise) {
      return this.methods.map((method) => this.cell(dataset, noise, method)).filter(Boolean);
    }

    // The method that the tests of a setting compare with the others.
    reference(dataset, noise) {
      return this.methods[this.best[this.setting(dataset, noise)]];
    }
  }

  async function grid(study, task, metric) {
    const content = await load(`${study}/${task}-${metric}-cells`);
    return content.grid || (content.grid = new Grid(content));
  }

  // Leaderboards of one metric: a function from "data set|kind|rate" or "figure:id" to a board with ids of methods.
  async function boards(study, task, metric) {
    const content = await load(`${study}/${task}-${metric}-boards`);
    return (key) => {
      const found = content.boards[content.places[key]];
      return found && { ...found, methods: found.methods.map((i) => content.methods[i]) };
    };
  }

  Object.assign(ib, { receive, load, grid, boards });
})();
