/** Hints: off until the player asks, and never more than was asked for. */

import { ask } from "./api.js";
import { byId, html, sign, svg } from "./dom.js";

const STRENGTHS = ["off", "nudge", "plan", "best"];
const AGAIN_MS = 700; // a better answer is on its way

export class Hints {
  constructor({ strength, onStrength }) {
    this.strength = STRENGTHS.includes(strength) ? strength : "off";
    this.onStrength = onStrength;
    this.answer = byId("hint");
    byId("hint-strength").addEventListener("keydown", (event) => this.key(event));
  }

  set(words) {
    this.words = words;
    this.number = null;
    this.draw();
  }

  draw() {
    const { words } = this;
    byId("hint-strength").replaceChildren(...STRENGTHS.map((strength) => html("button", {
      type: "button", role: "radio", "aria-checked": String(strength === this.strength), "data-strength": strength, tabindex: strength === this.strength ? 0 : -1, onclick: () => this.choose(strength),
    }, words[`hint-${strength}`])));
    if (this.strength === "off") this.answer.replaceChildren();
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.choose(STRENGTHS[(STRENGTHS.indexOf(this.strength) + step + STRENGTHS.length) % STRENGTHS.length]);
    byId("hint-strength").querySelector('[aria-checked="true"]').focus();
  }

  choose(strength) {
    this.strength = strength;
    this.onStrength(strength);
    this.draw();
    this.number = null;
    if (this.snapshot) this.show(this.snapshot);
  }

  /** A new position asks again; the old answer stays, faded, until there is a new one. */
  show(snapshot) {
    this.snapshot = snapshot;
    if (this.strength === "off" || snapshot.number === this.number) return;
    this.number = snapshot.number;
    this.ask();
  }

  async ask() {
    clearTimeout(this.timer);
    if (this.asking) { this.again = true; return; }
    this.asking = true;
    const { strength } = this;
    const advice = await ask(`/api/advice?strength=${strength}`).catch(() => null);
    this.asking = false;
    if (advice && strength === this.strength) this.say(advice);
    if (this.again || strength !== this.strength) { this.again = false; if (this.strength !== "off") this.ask(); }
    else if (advice?.thinking) this.timer = setTimeout(() => this.ask(), AGAIN_MS);
  }

  say(advice) {
    const { words } = this;
    const key = JSON.stringify({ ...advice, snapshot: 0 });
    if (key === this.said && this.answer.childElementCount) return;
    this.said = key;
    const [best, ...others] = advice.moves;
    this.answer.replaceChildren(...[
      advice.plain ? html("p.soft", {}, advice.plain) : null,
      ...advice.warnings.map((text) => html("p.hint-warning", {}, sign("careful", 22), html("span", {}, text))),
      best ? this.move(best, "best") : null,
      advice.win ? this.chance(advice.win) : null,
      others.length ? html("ol.runners", { "aria-label": words["hint-others"] }, ...others.map((move) => html("li", {}, this.move(move, "other")))) : null,
      advice.plan ? html("div.plan", {}, ...advice.plan.goals.map((text) => html("p.goal", {}, text)), html("ol", {}, ...advice.plan.steps.map((text, index) => html("li", {}, html("span.step", { "aria-hidden": "true" }, String(index + 1)), html("span", {}, text))))) : null,
      ...advice.nudges.map((text) => html("p.nudge", {}, text)),
      advice.thinking ? html("p.soft.thinking", {}, words["hint-thinking"]) : null,
    ].filter(Boolean));
    if (!this.answer.childElementCount) this.answer.append(html("p.soft", {}, words["hint-nothing"]));
  }

  move(move, rank) {
    const because = move.because.map((text) => html("p.because", {}, text));
    const win = rank === "other" && move.win ? html("span.number.soft", {}, ` ${Math.round(move.win.p * 100)} %`) : null;
    return html(`div.hint-move.${rank}`, {}, html("p.hint-words", {}, move.sentence, win), ...(rank === "best" ? because : []));
  }

  /** A bar from sure loss to sure win; the paler part is how sure we are. */
  chance({ p, low, high }) {
    const percent = (value) => Math.round(value * 100);
    return html("div.win", {},
      html("p", {}, this.words.win, " ", html("b", {}, `${percent(p)} %`), html("span.soft", {}, ` (${percent(low)}–${percent(high)})`)),
      svg("svg.win-bar", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect.meter-ground", { width: 100, height: 10, rx: 3 }), svg("rect.win-range", { x: low * 100, width: Math.max(1, (high - low) * 100), height: 10 }), svg("rect.win-mark", { x: p * 100 - 0.8, width: 1.6, height: 10 })));
  }
}
