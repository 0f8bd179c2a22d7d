// Result rows: loaded by script tags, which also work from a folder, and decoded column by column when first used.
"use strict";

(function () {
  const waiting = new Map();
  const loaded = new Map();

  function bytes(text) {
    const raw = atob(text);
    const found = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) found[i] = raw.charCodeAt(i);
    return found.buffer;
  }

  class Study {
    constructor(content) {
      Object.assign(this, content);
      this.decoded = new Map();
      this.codes = {};
      for (const [name, column] of Object.entries(content.ids)) this.codes[name] = new Uint16Array(bytes(column.codes));
      if (content.counts) this.counts = new Uint32Array(bytes(content.counts));
    }

    // Names of an id column: of data sets, tasks, noises or methods that have rows.
    names(column) {
      return this.ids[column].names;
    }

    // Values of a metric; part is "numbers", or "spreads" for standard deviations of cells.
    values(metric, part = "numbers") {
      const key = part + metric;
      if (!this.decoded.has(key)) this.decoded.set(key, new Float32Array(bytes(this[part][metric])));
      return this.decoded.get(key);
    }

    get metrics() {
      const names = Object.keys(this.numbers);
      return names.includes("accuracy") ? [...names, "error"] : names;
    }

    // Ids in the order of the study, of those that have rows.
    ordered(column, order) {
      const there = new Set(this.names(column));
      return Object.keys(order).filter((name) => there.has(name));
    }
  }

  function receive(content) {
    const study = new Study(content);
    loaded.set(content.id, study);
    waiting.get(content.id)?.resolve(study);
  }

  // A promise of the rows of a study.
  function load(id) {
    if (loaded.has(id)) return Promise.resolve(loaded.get(id));
    if (!waiting.has(id)) {
      const entry = {};
      entry.promise = new Promise((resolve, reject) => {
        entry.resolve = resolve;
        const script = document.createElement("script");
        script.src = `${document.body.dataset.root}data/${encodeURIComponent(id)}.js`;
        script.onerror = () => {
          waiting.delete(id);
          reject(new Error(`The rows of ${id} cannot be read. Is the folder "data" complete?`));
        };
        document.head.append(script);
      });
      waiting.set(id, entry);
    }
    return waiting.get(id).promise;
  }

  window.ironbark = Object.assign(window.ironbark || {}, { receive: receive, load: load });
})();
