// Vega-Lite specifications: curves, ranks, wins, time. Each takes data that are ready and the width in pixels.
"use strict";

(function () {
  const { looks, style } = window.ironbark.looks;
  const MOST_BANDS = 6; // methods with a band each: more would cover each other

  function tooltip(...fields) {
    return fields.map(([field, title, format]) => ({ field: field, title: title, ...(format ? { format: format } : {}) }));
  }

  // A measure against the rate of the noise: a line and marks for each method, and a band where they are few.
  function curves(points, about, width) {
    const columns = Math.max(1, Math.min(about.panels, Math.floor(width / 300)));
    const scales = looks(about.methods);
    const x = about.ordinal
      ? { field: "x", type: "nominal", sort: null, title: about.x, axis: { labelAngle: -30 } }
      : { field: "x", type: "quantitative", title: about.x, scale: { nice: false, padding: 8 }, axis: { format: "~g", values: [...new Set(points.map((point) => point.x))] } };
    const encoding = {
      x: x,
      color: { field: "method", type: "nominal", scale: scales.color, title: null, sort: null },
      opacity: { condition: { param: "pick", value: 1 }, value: 0.12 },
    };
    const y = { field: "mean", type: "quantitative", title: about.y, scale: { zero: false } };
    const legend = { orient: "bottom", columns: Math.max(1, Math.floor(width / 190)), symbolSize: 90 };
    encoding.color.legend = legend;
    const shown = tooltip(["method", "method"], ["panel", "data set"], ["noise", "noise"], ["mean", about.y, ".4~f"], ["sd", "standard deviation", ".3~f"], ["n", about.counted]);
    const band = { mark: { type: "area" }, encoding: { y: { ...y, field: "low" }, y2: { field: "high" }, opacity: { condition: { param: "pick", value: 0.13 }, value: 0.01 } } };
    const layers = [
      ...(about.methods.length <= MOST_BANDS ? [band] : []),
      {
        params: [{ name: "pick", select: { type: "point", fields: ["method"] }, bind: "legend" }],
        mark: { type: "line", strokeWidth: 1.8 },
        encoding: { y: y, strokeDash: { field: "method", type: "nominal", scale: scales.strokeDash, sort: null, title: null, legend: legend } },
      },
      {
        mark: { type: "point", filled: true, size: 55 },
        encoding: { y: y, shape: { field: "method", type: "nominal", scale: scales.shape, sort: null, title: null, legend: legend }, tooltip: shown },
      },
    ];
    const inner = Math.max(170, Math.floor(width / columns) - 85);
    const spec = { width: inner, height: about.panels > 1 ? 190 : 340, encoding: encoding, layer: layers };
    return {
      data: { values: points },
      facet: { field: "panel", type: "nominal", title: null, sort: null },
      columns: columns,
      spec: spec,
      resolve: { scale: { y: "independent" }, axis: { x: "independent" } },
      spacing: 24,
    };
  }

  // Average ranks with the middle half of the ranks over the settings, where it is known.
  function ranks(ranked, about, width) {
    const y = { field: "label", type: "nominal", sort: null, title: null };
    const x = { type: "quantitative", title: "rank, 1 is best", scale: { domain: [1, Math.max(2, about.count)] } };
    const shown = tooltip(["label", "method"], ["rank", "average rank", ".3~f"], ["low", "first quartile", ".2~f"], ["high", "third quartile", ".2~f"]);
    return {
      data: { values: ranked.map((line) => ({ ...line, low: line.low ?? line.rank, high: line.high ?? line.rank })) },
      width: Math.max(180, width - 240),
      height: { step: 24 },
      encoding: { y: y },
      layer: [
        { mark: { type: "rule", strokeWidth: 5, opacity: 0.3, color: style("--good") }, encoding: { x: { ...x, field: "low" }, x2: { field: "high" } } },
        { mark: { type: "point", filled: true, size: 90, opacity: 1, color: style("--good") }, encoding: { x: { ...x, field: "rank" }, tooltip: shown } },
        { mark: { type: "text", align: "left", dx: 9, fontSize: 11 }, encoding: { x: { ...x, field: "rank" }, text: { field: "rank", format: ".2f" } } },
      ],
    };
  }

  // Percentage of the settings in which the method of a row is better than that of a column.
  function wins(pairs, order) {
    const axis = { type: "nominal", sort: order, title: null };
    const shown = tooltip(["row", "method"], ["won", "better in percent of settings"], ["column", "than"]);
    const size = order.length > 14 ? 28 : 36;
    return {
      data: { values: pairs },
      width: { step: size },
      height: { step: size },
      encoding: { y: { ...axis, field: "row" }, x: { ...axis, field: "column", axis: { orient: "top", labelAngle: -50 } } },
      layer: [
        {
          mark: { type: "rect" },
          encoding: {
            color: { field: "won", type: "quantitative", title: "percent won", scale: { scheme: "blueorange", reverse: true, domain: [0, 100] }, legend: { orient: "bottom" } },
            tooltip: shown,
          },
        },
        {
          mark: { type: "text", fontSize: size > 30 ? 11 : 9 },
          encoding: { text: { field: "won" }, color: { condition: { test: "abs(datum.won - 50) > 32", value: "#ffffff" }, value: "#111111" } },
        },
      ],
    };
  }

  // A measure against CPU time, one mark a method.
  function time(points, about, width) {
    const scales = looks(about.methods);
    const x = { field: "seconds", type: "quantitative", scale: { type: "log", nice: false, padding: 20 }, title: "CPU seconds of fit and tuning, geometric mean", axis: { format: "~g", tickCount: 6 } };
    const y = { field: "mean", type: "quantitative", scale: { zero: false, padding: 12 }, title: about.y };
    const shown = tooltip(["label", "method"], ["mean", about.y, ".4~f"], ["seconds", "CPU seconds", ".3~g"], ["rank", "average rank", ".2~f"]);
    return {
      data: { values: points },
      width: Math.max(220, width - 90),
      height: 380,
      encoding: { x: x, y: y },
      layer: [
        {
          mark: { type: "point", filled: true, size: 110, opacity: 1 },
          encoding: {
            color: { field: "label", type: "nominal", scale: scales.color, legend: null },
            shape: { field: "label", type: "nominal", scale: scales.shape, legend: null },
            tooltip: shown,
          },
        },
        { mark: { type: "text", align: "left", dx: 9, fontSize: 11 }, encoding: { text: { field: "label" } } },
      ],
    };
  }

  window.ironbark = Object.assign(window.ironbark || {}, { charts: { curves, ranks, wins, time, MOST_BANDS } });
})();
