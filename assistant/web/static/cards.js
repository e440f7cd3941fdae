/** The pack as a gallery: every card as it is drawn on the table, what is known of it, and facts by tapping. */

import { ask, tell } from "./api.js";
import { byId, html, sign, svg } from "./dom.js";
import { cardPicture, drawItem } from "./card.js";

const STATES = { confirmed: "good", known: "good", gaps: "careful" };

export class View {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.kind = null;
    this.editor = null;
    this.chips = html("div.chips", { role: "group", "aria-label": page.words["card-kinds"] });
    this.grid = html("ul.gallery", { tabindex: 0, "aria-labelledby": "tab-cards" });
    this.note = html("p.soft.pack-note");
    this.enrolling = page.scene.offers.includes("enrol") ? html("button.button.strong", { id: "enrol", type: "button", onclick: () => this.enrol() }, page.words["enrol-title"]) : null;
    root.replaceChildren(html("div.cards-head", {}, this.chips, html("div.pack-line", {}, this.note, this.enrolling)), this.grid);
  }

  async open() {
    try {
      this.pack = await ask("/api/cards");
    } catch (problem) {
      this.page.toast(problem.message);
      return;
    }
    this.draw();
  }

  /** Shows a new card to a camera, or takes the one that lies in a place of the table. */
  async enrol(zone = null) {
    const { Enrol } = await import("./enrol.js");
    const enrolment = new Enrol(this);
    await (zone ? enrolment.fromZone(zone) : enrolment.open());
  }

  refocus() {
    (this.grid.querySelector(`[data-card="${this.editor}"]`) ?? this.enrolling)?.focus();
    this.editor = null;
  }

  close() {
    if (this.editor !== null) byId("sheet").hidden = true;
    this.editor = null;
  }

  draw() {
    const { scene, words } = this.page;
    const kinds = [...new Set(this.pack.cards.map((card) => card.kind))];
    this.kind ??= kinds[0];
    const gaps = this.pack.cards.filter((card) => card.state === "gaps").length;
    this.note.textContent = `${this.pack.name} · ${this.pack.cards.length} ${words.cards}${gaps ? ` · ${gaps} ${words["cards-gaps"]}` : ""}${this.pack.mine ? "" : ` · ${words["cards-demo"]}`}`;
    this.chips.replaceChildren(...kinds.map((kind) => html("button.chip", { type: "button", "aria-pressed": String(kind === this.kind), onclick: () => { this.kind = kind; this.draw(); this.grid.scrollTop = 0; } },
      scene.kinds[kind] ?? kind, html("span.soft", {}, ` ${this.pack.cards.filter((card) => card.kind === kind).length}`))));
    this.grid.replaceChildren(...this.pack.cards.filter((card) => card.kind === this.kind).map((card) => this.cell(card)));
  }

  cell(card) {
    const { words } = this.page;
    const facts = this.factsOf(card);
    return html("li.cell", {}, html("div", { "aria-hidden": "true" }, cardPicture(this.sceneWith(card), { card: card.id, side: "up" }), card.copies > 1 ? html("span.note", {}, `× ${card.copies}`) : null),
      html("p.cell-name", { "aria-hidden": "true" }, ...nameParts(facts.name)),
      html("p.cell-state", { "aria-hidden": "true" }, card.state === "known" ? null : sign(STATES[card.state], 18), html("span", {}, words[`card-${card.state}`]), card.enrolled ? html("span.enrolled", { title: words["card-enrolled"] }, "◉") : null),
      html("button", { type: "button", "data-card": card.id, "aria-label": `${facts.name}, ${words[`card-${card.state}`]}${card.enrolled ? `, ${words["card-enrolled"]}` : ""}`, onclick: () => this.edit(card) }));
  }

  factsOf(card) {
    return this.page.scene.cardById.get(card.id) ?? { name: card.id, picture: null };
  }

  /** The scene with this card as the pack on disk has it, which may be newer than the game. */
  sceneWith(card) {
    const facts = { ...this.factsOf(card), kind: card.kind, stone: card.stone, fields: Object.fromEntries(card.fields.map((field) => [field.name, field.items])) };
    return { ...this.page.scene, cardById: new Map([[card.id, facts]]) };
  }

  /* --- one card: its fields, tapped right --- */

  edit(card) {
    const { words } = this.page;
    const draft = structuredClone(card);
    const sheet = byId("sheet");
    this.editor = card.id;
    const close = () => { sheet.hidden = true; this.refocus(); };
    const show = () => {
      const fields = this.pack.fields[card.kind] ?? [];
      sheet.replaceChildren(
        html("header.sheet-head", {}, html("div", {}, html("h2", { id: "sheet-title" }, this.factsOf(card).name), html("p.certainty", {}, sign(STATES[draft.state], 20), words[`card-${draft.state}`])),
          html("button.button.close", { type: "button", "aria-label": words.close, onclick: close }, "✕")),
        html("div.card-edit", {}, html("div.card-large", { "aria-hidden": "true" }, cardPicture(this.sceneWith(draft), { card: card.id, side: "up" })), html("div", {}, ...fields.map((field) => this.field(field, draft, show)), this.stone(draft, show))),
        this.pack.mine ? html("button.button.strong", { type: "button", id: "confirm-card", onclick: () => this.save(draft, close) }, words["card-confirm"]) : html("p.soft", {}, words["cards-read-only"]));
    };
    show();
    sheet.hidden = false;
    sheet.querySelector(".close").focus({ preventScroll: true });
  }

  field(rules, draft, redraw) {
    const { scene, words } = this.page;
    const known = draft.fields.find((field) => field.name === rules.name);
    const items = known?.items ?? null;
    const change = (changed) => {
      if (known) known.items = changed;
      else draft.fields.push({ name: rules.name, source: "confirmed", items: changed });
      draft.touched = { ...draft.touched, [rules.name]: true };
      redraw();
    };
    const chip = (item, index) => html("button.item-chip", { type: "button", disabled: !this.pack.mine, "aria-label": `${words["item-remove"]}: ${scene.items[item[0]] ?? item[0]}`, onclick: () => change(items.filter((_, other) => other !== index)) }, itemPicture(item));
    // A turtle carries its number, typed beside it.
    const number = (item) => html("input.item-number-input", { type: "number", min: 0, max: 999, value: item[2], "aria-label": `${scene.items[item[0]] ?? item[0]} #`, onchange: (event) => { item[2] = Math.min(999, Math.max(0, Number(event.target.value) || 0)); change(items); } });
    const add = (kind) => html("button.item-chip.add", { type: "button", "aria-label": `${words["item-add"]}: ${scene.items[kind] ?? kind}`, onclick: () => change([...(items ?? []), [kind, 1, this.pack.numbered.includes(kind) ? 1 : null]]) }, itemPicture([kind, 1, null]));
    return html("fieldset.fact", {}, html("legend", {}, scene.fields[rules.name] ?? rules.name, known ? html("span.soft", {}, ` · ${words[`source-${known.source}`]}`) : null),
      html("div.items", {}, ...(items ? (items.length ? items.flatMap((item, index) => [chip(item, index), this.pack.mine && item[2] !== null ? number(item) : null].filter(Boolean)) : [html("span.soft", {}, words["item-none"])]) : [html("span.unread", {}, words["item-unread"])])),
      this.pack.mine && (items?.length ?? 0) < rules.most ? html("details", {}, html("summary", {}, words["item-add"]), html("div.items", {}, ...rules.items.map(add))) : null);
  }

  /** The number on the grey stone. */
  stone(draft, redraw) {
    const { words } = this.page;
    if (!this.pack.stones.includes(draft.kind)) return null;
    const input = html("input.item-number-input", { type: "number", min: 0, max: 999, value: draft.stone ?? "", disabled: !this.pack.mine, "aria-label": words["card-stone"], onchange: () => { draft.stone = input.value === "" ? null : Math.min(999, Math.max(0, Number(input.value) || 0)); redraw(); } });
    return html("fieldset.fact", {}, html("legend", {}, words["card-stone"]), html("div.items", {}, itemPicture(["stone", 1, null]), input));
  }

  async save(draft, close) {
    const fields = Object.fromEntries(draft.fields.filter((field) => draft.touched?.[field.name] && field.items).map((field) => [field.name, field.items.map(([kind, count, number]) => ({ kind, count, number }))]));
    try {
      const after = await tell(`/api/cards/${encodeURIComponent(draft.id)}/facts`, { fields, stone: draft.stone });
      this.pack.cards = this.pack.cards.map((card) => (card.id === after.id ? after : card));
      this.draw();
      close();
      this.page.toast(this.page.words["card-saved"]);
    } catch (problem) {
      this.page.toast(problem.message);
    }
  }
}

/** Who is on the card, and below it what tells it from the others. */
function nameParts(name) {
  const [, who, what] = name.match(/^(.*?) \((.*)\)$/) ?? [null, name, ""];
  return [html("b", {}, who), html("span.soft", {}, what)];
}

const itemPicture = (item) => svg("svg", { viewBox: "0 0 64 64", width: 40, height: 40, "aria-hidden": "true" }, ...drawItem(item, 32, 32, 52));
