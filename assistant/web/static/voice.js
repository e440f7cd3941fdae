/** Warnings for the ear: a chime, or a chime and the sentence spoken; off until the player wants it. */

import { svg } from "./dom.js";

export const MODES = ["off", "chime", "voice"];
const PAUSE_MS = 8_000; // never more often: a table that is being set right must not be nagged
const PITCHES = { warning: [523], violation: [440, 330] };
const BUZZ_MS = { warning: [80], violation: [120, 80, 120] };

export class Voice {
  mode = "off";
  told = new Set();
  waiting = [];
  begun = false;
  quietUntil = 0;

  /** Called by a tap, as browsers let a page make sounds only after one. */
  set(mode, byTap = false) {
    this.mode = mode;
    if (mode === "off") window.speechSynthesis?.cancel();
    else if (byTap) this.chime("warning");
  }

  /** What is new and matters is told once, the gravest first; what was there when the page opened is not. */
  hear(scene, snapshot, language) {
    const news = newsOf(scene, snapshot);
    if (!this.begun) for (const { key } of news) this.told.add(key);
    this.begun = true;
    this.waiting = news.filter(({ key }) => !this.told.has(key));
    this.language = language;
    this.tell();
  }

  /** What came during the pause is told after it, if it still holds then. */
  tell() {
    clearTimeout(this.timer);
    const gravest = this.waiting.find(({ severity }) => severity === "violation") ?? this.waiting[0];
    if (!gravest) return;
    if (this.mode === "off") { for (const { key } of this.waiting) this.told.add(key); return; }
    const rest = this.quietUntil - performance.now();
    if (rest > 0) { this.timer = setTimeout(() => this.tell(), rest); return; }
    for (const { key } of this.waiting) this.told.add(key);
    this.waiting = [];
    this.quietUntil = performance.now() + PAUSE_MS;
    this.chime(gravest.severity);
    navigator.vibrate?.(BUZZ_MS[gravest.severity]);
    if (this.mode === "voice") this.speak(gravest.sentence, this.language);
  }

  chime(severity) {
    this.audio ??= new AudioContext();
    PITCHES[severity].forEach((pitch, index) => {
      const start = this.audio.currentTime + index * 0.22;
      const tone = this.audio.createOscillator();
      const level = this.audio.createGain();
      tone.type = "triangle";
      tone.frequency.value = pitch;
      level.gain.setValueAtTime(0.0001, start);
      level.gain.exponentialRampToValueAtTime(0.25, start + 0.02);
      level.gain.exponentialRampToValueAtTime(0.0001, start + 0.5);
      tone.connect(level).connect(this.audio.destination);
      tone.start(start);
      tone.stop(start + 0.55);
    });
  }

  speak(sentence, language) {
    if (!window.speechSynthesis) return;
    const said = new SpeechSynthesisUtterance(sentence);
    said.lang = language;
    speechSynthesis.cancel();
    speechSynthesis.speak(said);
  }
}

function newsOf(scene, snapshot) {
  const found = snapshot.findings
    .filter((finding) => finding.fate === "open" && finding.severity !== "note")
    .map((finding) => ({ key: `finding ${finding.id}`, severity: finding.severity, sentence: finding.sentence }));
  const { gauge, critical, at } = scene.drawing.hero ?? {};
  const hero = snapshot.gauges.find((known) => known.name === gauge);
  if (hero?.values[critical]) {
    found.push({ key: `critical ${snapshot.round} ${hero.values[at]}`, severity: "violation", sentence: hero.sentence });
  }
  return found;
}

/** A loudspeaker: crossed out, with one wave, with three. */
export function loudspeaker(mode) {
  const waves = { off: "M17 9l6 6M23 9l-6 6", chime: "M17 9q3 3 0 6", voice: "M17 9q3 3 0 6M19.5 6.500q5.500 5.500 0 11M22 4q8 8 0 16" }[mode];
  return svg("svg", { viewBox: "0 0 28 24", width: 26, height: 24, "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" },
    svg("path", { d: "M3 9h4l6 -5v16l-6 -5H3z", fill: "currentColor" }), svg("path", { d: waves }));
}
