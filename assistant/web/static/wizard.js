/** The page that sets up a table: shows the camera's picture with marks, and tells the wizard what was tapped. */

import { ask, setLanguage, tell } from "/static/api.js";

const SVG = "http://www.w3.org/2000/svg";
const LOOK_MS = 700;
const part = (id) => document.getElementById(id);

let shown = null;
let mode = null; // { kind: "corners", points } or { kind: "tap", piece }
let drag = null; // { zone, from, polygon }
let busy = false;

const wish = new URLSearchParams(location.hash.slice(1));
setLanguage(wish.get("language") ?? (navigator.language.startsWith("fr") ? "fr" : "en"));

async function begin() {
  const code = wish.get("code");
  if (code) {
    history.replaceState(null, "", location.pathname);
    await tell("/api/pair", { code }).catch(() => {});
  }
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
  if (moved) mode = null;
  document.documentElement.lang = document.documentElement.lang || "en";
  const index = shown.steps.findIndex(([step]) => step === shown.step);
  part("steps").replaceChildren(...shown.steps.map(([step, name], k) => {
    const item = element("li", { className: k < index ? "behind" : "" }, name);
    if (step === shown.step) item.setAttribute("aria-current", "step");
    return item;
  }));
  part("name").textContent = shown.steps[index][1];
  part("sentence").textContent = mode?.kind === "corners" ? shown.words.corner : shown.sentence;
  part("checks").replaceChildren(...shown.checks.map((check) =>
    element("li", { className: check.good ? "good" : "poor" }, element("span", {}, check.sentence))));
  part("back").textContent = shown.words.back;
  part("back").disabled = index === 0;
  part("next").textContent = shown.words.next;
  part("next").hidden = shown.step === "ready";
  part("next").disabled = !shown.passable;
  part("anyway").textContent = shown.words.anyway;
  part("anyway").hidden = shown.passable || !shown.may_skip || shown.step === "ready";
  if (shown.picture && shown.picture !== before?.picture) {
    part("picture").src = `/api/setup/picture?n=${shown.picture}`;
  }
  if (moved || JSON.stringify(controlState(before)) !== JSON.stringify(controlState(shown))) drawControls();
  drawMarks();
}

const controlState = (state) => state && [state.step, state.wanted, state.facts, state.cameras];

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
  return [...buttons, label, field, button(shown.words.use, () => field.value && send("camera", { source: field.value }))];
}

function boardControls() {
  return [
    button(shown.words.find, () => { mode = null; send("board"); }),
    button(shown.words.corners, () => { mode = { kind: "corners", points: [] }; draw(shown); drawControls(); }),
    button(shown.words.lens, () => send("lens")),
  ];
}

function colourControls() {
  return shown.wanted.map(({ piece, name }) => {
    const choice = button(name, () => { mode = { kind: "tap", piece }; drawControls(); });
    choice.setAttribute("aria-pressed", String(mode?.piece === piece));
    return choice;
  });
}

function factControls() {
  return shown.facts.map((fact) => {
    const choices = fact.options.map((value) => {
      const choice = button(value, () => send("fact", { key: fact.key, value }));
      choice.classList.add("small");
      choice.setAttribute("aria-pressed", String(fact.answer === value));
      return choice;
    });
    const picture = element("img", { src: `/api/setup/facts/${encodeURIComponent(fact.key)}`, alt: fact.key });
    return element("div", { className: "wizard-fact" }, picture, element("div", { className: "choices" }, ...choices));
  });
}

function drawMarks() {
  const svg = part("marks");
  const box = svg.getBoundingClientRect();
  const [width, height] = [box.width || 1, box.height || 1];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const at = ([x, y]) => `${(x * width).toFixed(1)},${(y * height).toFixed(1)}`;
  const parts = [];
  for (const mark of shown.marks) {
    const points = mark.outline.map(at).join(" ");
    parts.push(shape("polygon", { points, class: "mark under" }));
    const polygon = shape("polygon", { points, class: `mark ${mark.look}` });
    if (mark.look === "movable") polygon.addEventListener("pointerdown", (event) => beginDrag(event, mark, polygon));
    parts.push(polygon);
    if (mark.look === "movable" || mark.look === "problem") {
      const x = mark.outline.reduce((sum, point) => sum + point[0], 0) / mark.outline.length;
      const y = mark.outline.reduce((sum, point) => sum + point[1], 0) / mark.outline.length;
      const name = shape("text", { x: x * width, y: y * height, class: "mark-name" });
      name.textContent = mark.name;
      parts.push(name);
    }
  }
  for (const point of mode?.points ?? []) {
    parts.push(shape("circle", { cx: point[0] * width, cy: point[1] * height, r: 9, class: "mark tapped" }));
  }
  svg.replaceChildren(...parts);
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
  const box = part("marks").getBoundingClientRect();
  const to = pointOf(event);
  const shift = [(to[0] - drag.from[0]) * box.width, (to[1] - drag.from[1]) * box.height];
  drag.polygon.setAttribute("transform", `translate(${shift[0]} ${shift[1]})`);
});

part("marks").addEventListener("pointerup", async (event) => {
  if (!drag) return;
  const { zone, from, outline } = drag;
  const to = pointOf(event);
  const middle = [0, 1].map((axis) => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length);
  drag = null;
  if (!await send("zone", { zone, x: middle[0] + to[0] - from[0], y: middle[1] + to[1] - from[1] })) drawMarks();
});

part("marks").addEventListener("click", async (event) => {
  if (mode?.kind === "corners") {
    mode.points.push(pointOf(event));
    drawMarks();
    if (mode.points.length === 4) {
      const corners = mode.points;
      mode = null;
      await send("corners", { corners });
      drawControls();
    }
  } else if (mode?.kind === "tap") {
    const [x, y] = pointOf(event);
    const piece = mode.piece;
    mode = null;
    await send("tap", { piece, x, y });
    drawControls();
  }
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
