// The critical-difference diagram: average ranks on an axis, methods that Nemenyi's test cannot tell apart joined.
"use strict";

(function () {
  const STEP = 22; // pixels between two labels
  const BAR = 9; // pixels between two bars
  const LEAST = 560; // pixels: narrower screens scroll
  const SIDE = 0.33; // share of the width on each side for the labels

  function position(ranked, bars) {
    const left = Math.ceil(ranked.length / 2);
    const below = 16 + BAR * bars.length;
    return ranked.map((entry, i) => {
      const onLeft = i < left;
      return { ...entry, side: onLeft ? "left" : "right", depth: below + STEP * (0.6 + (onLeft ? i : ranked.length - 1 - i)) };
    });
  }

  function diagram(ranked, difference, bars, width) {
    const { style } = window.ironbark.looks;
    const count = ranked.length;
    const pad = ((count - 1) * SIDE) / (1 - 2 * SIDE);
    const placed = position(ranked, bars);
    const edge = { left: 1 - 0.04 * pad, right: count + 0.04 * pad };
    const full = Math.max(LEAST, width - 20);
    const height = Math.max(...placed.map((entry) => entry.depth)) + 20;
    const x = { type: "quantitative", scale: { domain: [1 - pad, count + pad], nice: false }, axis: null };
    const y = { type: "quantitative", scale: { domain: [-50, height], reverse: true, nice: false }, axis: null };
    const at = (field, channel = x) => ({ ...channel, field: field });
    const rule = (values, options) => ({
      data: { values: values },
      mark: { type: "rule", ...options },
      encoding: { x: at("x"), x2: { field: "x2" }, y: at("y", y), y2: { field: "y2" } },
    });
    const text = (values, options) => ({
      data: { values: values },
      mark: { type: "text", ...options },
      encoding: { x: at("x"), y: at("y", y), text: { field: "text" } },
    });
    const stems = placed.flatMap((entry) => [
      { x: entry.rank, x2: entry.rank, y: 0, y2: entry.depth },
      { x: entry.rank, x2: edge[entry.side], y: entry.depth, y2: entry.depth },
    ]);
    const ticks = ranked.map((_, i) => ({ x: i + 1, x2: i + 1, y: 0, y2: -6 }));
    const labels = (side) => placed.filter((entry) => entry.side === side).map((entry) => ({
      x: edge[side], y: entry.depth, text: side === "left" ? `${entry.label}  ${entry.rank.toFixed(2)}` : `${entry.rank.toFixed(2)}  ${entry.label}`,
    }));
    const joined = bars.map(([first, last], i) => ({
      x: ranked[first].rank - 0.012 * (count - 1), x2: ranked[last].rank + 0.012 * (count - 1), y: 14 + BAR * i, y2: 14 + BAR * i,
    }));
    const ink = style("--ink");
    const soft = style("--soft");
    const wide = difference >= count - 1;
    const words = `CD = ${difference.toFixed(2)}${wide ? ", wider than the axis" : ""}`;
    const layers = [
      rule([{ x: 1, x2: count, y: 0, y2: 0 }, ...ticks], { color: ink }),
      text(ranked.map((_, i) => ({ x: i + 1, y: -14, text: String(i + 1) })), { fontSize: 10 }),
      rule(stems, { color: soft }),
      rule(joined, { color: ink, strokeWidth: 4 }),
      text(labels("left"), { align: "right", dx: -4, fontSize: 12 }),
      text(labels("right"), { align: "left", dx: 4, fontSize: 12 }),
      text([{ x: wide ? (1 + count) / 2 : 1 + difference / 2, y: -42, text: words }], { fontSize: 11 }),
    ];
    if (!wide) layers.push(rule([{ x: 1, x2: 1 + difference, y: -30, y2: -30 }], { color: ink, strokeWidth: 2 }));
    return { width: full, height: height + 50, layer: layers };
  }

  window.ironbark = Object.assign(window.ironbark || {}, { differences: { diagram } });
})();
