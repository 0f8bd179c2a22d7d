// Tables of the library itables, lists that filter them, and charts of Vega-Lite.
"use strict";

(async () => {
  const { ITable, set_or_remove_dark_class } = await window.itables;
  set_or_remove_dark_class();

  document.querySelectorAll("script[data-table]").forEach((source) => {
    const table = document.getElementById(source.dataset.table);
    const api = new ITable(table, JSON.parse(source.textContent)).dt;
    document.querySelectorAll(`select[data-filters="${table.id}"]`).forEach((list) => {
      const filter = () => api.column(Number(list.dataset.column)).search(list.value, { exact: list.value !== "" }).draw();
      list.addEventListener("input", filter);
      filter();
    });
  });

  for (const source of document.querySelectorAll("script[data-chart]")) {
    const spec = { description: source.dataset.chart, ...JSON.parse(source.textContent) };
    await window.vegaEmbed(source.previousElementSibling, spec, { actions: false, renderer: "svg" });
  }
  document.body.dataset.ready = "yes";
})();
