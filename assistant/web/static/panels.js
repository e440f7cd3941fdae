/** The panels beside the table: now, findings, supply, the second gauge. */

import { byId, html, sign, svg } from "./dom.js";
import { symbol } from "./card.js";

const STATE_OF = { note: "good", warning: "careful", violation: "wrong" };
const SETTLED_SHOWN = 4;

function isCritical(scene, snapshot) {
  const { gauge, critical } = scene.drawing.hero ?? {};
  return Boolean(snapshot.gauges.find((known) => known.name === gauge)?.values[critical]);
}

/** One word for the whole table: good, careful or wrong. */
export function verdictOf(scene, snapshot) {
  const open = snapshot.findings.filter((finding) => finding.fate === "open");
  if (open.some((finding) => finding.severity === "violation") || isCritical(scene, snapshot)) return "wrong";
  if (snapshot.outcome?.won === false) return "wrong";
  const careful = open.some((finding) => finding.severity === "warning") || snapshot.gauges.some((gauge) => gauge.severity === "warning");
  return careful && !snapshot.outcome ? "careful" : "good";
}

export function showNow(scene, words, snapshot) {
  const state = verdictOf(scene, snapshot);
  const verdict = byId("verdict");
  const outcome = snapshot.outcome;
  const said = outcome ? { true: words.won, false: words.lost, null: words.over }[outcome.won] : words[isCritical(scene, snapshot) ? "danger" : { good: "all-right", careful: "careful", wrong: "wrong" }[state]];
  if (verdict.dataset.state !== state || verdict.dataset.said !== said) {
    verdict.dataset.state = state;
    verdict.dataset.said = said;
    verdict.replaceChildren(sign(state, 44), html("span", {}, said));
    document.body.dataset.state = state;
  }
  byId("round").textContent = `${words.round} ${snapshot.round}`;
  byId("now-title").textContent = snapshot.phase;
  byId("doing").replaceChildren(...doing(words, snapshot));
  byId("checklist").replaceChildren(...gathered(snapshot.checklist).map(({ text, done, times }) =>
    html(done ? "li.done" : "li", {}, html("span.tick", { "aria-hidden": "true" }, done ? "✓" : "○"), html("span", {}, text, times > 1 ? html("b", {}, ` × ${times}`) : null))));
  byId("done").hidden = snapshot.camera.state === "none" || Boolean(outcome); // a robot needs nobody to tell it
  const shown = new Set([scene.drawing.hero?.gauge, scene.drawing.meter?.gauge]);
  const others = snapshot.gauges.filter((gauge) => !shown.has(gauge.name) && (gauge.severity || !/-\d+$/.test(gauge.name)));
  byId("gauges").replaceChildren(...others.map((gauge) =>
    html("li", {}, ...(gauge.severity ? [sign(STATE_OF[gauge.severity], 18)] : []), html("span", {}, gauge.sentence))));
}

/** The same thing to do several times is one line. */
function gathered(checks) {
  const lines = new Map();
  for (const { text, done } of checks) {
    const key = `${done} ${text}`;
    if (lines.has(key)) lines.get(key).times += 1;
    else lines.set(key, { text, done, times: 1 });
  }
  return [...lines.values()];
}

/** Whether a move of the log is told as one that breaks a rule. */
export const breaks = (line) => line.notation.startsWith("!");

function doing(words, snapshot) {
  if (snapshot.outcome) return [html("p.doing-text", {}, snapshot.outcome.sentence)];
  const progress = snapshot.progress;
  if (!progress) {
    const last = snapshot.log.at(-1);
    return last ? [html(breaks(last) ? "p.doing-text.broken" : "p.doing-text.soft", {}, html("span.arrow", { "aria-hidden": "true" }, breaks(last) ? "✕" : "✓"), last.sentence)] : [html("p.soft", {}, words.waiting)];
  }
  const parts = [html("p.doing-text", {}, html("span.arrow", { "aria-hidden": "true" }, "▸"), progress.doing)];
  if (progress.missing.length) {
    parts.push(html("p.soft", {}, words.missing), html("ul.missing", {}, ...progress.missing.map((text) => html("li", {}, text))));
  }
  return parts;
}

export function showQuestion(snapshot, onAnswer) {
  const root = byId("question");
  const question = snapshot.question;
  root.hidden = !question;
  if (!question || root.dataset.id === String(question.id)) return;
  root.dataset.id = question.id;
  root.replaceChildren(html("p", {}, question.text), html("div.choices", {}, ...question.answers.map((answer) =>
    html("button.button", { type: "button", onclick: () => onAnswer(question.id, answer.answer) }, answer.text))));
}

/** Only what changed is touched, so that a screen reader says each finding once. */
export class Findings {
  constructor({ onDecide, onPlace }) {
    this.list = byId("finding-list");
    this.onDecide = onDecide;
    this.onPlace = onPlace;
    this.shown = new Map();
  }

  reset() {
    this.shown.clear();
    this.list.replaceChildren();
  }

  show(words, snapshot) {
    const newest = [...snapshot.findings].sort((a, b) => b.id - a.id);
    const open = newest.filter((finding) => finding.fate === "open");
    const settled = newest.filter((finding) => finding.fate !== "open").slice(0, SETTLED_SHOWN);
    const wanted = [...open, ...settled];
    const keep = new Set(wanted.map((finding) => finding.id));
    for (const [id, row] of this.shown) if (!keep.has(id)) { row.element.remove(); this.shown.delete(id); }
    this.list.querySelector(".nothing")?.remove();
    wanted.forEach((finding, index) => {
      const key = JSON.stringify([finding.fate, finding.sentence]);
      let row = this.shown.get(finding.id);
      if (row?.key !== key) {
        const element = this.row(words, finding);
        row?.element.replaceWith(element);
        row = { key, element };
        this.shown.set(finding.id, row);
      }
      if (this.list.children[index] !== row.element) this.list.insertBefore(row.element, this.list.children[index] ?? null);
    });
    if (!wanted.length) this.list.append(html("li.nothing.soft", {}, words["no-findings"]));
    this.alarm(words, open.find((finding) => finding.severity === "violation"));
  }

  row(words, finding) {
    const state = STATE_OF[finding.severity];
    const open = finding.fate === "open";
    const row = html(`li.finding.${state}${open ? "" : ".settled"}`, { "data-finding": finding.id },
      sign(state, 26),
      html("div", {},
        html("p.finding-head", {}, html("strong", {}, open ? words[finding.severity] : words[finding.fate]), html("span.rule", {}, finding.rule)),
        html("p", {}, finding.sentence),
        open && finding.words ? html("p.rule-words", {}, finding.words, finding.book ? html("cite", {}, `${words.rulebook} ${finding.book}`) : null) : null,
        open ? this.buttons(words, finding) : this.undo(words, finding)));
    return row;
  }

  buttons(words, finding) {
    const decide = (fate) => () => this.onDecide(finding.id, fate);
    return html("div.choices", {},
      finding.severity === "violation" ? html("button.button.small", { type: "button", onclick: decide("accepted") }, words.accept) : null,
      html("button.button.small", { type: "button", onclick: decide("dismissed") }, words.dismiss),
      finding.zones.length ? html("button.button.small", { type: "button", onclick: () => this.onPlace(finding.zones[0]) }, words["show-place"]) : null);
  }

  /** What the player decided can be taken back; what was put right on the table cannot. */
  undo(words, finding) {
    if (finding.fate === "mended") return null;
    return html("div.choices", {}, html("button.button.small", { type: "button", onclick: () => this.onDecide(finding.id, "open") }, words.undo));
  }

  /** A broken rule may take the width of the page. */
  alarm(words, finding) {
    const root = byId("alarm");
    root.hidden = !finding;
    const key = finding ? `${finding.id} ${finding.sentence}` : "";
    if (root.dataset.key === key) return;
    root.dataset.key = key;
    root.replaceChildren(...(finding ? [sign("wrong", 34),
      html("p", {}, html("strong", {}, words.violation), html("span.rule", {}, finding.rule), html("span", {}, finding.sentence))] : []));
  }
}

export function showSupply(scene, snapshot, onZone) {
  byId("purse").hidden = !scene.drawing.supply && !scene.drawing.meter;
  if (!scene.drawing.supply) return;
  const { zone, groups } = scene.drawing.supply;
  const pieces = snapshot.view.find((view) => view.zone === zone)?.pieces ?? {};
  const root = byId("supply");
  root.setAttribute("aria-label", scene.words.supply);
  const key = JSON.stringify(pieces) + scene.language;
  if (root.dataset.key === key) return;
  const before = root.dataset.key ? JSON.parse(root.dataset.counts) : null;
  root.dataset.key = key;
  root.dataset.counts = JSON.stringify(pieces);
  root.replaceChildren(...groups.flatMap((group) => group.map((kind, index) => {
    const count = pieces[kind] ?? 0;
    const changed = before && (before[kind] ?? 0) !== count ? (before[kind] ?? 0) < count ? ".grown" : ".shrunk" : "";
    return html(`li.stock${index === 0 ? ".first" : ""}${count ? "" : ".none"}${changed}`, {},
      html("button.stock-button", { type: "button", "aria-label": `${count} ${scene.items[kind] ?? kind}`, onclick: () => onZone(zone) },
        svg("svg", { viewBox: "0 0 64 64", "aria-hidden": "true" }, symbol(kind, 32, 32, 64)), html("span.number", { "aria-hidden": "true" }, String(count))));
  })));
}

export function showMeter(scene, words, snapshot) {
  const spec = scene.drawing.meter;
  const gauge = spec && snapshot.gauges.find((known) => known.name === spec.gauge);
  const root = byId("meter");
  root.hidden = !gauge;
  if (!gauge) return;
  const { [spec.now]: now, [spec.after]: after, [spec.deadly]: deadly } = gauge.values;
  root.dataset.state = deadly ? "wrong" : "good";
  const slots = Array.from({ length: spec.of }, (_, index) => {
    const state = index < now ? "now" : index < after ? "coming" : "free";
    return svg(`g.meter-slot.${state}`, { transform: `translate(${index * 26} 0)` },
      svg("path", { d: "M2 3q10 -4 20 0v12q-2 10 -10 14q-8 -4 -10 -14z" }),
      state === "now" ? svg("path.mark", { d: "M7 8l10 12M17 8L7 20" }) : null);
  });
  root.replaceChildren(
    html("span.meter-name", {}, scene.words.meter),
    svg("svg.meter-slots", { viewBox: `0 0 ${spec.of * 26} 32`, "aria-hidden": "true" }, ...slots),
    html("span.meter-text", { title: gauge.sentence }, html("b", {}, String(now)), html("span.soft", {}, ` → `), html("b", {}, String(after)), html("span.soft", {}, ` ${words.of} ${spec.of}`)),
    ...(deadly ? [sign("wrong", 24)] : []));
}
