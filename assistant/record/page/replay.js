"use strict";
// Steps through a recorded game. The data is in the page; nothing is fetched and nothing is sent.
const DATA = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const layers = { under: byId("under"), over: byId("over") };
const views = [];
let language = DATA.language;
let at = 0;
let timer = null;

function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
}

// What lies in each zone after each step, from the changes; kept so that going back is as quick.
let held = {};
for (const step of DATA.steps) {
  held = Object.assign({}, held, step.zones);
  views.push(held);
}

const groups = {};
for (const zone of DATA.zones) {
  // A tucked card shows only its foot: the rest of it lies below the board.
  const group = make("g", {}, zone.kind === "strip" ? layers.under : layers.over);
  groups[zone.id] = { zone, group, shown: undefined };
}

function face(card) {
  if (card[1] === "down") return "b-" + card[0];
  return card[0] === null ? "c-unknown" : "c-" + card[0];
}

function place(parent, card, x, y) {
  make("use", { href: "#" + face(card), x, y, width: DATA.card[0], height: DATA.card[1] }, parent);
}

function badge(parent, x, y, number) {
  const group = make("g", { class: "badge", transform: `translate(${x} ${y})` }, parent);
  make("circle", { r: 17 }, group);
  make("text", { y: 6.5 }, group).textContent = number;
}

const DRAW = {
  card(group, [x, y, w, h], cards) {
    for (const card of cards) place(group, card, x + (w - DATA.card[0]) / 2, y + (h - DATA.card[1]) / 2);
  },
  strip(group, [x, y, w, h], cards) {
    for (const card of cards) place(group, card, x + (w - DATA.card[0]) / 2, y + h - DATA.card[1]);
  },
  pile(group, [x, y, w, h], cards) {
    if (!cards.length) make("rect", { class: "zone", x, y, width: w, height: h, rx: 8 }, group);
    const deep = Math.min(cards.length, 5);
    const left = x + (w - DATA.card[0]) / 2;
    const top = y + (h - DATA.card[1]) / 2;
    cards.slice(-deep).forEach((card, n) => place(group, card, left + (deep - 1 - n) * 2.5, top + (deep - 1 - n) * 2.5));
    if (cards.length) badge(group, x + w - 14, y + 16, cards.length);
  },
  spread(group, [x, y, w, h], cards) {
    if (!cards.length) make("rect", { class: "zone", x, y, width: w, height: h, rx: 8 }, group);
    const step = Math.min(DATA.card[0] + 10, (w - DATA.card[0]) / Math.max(1, cards.length - 1));
    cards.forEach((card, n) => place(group, card, x + n * step, y + (h - DATA.card[1]) / 2));
  },
};

function pieces(group, zone, standing) {
  const [x, y, w, h] = zone.rect;
  if (zone.kind !== "heap") {
    const size = Math.min(w, h) * 1.2;
    standing.forEach(([kind], n) =>
      make("use", { href: "#s-" + kind, x: x + w / 2 - size / 2 + (n - (standing.length - 1) / 2) * size * 0.8, y: y + h / 2 - size / 2, width: size, height: size }, group));
    return;
  }
  make("rect", { class: "zone", x, y, width: w, height: h, rx: 12 }, group);
  const counts = new Map(standing);
  const columns = Math.min(zone.pieces.length, Math.max(1, Math.round(Math.sqrt((zone.pieces.length * w) / h / 1.5))));
  const rows = Math.ceil(zone.pieces.length / columns);
  const size = Math.min(58, (h / rows) * 0.7, (w / columns) * 0.52);
  zone.pieces.forEach((kind, n) => {
    const cx = x + (w / columns) * ((n % columns) + 0.5);
    const cy = y + (h / rows) * (Math.floor(n / columns) + 0.5);
    const cell = make("g", counts.has(kind) ? {} : { class: "none" }, group);
    make("use", { href: "#s-" + kind, x: cx - size * 0.95, y: cy - size / 2, width: size, height: size }, cell);
    make("text", { class: "number", x: cx + size * 0.14, y: cy + 8 }, cell).textContent = counts.get(kind) || 0;
  });
}

// A name no wider than its zone: neighbours have names too.
function wrapped(label, width) {
  const lines = [""];
  for (const word of label.split(" ")) {
    const longer = (lines.at(-1) + " " + word).trim();
    if (longer.length * 8.4 <= Math.max(width, 120)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.filter((line) => line);
}

function drawZone(entry, held, glow) {
  const { zone, group } = entry;
  group.replaceChildren();
  const [cards, standing] = held || [[], []];
  if (zone.cards) (DRAW[zone.kind] || DRAW.card)(group, zone.rect, cards);
  if (zone.pieces.length) pieces(group, zone, standing);
  const label = zone.label && zone.label[language];
  const [x, y, w, h] = zone.rect;
  if (label) {
    const lines = wrapped(label, w);
    const text = make("text", { class: "label" }, group);
    lines.forEach((line, n) => {
      const dy = y < 0 ? y - 10 - (lines.length - 1 - n) * 17 : y + h + (zone.kind === "pile" ? 28 : 20) + n * 17;
      make("tspan", { x: x + w / 2, y: dy }, text).textContent = line;
    });
  }
  if (glow) make("rect", { class: "changed", x: x - 4, y: y - 4, width: w + 8, height: h + 8, rx: 10 }, group);
}

function show(number, quiet) {
  at = Math.max(0, Math.min(number, DATA.steps.length - 1));
  const step = DATA.steps[at];
  layers.over.classList.toggle("step", !quiet);
  layers.under.classList.toggle("step", !quiet);
  for (const entry of Object.values(groups)) {
    const now = views[at][entry.zone.id];
    const changed = at > 0 && entry.zone.id in step.zones && !quiet;
    if (entry.shown !== now || changed || quiet) drawZone(entry, now, changed);
    entry.shown = now;
  }
  byId("round").textContent = `${step.round ? DATA.words.round[language].replace("{round}", step.round) : DATA.words.setup[language]} · ${step.phase[language]}`;
  byId("words").textContent = step.words[language];
  byId("notation").textContent = step.notation;
  byId("gauges").replaceChildren(...step.gauges.map((gauge) => {
    const line = document.createElement("li");
    line.className = gauge.severity || "";
    line.textContent = gauge.words[language];
    return line;
  }));
  const crop = byId("crop");
  crop.hidden = !step.crop;
  if (step.crop) crop.src = step.crop;
  byId("slider").value = at;
  byId("count").textContent = `${at} / ${DATA.steps.length - 1}`;
  for (const line of byId("log").querySelectorAll(".at")) line.classList.remove("at");
  const line = byId("log").querySelector(`[data-step="${at}"]`);
  if (line) {
    line.classList.add("at");
    line.scrollIntoView({ block: "nearest" });
  }
}

function log() {
  const lines = [];
  let round = null;
  DATA.steps.forEach((step, n) => {
    if (step.round !== round) {
      round = step.round;
      const head = document.createElement("li");
      head.className = "round";
      head.textContent = round ? DATA.words.round[language].replace("{round}", round) : DATA.words.setup[language];
      lines.push(head);
    }
    const line = document.createElement("li");
    line.dataset.step = n;
    const button = document.createElement("button");
    const number = document.createElement("b");
    number.textContent = n || "";
    const words = document.createElement("span");
    words.textContent = step.words[language];
    button.append(number, words);
    for (const finding of step.findings) {
      const told = document.createElement("span");
      told.className = "found " + finding.severity;
      told.textContent = `${finding.rule}: ${finding.words[language]}`;
      button.append(told);
    }
    button.addEventListener("click", () => { stop(); show(n); });
    line.append(button);
    lines.push(line);
  });
  byId("log").replaceChildren(...lines);
}

function marks() {
  const last = Math.max(1, DATA.steps.length - 1);
  const add = (n, name, title) => {
    const mark = document.createElement("i");
    mark.className = name;
    mark.title = title;
    mark.style.left = `${(100 * n) / last}%`;
    byId("marks").append(mark);
  };
  DATA.steps.forEach((step, n) => {
    if (n && step.round !== DATA.steps[n - 1].round) add(n, "r", step.round);
    if (step.moved) add(n, "m", step.moved);
    for (const finding of step.findings) add(n, finding.severity, finding.rule);
  });
}

function stop() {
  clearInterval(timer);
  timer = null;
  byId("go").classList.remove("playing");
  byId("go").setAttribute("aria-pressed", "false");
  byId("play-icon").setAttribute("href", "#i-play");
}

function play() {
  if (timer) return stop();
  if (at === DATA.steps.length - 1) show(0);
  timer = setInterval(() => (at < DATA.steps.length - 1 ? show(at + 1) : stop()), 900);
  byId("go").setAttribute("aria-pressed", "true");
  byId("play-icon").setAttribute("href", "#i-pause");
}

function roundFrom(direction) {
  let n = at + direction;
  while (n > 0 && n < DATA.steps.length - 1 && DATA.steps[n].round === DATA.steps[n - 1].round) n += direction;
  show(n);
}

function speak(chosen) {
  language = chosen;
  document.documentElement.lang = chosen;
  for (const element of document.querySelectorAll("[data-words]")) element.textContent = DATA.words[element.dataset.words][chosen];
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", DATA.words[element.dataset.label][chosen]);
  document.title = DATA.words.title[chosen];
  log();
  show(at, true);
}

byId("slider").max = DATA.steps.length - 1;
byId("slider").addEventListener("input", (event) => { stop(); show(Number(event.target.value)); });
byId("back").addEventListener("click", () => { stop(); show(at - 1); });
byId("on").addEventListener("click", () => { stop(); show(at + 1); });
byId("go").addEventListener("click", play);
byId("language").value = language;
byId("language").addEventListener("change", (event) => speak(event.target.value));
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "SELECT") return;
  const keys = {
    ArrowRight: () => show(at + 1), ArrowLeft: () => show(at - 1), ArrowUp: () => roundFrom(-1), ArrowDown: () => roundFrom(1),
    PageUp: () => roundFrom(-1), PageDown: () => roundFrom(1), Home: () => show(0), End: () => show(DATA.steps.length - 1),
  };
  if (event.key === " " && event.target.tagName !== "BUTTON") { event.preventDefault(); play(); }
  if (keys[event.key]) { event.preventDefault(); stop(); keys[event.key](); }
});
marks();
speak(language);
const wanted = Number(location.hash.slice(1));
if (wanted) show(wanted, true);
