/** Makes elements: `html("p.soft", {id: "x"}, "text", child)`, `svg("rect", {x: 1})`. */

const SVG = "http://www.w3.org/2000/svg";

export function html(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  return filled(element, attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElementNS(SVG, tag);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  return filled(element, attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** The sign of one of our states: a shape for each, so that colour is never alone. */
export function sign(state, size = 28) {
  const shapes = {
    good: ["circle", { cx: 16, cy: 16, r: 14 }, "M9 16.5l5 5 9-11"],
    careful: ["path", { d: "M16 2.5L30.5 29h-29z", "stroke-linejoin": "round" }, "M16 12v8M16 24.6v.6"],
    wrong: ["path", { d: "M10.5 2h11L30 10.5v11L21.500 30h-11L2 21.500v-11z" }, "M11 11l10 10M21 11L11 21"],
  };
  const [tag, shape, mark] = shapes[state];
  return svg(
    `svg.sign.${state}`,
    { viewBox: "0 0 32 32", width: size, height: size, "aria-hidden": "true" },
    svg(`${tag}.sign-ground`, shape),
    svg("path.sign-mark", { d: mark }),
  );
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A plain line drawing of 24 x 24. */
export const icon = (path) => svg("svg.icon", { viewBox: "0 0 24 24", width: 24, height: 24, "aria-hidden": "true" }, svg("path", { d: path }));
