/** The page: asks for its words and the scene, opens the live line, and draws every snapshot. */

import { ask, setLanguage, tell } from "./api.js";
import { byId } from "./dom.js";
import { Hero } from "./hero.js";
import { Line } from "./line.js";
import { Findings, showLog, showMeter, showNow, showQuestion, showSupply } from "./panels.js";
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
const sheet = new Sheet({ onDone: () => toast(words.corrected), onProblem: (problem) => toast(problem.message), onClose: (zone) => table.focus(zone) });
const openZone = (zone) => snapshot && sheet.open(scene, words, snapshot, zone);
const table = new Table({ onZone: openZone });
const findings = new Findings({ onDecide: (id, fate) => act(`/api/findings/${id}/fate`, { fate }), onPlace: openZone });
const line = new Line({ onSnapshot: show, onState: showState, onStranger: askForCode, onReturn: async () => prepare(await loadScene()) });

start();

async function start() {
  applyTheme(kept.theme ?? "system");
  await speak(kept.language ?? navigator.language.slice(0, 2));
  byId("tab-table").onclick = () => choose("table");
  byId("tab-log").onclick = () => choose("log");
  byId("bar").addEventListener("keydown", moveTab);
  byId("undo").onclick = () => act("/api/undo");
  byId("theme").onclick = () => applyTheme({ system: "dark", dark: "light", light: "system" }[kept.theme ?? "system"], true);
  byId("sound").onclick = () => applySound(MODES[(MODES.indexOf(voice.mode) + 1) % MODES.length], true);
  byId("language").onclick = switchLanguage;
  byId("pair-form").onsubmit = pair;
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
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
}

async function loadPictures() {
  const home = byId("symbols");
  if (home.childElementCount) return;
  const sheetText = await (await fetch("/static/symbols.svg")).text();
  for (const text of [sheetText, scene.pictures]) {
    const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    home.append(document.importNode(drawing, true));
  }
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
  if (!byId("log-view").hidden) addToLog();
  else table.show(snapshot);
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
  byId("cut").hidden = state !== "offline";
  byId("cut").textContent = words.reconnecting ?? "";
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

/* --- tabs and the log --- */

let log = [];

function choose(name) {
  for (const tab of ["table", "log"]) {
    byId(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    byId(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
    byId(`${tab}-view`).hidden = tab !== name;
  }
  document.body.dataset.tab = name;
  if (name === "table" && snapshot) table.show(snapshot);
  if (name === "log") loadLog();
}

function moveTab(event) {
  if (event.target.role !== "tab" && event.target.getAttribute("role") !== "tab") return;
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const other = event.target.id === "tab-table" ? "log" : "table";
  choose(other);
  byId(`tab-${other}`).focus();
}

async function loadLog() {
  log = await ask("/api/log").catch(() => snapshot?.log ?? []);
  showLog(words, log);
}

function addToLog() {
  const known = log.slice(0, Math.max(0, snapshot.moves - snapshot.log.length));
  if (known.length < snapshot.moves - snapshot.log.length) { loadLog(); return; }
  log = [...known, ...snapshot.log];
  showLog(words, log);
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
  await prepare(await loadScene());
  line.open(next);
  if (document.body.dataset.tab === "log") loadLog();
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
