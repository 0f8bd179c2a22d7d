// Colours, marks and lines of methods, and the look of all charts in light and dark.
"use strict";

(function () {
  // Okabe and Ito's colours without their yellow, and some of Paul Tol's; the second list is for dark grounds.
  const LIGHT = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#B87A00", "#3C97C9", "#000000", "#882255", "#117733", "#7F7F24", "#332288", "#777777", "#AA4499", "#661100"];
  const DARK = ["#4DA9E0", "#F08A4B", "#2FC99B", "#E39CC4", "#E9B44C", "#8FD0F2", "#FFFFFF", "#D77FA6", "#63B77F", "#C6C66A", "#9F93E6", "#AAAAAA", "#D58ACB", "#D98F7C"];
  const SHAPES = ["circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "triangle-right", "triangle-left"];
  const DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [10, 4]];

  function dark() {
    return window.matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function style(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  // Vega-Lite scales of a list of names, by position.
  function looks(names) {
    const colors = dark() ? DARK : LIGHT;
    const pick = (list, lap = 0) => names.map((_, i) => list[(i + lap * Math.floor(i / colors.length)) % list.length]);
    return {
      color: { domain: names, range: pick(colors) },
      shape: { domain: names, range: pick(SHAPES, 3) },
      strokeDash: { domain: names, range: pick(DASHES, 2) },
    };
  }

  function config() {
    const ink = style("--ink");
    const soft = style("--soft");
    const line = style("--line");
    const axis = { labelColor: ink, titleColor: ink, gridColor: line, domainColor: soft, tickColor: soft, labelLimit: 220 };
    return {
      background: null,
      font: "system-ui, sans-serif",
      axis: axis,
      legend: { labelColor: ink, titleColor: ink, labelLimit: 220, symbolStrokeWidth: 2, symbolOpacity: 1, symbolFillColor: "transparent" },
      header: { labelColor: ink, titleColor: ink, labelFontWeight: 600 },
      title: { color: ink },
      view: { stroke: null },
      text: { color: ink },
    };
  }

  window.ironbark = Object.assign(window.ironbark || {}, { looks: { looks, config, style, dark } });
})();
