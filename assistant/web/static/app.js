/** The page: asks for its words and the scene, opens the live line, and draws every snapshot. */

import { ask, setLanguage, tell } from "./api.js";
import { byId, html, icon, svg } from "./dom.js";
import { Hero } from "./hero.js";
import { Line } from "./line.js";
import { Findings, showMeter, showNow, showQuestion, showSupply } from "./panels.js";
import { Sheet } from "./sheet.js";
import { Table } from "./table.js";
import { MODES, Voice, loudspeaker } from "./voice.js";

const KEPT = "floodwatch";
const TOAST_MS = 4000;
const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
const keep = (changes) => localStorage.setItem(KEPT, JSON.stringify(Object.assign(kept, changes)));

let words = {};
let scene = null;
let snapshot = null;
let toastTimer;

const hero = new Hero();
const voice = new Voice();
const sheet = new Sheet({ onDone: () => { toast(words.corrected); if (tab === "log") views.get("log")?.mended(); }, onProblem: (problem) => toast(problem.message), onClose: (zone) => tab === "table" ? table.focus(zone) : views.get(tab)?.refocus?.(), onEnrol: async (zone) => { await choose("cards"); await views.get("cards")?.enrol(zone); } });
const openZone = (zone) => snapshot && sheet.open(scene, words, snapshot, zone);
const openPast = (past, zone) => sheet.open(scene, words, past, zone, `/api/replay/${past.move}/zones`);
const table = new Table({ onZone: openZone });
const findings = new Findings({ onDecide: (id, fate) => act(`/api/findings/${id}/fate`, { fate }), onPlace: openZone });
const line = new Line({ onSnapshot: show, onState: showState, onStranger: askForCode, onReturn: async () => prepare(await loadScene()) });

start();

async function start() {
  applyTheme(kept.theme ?? "system");
  const wishes = new URLSearchParams(location.hash.slice(1));
  if (wishes.has("language")) keep({ language: wishes.get("language") });
  await speak(kept.language ?? navigator.language.slice(0, 2));
  byId("bar").addEventListener("keydown", moveTab);
  byId("done").onclick = () => act("/api/end-phase");
  byId("theme").onclick = () => applyTheme({ system: "dark", dark: "light", light: "system" }[kept.theme ?? "system"], true);
  byId("sound").onclick = () => applySound(MODES[(MODES.indexOf(voice.mode) + 1) % MODES.length], true);
  byId("language").onclick = switchLanguage;
  byId("pair-form").onsubmit = pair;
  const code = wishes.get("code");
  if (code) {
    history.replaceState(null, "", location.pathname);
    await tell("/api/pair", { code }).catch((problem) => { byId("pair-problem").textContent = problem.message; });
  }
  await enter();
  stayAwake();
  if (isSecureContext) navigator.serviceWorker?.register("/worker.js").catch(() => {});
}

/** Into the game, or to the pairing form. Without a server the last snapshot is shown as what it is: old. */
async function enter() {
  try {
    await prepare(await loadScene());
  } catch (problem) {
    if (problem.status === 401) return askForCode();
    if (!kept.scene) { showState("offline"); enterView("page"); setTimeout(enter, 2000); return; }
    await prepare(kept.scene);
    if (kept.snapshot) show(kept.snapshot);
    showState("offline");
  }
  enterView("page");
  line.open(words.language);
}

const loadScene = async () => {
  const loaded = await ask("/api/scene");
  keep({ scene: loaded });
  return loaded;
};

async function prepare(loaded) {
  scene = { ...loaded, cardById: new Map(loaded.cards.map((card) => [card.id, card])), zoneById: new Map(loaded.zones.map((zone) => [zone.id, zone])) };
  await loadPictures();
  document.title = `Floodwatch · ${scene.title}`;
  byId("title").textContent = document.title;
  table.set(scene, words);
  drawTabs();
  await prepareHints();
}

async function loadPictures() {
  const home = byId("symbols");
  if (home.childElementCount) return;
  const sheetText = await (await fetch("/static/symbols.svg")).text();
  for (const text of [sheetText, scene.pictures]) {
    const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    home.append(document.importNode(drawing, true));
  }
  home.append(svg("svg", {}, svg("defs", {}, svg("pattern", { id: "hatch", width: 14, height: 14, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("rect.hatch-line", { width: 5, height: 14 })))));
}

function show(newest, first = true) {
  if (!first && newest.number < snapshot.number) return;
  snapshot = newest;
  keepLater();
  hero.show(scene, words, snapshot);
  showNow(scene, words, snapshot);
  showQuestion(snapshot, (id, answer) => act(`/api/questions/${id}/answer`, { answer }));
  findings.show(words, snapshot);
  showSupply(scene, snapshot, openZone);
  showMeter(scene, words, snapshot);
  voice.hear(scene, snapshot, words.language);
  showState(line.state ?? "offline");
  if (tab === "table") table.show(snapshot);
  else views.get(tab)?.show?.(snapshot);
  hints?.show(snapshot);
  document.body.dataset.number = snapshot.number;
}

/** The last snapshot survives a reload without a server; written at most every other second. */
function keepLater() {
  keepLater.timer ??= setTimeout(() => { keepLater.timer = undefined; keep({ snapshot }); }, 2000);
}

function showState(state) {
  const live = byId("live");
  const camera = snapshot?.camera;
  const said = state !== "live" ? words[state] : !camera || camera.state === "none" ? words.simulated : `${words[`camera-${camera.state}`]} · ${camera.frames_per_second.toFixed(0)} f/s`;
  live.dataset.state = state;
  live.textContent = said ?? "";
  document.body.dataset.line = state;
  showNotice(state === "offline" ? words.reconnecting ?? "" : snapshot?.trouble ?? camera?.why);
}

/** What keeps the game from being shown, saved or seen, in one sentence; the worst first. */
function showNotice(text) {
  const notice = byId("cut");
  notice.hidden = text === undefined || text === null;
  if (notice.textContent !== (text ?? "")) notice.textContent = text ?? "";
}

async function act(path, body) {
  try {
    await tell(path, body);
  } catch (problem) {
    toast(problem.message);
  }
}

function toast(text) {
  const root = byId("toast");
  root.textContent = text;
  root.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { root.hidden = true; }, TOAST_MS);
}

/* --- tabs: each but the table is fetched when it is first looked at --- */

const TABS = {
  table: ["M3 5h18v14H3zM3 10h18M9 10v9M15 10v9", null],
  camera: ["M3 8h4l2-3h6l2 3h4v11H3zM12 10a3.500 3.500 0 1 0 .01 0", () => import("./camera.js")],
  log: ["M12 4a8 8 0 1 1-7 4M5 3v5h5M12 8v4l3 2", () => import("./replay.js")],
  games: ["M4 20V10h4v10M10 20V4h4v16M16 20v-7h4v7", () => import("./games.js")],
  cards: ["M4 7l9-3 5 13-9 3zM15 5h5v11h-2", () => import("./cards.js")],
  setup: ["M4 6l2 2 3-4M4 13l2 2 3-4M4 20l2 2 3-4M12 6h8M12 13h8M12 20h8", () => import("./setup.js")],
};
const views = new Map();
let tab = "table";
let hints = null;

const isOffered = (name) => !["camera", "games"].includes(name) || scene.offers.includes(name);

function drawTabs() {
  const root = byId("tabs");
  root.setAttribute("aria-label", words.views);
  root.replaceChildren(...Object.keys(TABS).filter(isOffered).map((name) => html("button", {
    id: `tab-${name}`, role: "tab", type: "button", "aria-controls": `${name}-view`, "aria-selected": String(name === tab), tabindex: name === tab ? 0 : -1, onclick: () => choose(name),
  }, icon(TABS[name][0]), html("span", {}, words[`tab-${name}`]))));
  if (!isOffered(tab)) choose("table");
}

async function choose(name) {
  views.get(tab)?.close?.();
  tab = name;
  for (const other of Object.keys(TABS)) {
    byId(`tab-${other}`)?.setAttribute("aria-selected", String(other === name));
    byId(`tab-${other}`)?.setAttribute("tabindex", other === name ? 0 : -1);
    byId(`${other}-view`).hidden = other !== name;
  }
  document.body.dataset.tab = name;
  if (name === "table") { if (snapshot) table.show(snapshot); return; }
  const view = await loadView(name);
  if (tab === name) await view?.open();
}

const page = { get scene() { return scene; }, get words() { return words; }, get snapshot() { return snapshot; }, act, toast, openZone, openPast, isOpen: (name) => tab === name };

async function loadView(name) {
  if (!views.has(name)) {
    const [{ View }] = await Promise.all([TABS[name][1](), loadStyle()]).catch(() => { toast(words.offline); return [{}]; });
    if (View) views.set(name, new View(byId(`${name}-view`), page));
  }
  return views.get(name);
}

function loadStyle() {
  return loadStyle.done ??= new Promise((resolve, reject) => document.head.append(html("link", { rel: "stylesheet", href: "/static/views.css", onload: resolve, onerror: reject })));
}

async function prepareHints() {
  const root = byId("hints");
  root.hidden = !scene.offers.includes("hints");
  if (root.hidden) return;
  if (!hints) {
    const [{ Hints }] = await Promise.all([import("./hints.js"), loadStyle()]);
    hints = new Hints({ strength: kept.hints ?? "off", onStrength: (strength) => keep({ hints: strength }) });
  }
  hints.set(words);
}

function moveTab(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || event.target.getAttribute("role") !== "tab") return;
  const all = [...byId("tabs").children];
  const next = all[(all.indexOf(event.target) + step + all.length) % all.length];
  next.focus();
  next.click();
}

/* --- language and theme --- */

async function speak(language) {
  setLanguage(language);
  const said = await ask("/api/words").catch(() => kept.words ?? { words: {}, language: "en", languages: ["en"] });
  keep({ words: said });
  words = { ...said.words, language: said.language, languages: said.languages };
  setLanguage(said.language);
  document.documentElement.lang = said.language;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word] ?? "";
  const next = nextLanguage();
  byId("language").textContent = next.toUpperCase();
  byId("language").setAttribute("aria-label", `${words.language}: ${next}`);
  applyTheme(kept.theme ?? "system");
  applySound(kept.sound ?? "off");
}

const nextLanguage = () => words.languages[(words.languages.indexOf(words.language) + 1) % words.languages.length];

async function switchLanguage() {
  const next = nextLanguage();
  keep({ language: next });
  await speak(next);
  if (!scene) return;
  sheet.close();
  findings.reset();
  byId("question").dataset.id = "";
  byId("verdict").dataset.said = "";
  for (const view of views.values()) view.close?.();
  views.clear();
  await prepare(await loadScene());
  line.open(next);
  if (tab !== "table") choose(tab);
}

function applyTheme(theme, chosen = false) {
  if (chosen) keep({ theme });
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = { system: "◐", dark: "☾", light: "☀" }[theme];
  byId("theme").setAttribute("aria-label", `${words.theme}: ${words[theme]}`);
}

function applySound(mode, chosen = false) {
  if (chosen) keep({ sound: mode });
  voice.set(mode, chosen);
  byId("sound").replaceChildren(loudspeaker(mode));
  byId("sound").setAttribute("aria-label", `${words.sound}: ${words[`sound-${mode}`]}`);
}

/* --- pairing --- */

function askForCode() {
  enterView("pair");
}

function enterView(name) {
  for (const view of ["splash", "page", "pair"]) byId(view).hidden = view !== name;
}

async function pair(event) {
  event.preventDefault();
  try {
    await tell("/api/pair", { code: byId("pair-code").value });
    byId("pair-problem").textContent = "";
    await enter();
  } catch (problem) {
    byId("pair-problem").textContent = problem.message;
  }
}

/* --- the screen stays on while somebody plays --- */

async function stayAwake() {
  const hold = () => navigator.wakeLock?.request("screen").catch(() => {});
  await hold();
  document.addEventListener("visibilitychange", () => document.hidden || hold());
}
