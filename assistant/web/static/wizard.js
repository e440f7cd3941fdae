/** The page that sets up a table: shows the camera's picture with marks, and tells the wizard what was tapped. */

import { ask, setLanguage, tell } from "/static/api.js";

const SVG = "http://www.w3.org/2000/svg";
const LOOK_MS = 700;
const part = (id) => document.getElementById(id);

let shown = null;
let mode = null; // { kind: "corners", points } or { kind: "tap", piece }
let drag = null; // { zone, from, outline, polygon } or { corner }
let busy = false;
let drawn = ""; // the marks as they are on the page
const INSET = [[0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]];
const LOUPE = 3; // how much larger the picture is under a finger

const wish = new URLSearchParams(location.hash.slice(1));
setLanguage(wish.get("language") ?? (navigator.language.startsWith("fr") ? "fr" : "en"));

async function begin() {
  const code = wish.get("code");
  if (code) {
    history.replaceState(null, "", location.pathname);
    await tell("/api/pair", { code }).catch(() => {});
  }
  const drawings = await (await fetch("/static/symbols.svg")).text();
  part("symbols").append(document.importNode(new DOMParser().parseFromString(drawings, "image/svg+xml").documentElement, true));
  await refresh();
  setInterval(() => { if (!busy && !drag && document.visibilityState === "visible") refresh(); }, LOOK_MS);
}

async function refresh() {
  busy = true;
  try {
    draw(await ask("/api/setup"));
    part("pair").hidden = true;
  } catch (problem) {
    part("pair").hidden = problem.code !== "not-paired";
    if (problem.code !== "not-paired") say(problem.message ?? String(problem));
  } finally {
    busy = false;
  }
}

async function send(path, body = {}) {
  say("");
  busy = true;
  try {
    draw(await tell(`/api/setup/${path}`, body));
    return true;
  } catch (problem) {
    say(problem.message);
    return false;
  } finally {
    busy = false;
  }
}

const say = (text) => { part("problem").textContent = text; };

function draw(next) {
  const moved = shown?.step !== next.step;
  const before = shown;
  shown = next;
  if (moved) {
    mode = null;
    say("");
  }
  const index = shown.steps.findIndex(([step]) => step === shown.step);
  part("steps").replaceChildren(...shown.steps.map(([step, name], k) => {
    const item = element("li", { className: k < index ? "behind" : "" }, name);
    if (step === shown.step) item.setAttribute("aria-current", "step");
    return item;
  }));
  part("name").textContent = shown.steps[index][1];
  part("sentence").textContent = mode?.kind === "corners" ? shown.words.corner : mode?.kind === "tap" ? shown.words["tap-now"] : shown.sentence;
  part("waiting").textContent = shown.words.waiting;
  part("waiting").hidden = shown.picture > 0;
  part("checks").replaceChildren(...shown.checks.map((check) =>
    element("li", { className: check.good ? "good" : "poor" }, element("span", {}, check.sentence))));
  part("back").textContent = shown.words.back;
  part("back").disabled = index === 0;
  part("next").textContent = shown.words.next;
  const skipping = !shown.passable && shown.may_skip;
  part("next").hidden = shown.step === "ready" || skipping;
  part("next").disabled = !shown.passable;
  part("anyway").textContent = shown.words.anyway;
  part("anyway").hidden = !skipping || shown.step === "ready";
  if (shown.picture && shown.picture !== before?.picture) {
    part("picture").src = `/api/setup/picture?n=${shown.picture}`;
  }
  if (moved || JSON.stringify(controlState(before)) !== JSON.stringify(controlState(shown))) drawControls();
  drawMarks();
}

const controlState = (state) => state && [state.step, state.pieces, state.facts, state.cameras];

function drawControls() {
  const controls = { camera: cameraControls, board: boardControls, colours: colourControls, facts: factControls }[shown.step];
  part("controls").replaceChildren(...(controls ? controls() : shown.step === "ready" ? [element("p", {}, shown.words.done)] : []));
  part("frame").classList.toggle("asking", mode !== null);
}

function cameraControls() {
  const buttons = shown.cameras.map(([source, name]) =>
    button(`${name} (${source})`, () => send("camera", { source })));
  const field = element("input", { id: "source", placeholder: "0", maxLength: 1000 });
  const label = element("label", { htmlFor: "source" }, shown.words["other-camera"]);
  const none = shown.cameras.length ? [] : [element("p", { className: "soft" }, shown.words["no-camera"])];
  return [...buttons, ...none, label, field, button(shown.words.use, () => field.value && send("camera", { source: field.value }))];
}

function boardControls() {
  if (mode?.kind === "corners") {
    const use = button(shown.words["corners-use"], giveCorners);
    use.classList.add("strong");
    return [use, button(shown.words.cancel, () => setMode(null))];
  }
  return [
    button(shown.words.find, () => send("board")),
    button(shown.words.corners, () => setMode({ kind: "corners", points: (shown.corners ?? INSET).map((point) => [...point]) })),
    button(shown.words.lens, () => send("lens")),
  ];
}

function setMode(next) {
  mode = next;
  draw(shown);
  drawControls();
}

async function giveCorners() {
  const corners = mode.points;
  if (await send("corners", { corners })) setMode(null);
}

function colourControls() {
  return shown.pieces.map(({ piece, name, colour }) => {
    const choice = button("", () => setMode(mode?.piece === piece ? null : { kind: "tap", piece }));
    choice.classList.add("wizard-piece");
    const swatch = element("span", { className: colour ? "swatch" : "swatch missing", ariaHidden: "true" });
    if (colour) swatch.style.background = colour;
    choice.append(swatch, symbolOf(piece), element("span", {}, name), element("span", { className: "soft" }, colour ? "✓" : shown.words.tap));
    choice.setAttribute("aria-pressed", String(mode?.piece === piece));
    return choice;
  });
}

function factControls() {
  const open = shown.facts.filter((fact) => fact.answer === null);
  const all = button(shown.words["all-assumed"], async () => {
    for (const fact of open) if (!await send("fact", { key: fact.key, value: fact.options[0].value })) return;
  });
  return [...shown.facts.map(factControl), ...(open.length > 1 ? [all] : [])];
}

function factControl(fact) {
  const choices = fact.options.map((option, index) => {
    const choice = button("", () => send("fact", { key: fact.key, value: option.value }));
    choice.classList.add("wizard-option");
    choice.append(...option.symbols.map(symbolOf), element("span", { className: "unseen" }, option.name));
    choice.title = index === 0 ? `${option.name} (${shown.words.assumed})` : option.name;
    if (index === 0) choice.classList.add("assumed");
    choice.setAttribute("aria-pressed", String(fact.answer === option.value));
    return choice;
  });
  const picture = element("img", { src: `/api/setup/facts/${encodeURIComponent(fact.key)}`, alt: fact.name });
  const answer = fact.options.find((option) => option.value === fact.answer);
  const said = answer ? answer.name : `${fact.options[0].name} (${shown.words.assumed})`;
  return element("div", { className: "wizard-fact" }, picture, element("div", {},
    element("p", { className: "wizard-fact-name" }, element("b", {}, fact.name), ` · ${said}`),
    element("div", { className: "choices" }, ...choices)));
}

function symbolOf(name) {
  const made = shape("svg", { viewBox: "0 0 100 100", class: "wizard-symbol", "aria-hidden": "true" });
  made.append(shape("use", { href: `#symbol-${name}` }));
  return made;
}

function drawMarks() {
  const svg = part("marks");
  const box = svg.getBoundingClientRect();
  const [width, height] = [box.width || 1, box.height || 1];
  // What a finger holds stays the same thing while nothing about it changes.
  const wanted = JSON.stringify([shown.marks, mode, width, height]);
  if (wanted === drawn) return;
  drawn = wanted;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const at = ([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`;
  const parts = [];
  for (const mark of shown.marks) {
    const points = mark.outline.map(at).join(" ");
    parts.push(shape("polygon", { points, class: "mark under" }));
    const polygon = shape("polygon", { points, class: `mark ${mark.look}` });
    if (mark.look === "movable") polygon.addEventListener("pointerdown", (event) => beginDrag(event, mark, polygon));
    parts.push(polygon);
    if (mark.look === "movable" || mark.look === "problem") parts.push(nameOf(mark, width, height));
  }
  if (mode?.kind === "corners") parts.push(...corners(width, height));
  const held = handles().indexOf(document.activeElement);
  svg.replaceChildren(...parts);
  handles()[held]?.focus();
}

function handles() {
  return [...part("marks").querySelectorAll(".handle")];
}

function redrawMarks() {
  drawn = "";
  drawMarks();
}

/** A place's name in its middle, word below word where the place is narrow. */
function nameOf(mark, width, height) {
  const xs = mark.outline.map(([x]) => x * width), ys = mark.outline.map(([, y]) => y * height);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const wide = right - left;
  const lines = wide < 8 * mark.name.length ? mark.name.split(" ") : [mark.name];
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(14, Math.max(9, wide / (0.58 * longest)));
  const name = shape("text", { class: "mark-name" });
  name.style.fontSize = `${size.toFixed(1)}px`;
  lines.forEach((line, index) => {
    const y = (top + bottom) / 2 + 1.1 * size * (index - (lines.length - 1) / 2) + size / 3;
    const span = shape("tspan", { x: (left + right) / 2, y });
    span.textContent = line;
    name.append(span);
  });
  return name;
}

function corners(width, height) {
  const at = ([x, y]) => [x * width, y * height];
  const rim = shape("polygon", { points: mode.points.map((point) => at(point).join(",")).join(" "), class: "mark rim" });
  const crosses = mode.points.map((point, corner) => {
    const [cx, cy] = at(point);
    const handle = shape("g", { class: "handle", tabindex: 0, role: "button", "aria-label": `${corner + 1}` });
    const number = shape("text", { x: cx + (corner % 3 ? 26 : -26), y: cy + (corner < 2 ? -18 : 30), class: "mark-name" });
    number.textContent = corner + 1;
    handle.append(shape("circle", { cx, cy, r: 26, class: "grip" }), shape("path", { d: `M${cx - 26} ${cy}h52M${cx} ${cy - 26}v52` }), number);
    handle.addEventListener("pointerdown", (event) => beginCorner(event, corner));
    handle.addEventListener("keydown", (event) => nudgeCorner(event, corner));
    return handle;
  });
  return [rim, ...crosses];
}

function beginCorner(event, corner) {
  event.preventDefault();
  event.stopPropagation();
  const [x, y] = pointOf(event);
  drag = { corner, grip: [mode.points[corner][0] - x, mode.points[corner][1] - y] };
  part("marks").setPointerCapture(event.pointerId);
  showLoupe(mode.points[corner]);
}

function nudgeCorner(event, corner) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step) return;
  event.preventDefault();
  const box = part("marks").getBoundingClientRect();
  moveCorner(corner, [mode.points[corner][0] + step[0] / box.width, mode.points[corner][1] + step[1] / box.height]);
}

function moveCorner(corner, [x, y]) {
  mode.points[corner] = [Math.min(Math.max(x, 0), 1), Math.min(Math.max(y, 0), 1)];
  drawMarks();
}

/** What lies under the finger, larger, on the other side of the picture. */
function showLoupe(point) {
  const loupe = part("loupe");
  loupe.hidden = point === null;
  if (point === null) return;
  const box = part("marks").getBoundingClientRect();
  loupe.classList.toggle("right", point[0] < 0.5);
  loupe.style.backgroundImage = `url("${part("picture").currentSrc}")`;
  loupe.style.backgroundSize = `${LOUPE * box.width}px ${LOUPE * box.height}px`;
  const half = [loupe.clientWidth / 2, loupe.clientHeight / 2];
  loupe.style.backgroundPosition = `${half[0] - LOUPE * box.width * point[0]}px ${half[1] - LOUPE * box.height * point[1]}px`;
}

const pointOf = (event) => {
  const box = part("marks").getBoundingClientRect();
  return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
};

function beginDrag(event, mark, polygon) {
  event.preventDefault();
  event.stopPropagation();
  drag = { zone: mark.zone, from: pointOf(event), outline: mark.outline, polygon };
  part("marks").setPointerCapture(event.pointerId);
}

part("marks").addEventListener("pointermove", (event) => {
  if (!drag) return;
  const to = pointOf(event);
  if (drag.corner !== undefined) {
    moveCorner(drag.corner, [to[0] + drag.grip[0], to[1] + drag.grip[1]]);
    showLoupe(mode.points[drag.corner]);
    return;
  }
  const box = part("marks").getBoundingClientRect();
  const shift = [(to[0] - drag.from[0]) * box.width, (to[1] - drag.from[1]) * box.height];
  drag.polygon.setAttribute("transform", `translate(${shift[0]} ${shift[1]})`);
});

part("marks").addEventListener("pointerup", async (event) => {
  if (!drag) return;
  if (drag.corner !== undefined) {
    drag = null;
    showLoupe(null);
    return;
  }
  const { zone, from, outline } = drag;
  const to = pointOf(event);
  const middle = [0, 1].map((axis) => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length);
  drag = null;
  if (!await send("zone", { zone, x: middle[0] + to[0] - from[0], y: middle[1] + to[1] - from[1] })) redrawMarks();
});

part("marks").addEventListener("pointercancel", () => { drag = null; showLoupe(null); redrawMarks(); });

part("marks").addEventListener("click", async (event) => {
  if (mode?.kind !== "tap") return;
  const [x, y] = pointOf(event);
  const { piece } = mode;
  if (await send("tap", { piece, x, y })) setMode(null);
});

const button = (text, act) => {
  const made = element("button", { className: "button", type: "button" }, text);
  made.addEventListener("click", act);
  return made;
};

function element(name, values, ...children) {
  const made = Object.assign(document.createElement(name), values);
  made.append(...children);
  return made;
}

function shape(name, values) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  return made;
}

part("back").addEventListener("click", () => send("back"));
part("next").addEventListener("click", () => send("next"));
part("anyway").addEventListener("click", () => send("next", { anyway: true }));
part("picture").addEventListener("load", () => shown && drawMarks());
part("pair").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await tell("/api/pair", { code: part("code").value });
    await refresh();
  } catch (problem) {
    say(problem.message);
  }
});

begin();
