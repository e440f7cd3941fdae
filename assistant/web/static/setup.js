/** The set-up, item by item: what it is, where it belongs, and whether it is so. */

import { ask } from "./api.js";
import { html, sign, svg } from "./dom.js";
import { drawCard, symbol } from "./card.js";

const UNIT = 1000;
const CARD = [125, 195];

export class View {
  constructor(root, page) {
    this.root = root;
    this.page = page;
  }

  async open() {
    const { words, scene } = this.page;
    this.example ??= new Map((await ask("/api/setup").catch(() => [])).map((zone) => [zone.zone, zone]));
    this.items = scene.setup.map((item) => ({ item, element: html("li.setup-item", {}, this.drawing(item), html("p.setup-text"), html("p.setup-state")) }));
    this.wizard = html("div.wizard", { id: "wizard" });
    this.summary = html("p.setup-summary", { "aria-live": "polite" });
    this.begin = html("div.setup-begin");
    this.begun = undefined;
    this.root.replaceChildren(html("div.setup-head", {}, html("h2", {}, words["setup-title"]), this.summary), this.begin, this.wizard, html("ol.setup-list", {}, ...this.items.map(({ element }) => element)));
    if (this.page.snapshot) this.show(this.page.snapshot);
    if (scene.offers.includes("calibration")) {
      const { mount } = await import("./wizard.js");
      mount(this.wizard, this.page);
    }
  }

  close() {
    this.wizard?.dispatchEvent(new Event("leave"));
  }

  /** While the game is being set up its checklist is the set-up: said in the same words. */
  show(snapshot) {
    if (!this.items) return;
    const { words } = this.page;
    const checks = new Map(snapshot.checklist.map(({ text, done }) => [text, done]));
    const begun = snapshot.round > 0;
    const states = this.items.map(({ item }) => (checks.has(item.text) ? (checks.get(item.text) ? "good" : "careful") : begun ? "good" : "open"));
    this.items.forEach(({ item, element }, index) => {
      const state = states[index];
      if (element.dataset.state === state) return;
      element.dataset.state = state;
      element.children[1].textContent = item.text;
      element.children[2].replaceChildren(...(state === "open" ? [html("span.soft", {}, words["setup-open"])] : [sign(state, 22), html("span", {}, words[state === "good" ? "setup-good" : "setup-look"])]));
    });
    this.showBegin(begun);
    const good = states.filter((state) => state === "good").length;
    this.summary.textContent = begun && good === states.length ? words["setup-begun"] : `${good} ${words.of} ${states.length}`;
  }

  /** A game that is met in the middle, one that is lost from sight, the next one: only at a table with a camera. */
  showBegin(begun) {
    if (!this.page.scene.offers.includes("begin") || this.begun === begun) return;
    this.begun = begun;
    this.begin.replaceChildren(...(begun ? this.another() : this.underWay()));
  }

  /** The table taken at its word; and another game, asked twice: this one counts as left unfinished. */
  another() {
    const { words, act } = this.page;
    const sure = html("button.button.small", { type: "button", id: "begin-sure", hidden: true, onclick: () => act("/api/game/another") }, words["setup-sure"]);
    return [
      html("p.soft", {}, words["setup-lies-why"]),
      html("button.button.small", { type: "button", id: "as-it-lies", onclick: () => act("/api/game/as-it-lies") }, words["setup-lies"]),
      html("button.button.small", { type: "button", id: "begin-another", onclick: () => { sure.hidden = false; sure.focus(); } }, words["setup-another"]), sure,
    ];
  }

  underWay() {
    const { words, act } = this.page;
    const round = html("input", { id: "begin-round", type: "number", min: 1, max: 99, value: 1, inputmode: "numeric", "aria-label": words.round });
    return [
      html("p.soft", {}, words["setup-under-way"]),
      html("label", { for: "begin-round" }, words.round), round,
      html("button.button.small", { type: "button", id: "begin-here", onclick: () => act("/api/game/under-way", { round: Math.min(99, Math.max(1, Math.round(Number(round.value)) || 1)) }) }, words["setup-here"]),
    ];
  }

  /** Every place faintly, those of this item with what belongs there. */
  drawing(item) {
    const { scene } = this.page;
    const mine = new Set(item.zones);
    const { view, zones: placed, hidden } = scene.drawing.wide;
    const boxOf = (zone) => (placed[zone.id] ?? zone.box).map((value) => value * UNIT);
    const shown = scene.zones.filter((zone) => !hidden.includes(zone.id));
    const [bx, by, bw, bh] = scene.board.map((value) => value * UNIT);
    return svg("svg.setup-drawing", { viewBox: view.map((value) => value * UNIT).join(" "), "aria-hidden": "true" },
      svg("rect.setup-board", { x: bx, y: by, width: bw, height: bh, rx: 12 }),
      ...shown.filter((zone) => !mine.has(zone.id)).map((zone) => rect("setup-place", boxOf(zone))),
      ...shown.filter((zone) => mine.has(zone.id)).flatMap((zone) => [...this.contents(zone, boxOf(zone)), rect("setup-here", boxOf(zone))]));
  }

  contents(zone, [x, y, width, height]) {
    const view = this.example.get(zone.id);
    const card = view?.cards.at(-1);
    const pieces = Object.keys(view?.pieces ?? {});
    const size = Math.max(70, Math.min(width, height));
    return [
      card && zone.kind !== "spread" ? svg("g", { transform: `translate(${x} ${y}) scale(${width / CARD[0]} ${height / CARD[1]})` }, drawCard(this.page.scene, card, zone.cards)) : null,
      ...(zone.kind === "heap" || zone.kind === "spread" ? [] : pieces.map((kind) => symbol(kind, x + width / 2, y + height / 2, size))),
    ].filter(Boolean);
  }
}

const rect = (name, [x, y, width, height]) => svg(`rect.${name}`, { x, y, width, height, rx: 10 });
