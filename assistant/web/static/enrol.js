/** Taking in a card: show it to a camera, compare what was read, tap it right, and it is in the pack. */

import { ask, paint, picture, send, tell } from "./api.js";
import { byId, html } from "./dom.js";
import { cardPicture } from "./card.js";

const WIDEST = 2000; // pixels: a phone's photograph is larger than anybody needs
const QUALITY = 0.88;

export class Enrol {
  constructor(view) {
    this.view = view;
    this.page = view.page;
    this.sheet = byId("sheet");
  }

  get words() {
    return this.page.words;
  }

  /** Where does the picture come from? */
  open() {
    const { words } = this;
    const file = html("input.unseen", { type: "file", accept: "image/*", capture: "environment", id: "enrol-file", tabindex: -1, "aria-label": words["enrol-photo"], onchange: () => file.files[0] && this.photograph(file.files[0]) });
    this.problem = html("p.problem", { role: "alert" });
    this.waiting = html("p.soft", { role: "status" });
    this.sheet.replaceChildren(this.head(words["enrol-title"]), html("p", {}, words["enrol-text"]), file,
      html("div.choices", {},
        html("button.button.strong", { type: "button", onclick: () => file.click() }, words["enrol-photo"]),
        this.page.scene.offers.includes("camera") ? html("button.button", { id: "enrol-camera", type: "button", onclick: () => this.look(() => tell("/api/cards/shown/camera")) }, words["enrol-camera"]) : null),
      this.waiting, this.problem);
    this.sheet.hidden = false;
    this.view.editor = "";
    this.sheet.querySelector(".close").focus({ preventScroll: true });
  }

  /** The card that lies in a place of the table. */
  fromZone(zone) {
    this.open();
    return this.look(() => tell(`/api/cards/shown/zones/${encodeURIComponent(zone)}`));
  }

  head(title, state = null) {
    return html("header.sheet-head", {}, html("div", {}, html("h2", { id: "sheet-title" }, title), state), html("button.button.close", { type: "button", "aria-label": this.words.close, onclick: () => this.close() }, "✕"));
  }

  close() {
    this.sheet.hidden = true;
    this.view.refocus();
  }

  async photograph(file) {
    await this.look(async () => {
      const bitmap = await createImageBitmap(file);
      const scale = Math.min(1, WIDEST / Math.max(bitmap.width, bitmap.height));
      const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) });
      canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      return send("/api/cards/shown", await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY)));
    });
  }

  async look(work) {
    this.problem.textContent = "";
    this.waiting.textContent = this.words["enrol-reading"];
    try {
      this.show(await work());
    } catch (problem) {
      this.waiting.textContent = "";
      this.problem.textContent = problem.message;
    }
  }

  /* --- what was read, tapped right --- */

  show(draft) {
    this.draft = draft;
    const best = draft.guesses[0];
    this.choose(best && best.p > 0.5 ? best.card : null);
    picture(`/api/cards/shown/${draft.number}/picture`).then((seen) => { if (seen) { this.seen = seen; this.photo = null; this.draw(); } }).catch(() => {});
  }

  /** One of the pack, or a new card; where the pack knows less than was read, the reading fills the gap. */
  choose(id) {
    const read = this.draft.card;
    const known = this.view.pack.cards.find((card) => card.id === id);
    this.chosen = known ? id : null;
    this.card = structuredClone(known ?? read);
    if (known) for (const field of read.fields) {
      const mine = this.card.fields.find((one) => one.name === field.name);
      if (!mine) this.card.fields.push(structuredClone(field));
      else if (!mine.items) Object.assign(mine, { items: field.items, source: field.source });
    }
    this.card.stone ??= read.stone;
    this.draw();
  }

  draw() {
    const { view, words, draft, card } = this;
    const name = this.chosen ? view.factsOf(card).name : words["enrol-new"];
    const unsure = draft.unsure.map((field) => this.page.scene.fields[field] ?? field);
    this.sheet.replaceChildren(...[
      this.head(name, html("p.soft", {}, words["enrol-compare"])),
      html("div.card-edit.enrol", {},
        html("div.card-large", { "aria-hidden": "true" }, this.shown(), cardPicture(view.sceneWith(card), { card: card.id, side: "up" })),
        html("div", {},
          this.which(),
          unsure.length ? html("p.unread", {}, `${words["enrol-unsure"]}: ${unsure.join(", ")}`) : null,
          this.chosen ? null : this.naming(),
          ...(view.pack.fields[card.kind] ?? []).map((field) => view.field(field, card, () => this.draw())),
          view.stone(card, () => this.draw()))),
      draft.sharp ? null : html("p.soft", {}, words["enrol-blurred"]),
      html("div.choices", {}, html("button.button.strong", { id: "enrol-take", type: "button", onclick: () => this.take() }, words["card-confirm"]), html("button.button", { type: "button", onclick: () => this.open() }, words["enrol-again"])),
    ].filter(Boolean));
  }

  /** The photograph beside the drawing; painted once, as a bitmap can be used only once. */
  shown() {
    if (!this.photo) {
      this.photo = html("canvas.enrol-photo");
      if (this.seen) { paint(this.photo, this.seen); this.seen = null; }
    }
    return this.photo;
  }

  which() {
    const { view, words, draft } = this;
    const chip = (id, text, note) => html("button.chip", { type: "button", "data-guess": id ?? "", "aria-pressed": String(id === this.chosen), onclick: () => this.choose(id) }, text, note ? html("span.soft", {}, ` ${note}`) : null);
    return html("div.chips", { role: "group", "aria-label": words["enrol-which"] },
      ...draft.guesses.map(({ card, p }) => chip(card, view.factsOf({ id: card }).name, `${Math.round(p * 100)} %`)), chip(null, words["enrol-new"]));
  }

  /** A new card has a name of its own, and a kind. */
  naming() {
    const { view, words, card } = this;
    const kinds = Object.keys(view.pack.fields);
    const select = html("select.enrol-kind", { "aria-label": words["card-kinds"], onchange: () => { card.kind = select.value; card.fields = []; this.draw(); } }, ...kinds.map((kind) => html("option", { value: kind, selected: kind === card.kind }, this.page.scene.kinds[kind] ?? kind)));
    const input = html("input.enrol-name", { id: "enrol-name", value: card.id, maxlength: 64, pattern: "[a-z0-9]+(-[a-z0-9]+)*", "aria-label": words["enrol-name"], onchange: () => { card.id = input.value.trim().toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, ""); input.value = card.id; } });
    return html("div.naming", {}, select, input);
  }

  async take() {
    const { card, view, words, page } = this;
    const fields = Object.fromEntries(card.fields.filter((field) => field.items).map((field) => [field.name, field.items.map(([kind, count, number]) => ({ kind, count, number }))]));
    try {
      await tell(`/api/cards/shown/${this.draft.number}/taken`, { card: card.id, kind: card.kind, fields, stone: card.stone });
      view.pack = await ask("/api/cards");
      view.kind = card.kind;
      view.editor = card.id;
      view.draw();
      this.close();
      page.toast(words["enrol-taken"]);
    } catch (problem) {
      page.toast(problem.message);
    }
  }
}
