/** Small plots in SVG: bars that stand, bars that lie, and a ring. */

import { html, svg } from "./dom.js";

const TEXT = 13;

/** Standing bars over whole numbers, gaps included; `parts` of one bar lie on each other. */
export function columns(counts, { label, classes = ["fill"], every = 1 }) {
  const keys = [...counts.keys()];
  const [first, last] = [Math.min(...keys), Math.max(...keys)];
  const most = Math.max(...[...counts.values()].map((parts) => parts.reduce((sum, part) => sum + part, 0)), 1);
  const [width, height] = [Math.max(200, (last - first + 1) * 30), 110];
  const step = width / (last - first + 1);
  const drawn = [];
  for (let key = first; key <= last; key += 1) {
    const parts = counts.get(key) ?? [];
    const x = (key - first) * step;
    let y = height;
    parts.forEach((part, index) => {
      const tall = (part / most) * (height - 20);
      y -= tall;
      if (part) drawn.push(svg(`rect.${classes[index]}`, { x: x + step * 0.14, y, width: step * 0.72, height: tall, rx: 2 }));
    });
    const sum = parts.reduce((total, part) => total + part, 0);
    if (sum) drawn.push(svg("text.plot-count", { x: x + step / 2, y: y - 5, "font-size": TEXT }, String(sum)));
    if ((key - first) % every === 0) drawn.push(svg("text.plot-key", { x: x + step / 2, y: height + 16, "font-size": TEXT }, String(key)));
  }
  return svg("svg.plot", { viewBox: `0 0 ${width} ${height + 22}`, role: "img", "aria-label": label }, svg("path.plot-line", { d: `M0 ${height + 0.5}H${width}` }), ...drawn);
}

/** Lying bars, each with its name and number. */
export function bars(rows) {
  const most = Math.max(...rows.map(({ count }) => count), 1);
  return html("ul.bars", {}, ...rows.map(({ text, count, kind = "fill" }) => html("li", {},
    html("span.bar-name", {}, text), html("span.number", {}, String(count)),
    svg("svg.bar-line", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect.meter-ground", { width: 100, height: 8, rx: 2 }), svg(`rect.${kind}`, { width: (count / most) * 100, height: 8, rx: 2 })))));
}

export function ring(share, text, label) {
  const length = 2 * Math.PI * 42;
  return svg("svg.share-ring", { viewBox: "0 0 100 100", role: "img", "aria-label": label },
    svg("circle.share-ground", { cx: 50, cy: 50, r: 42 }),
    svg("circle.share-line", { cx: 50, cy: 50, r: 42, "stroke-dasharray": `${share * length} ${length}`, transform: "rotate(-90 50 50)" }),
    svg("text.share-text", { x: 50, y: 58 }, text));
}
