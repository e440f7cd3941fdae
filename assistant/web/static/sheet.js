/** The sheet of one zone: what was read, and what really lies there, in one more tap. */

import { byId, html, svg } from "./dom.js";
import { cardPicture, cardWords, symbol } from "./card.js";
import { paint, picture, tell } from "./api.js";

export class Sheet {
  constructor({ onDone, onProblem, onClose, onEnrol }) {
    this.root = byId("sheet");
    this.onDone = onDone;
    this.onProblem = onProblem;
    this.onClose = onClose;
    this.onEnrol = onEnrol;
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  get isOpen() {
    return !this.root.hidden;
  }

  /** `path` is where the player's word goes: to the game as it is, or to an earlier move of it. */
  open(scene, words, snapshot, id, path = "/api/zones") {
    const zone = scene.zoneById.get(id);
    if (!zone) return;
    Object.assign(this, { scene, words, zone, path });
    const view = snapshot.view.find((known) => known.zone === id) ?? { cards: [], pieces: {} };
    const status = snapshot.zones.find((known) => known.zone === id);
    this.view = view;
    this.root.replaceChildren(
      html("header.sheet-head", {},
        html("div", {}, html("h2", { id: "sheet-title" }, zone.name),
          html("p.certainty", {}, html(`span.mark.${status?.certainty ?? "seen"}`, { "aria-hidden": "true" }), words[status?.certainty ?? "seen"], status?.why ? `: ${status.why}` : "")),
        html("button.button.close", { type: "button", "aria-label": words.close, onclick: () => this.close() }, "✕")),
      html("div.sheet-now", {}, ...this.now(view), this.crop()),
      html("h3", {}, words.correct),
      ...(zone.cards.length ? this.cards(view, status) : []),
      ...(zone.pieces.length ? this.pieces(view) : []));
    const was = this.root.hidden;
    this.root.hidden = false;
    if (was) this.root.querySelector(".close").focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    this.root.hidden = true;
    this.onClose(this.zone?.id);
  }

  /** What we believe lies here, large enough to compare with the table. */
  now(view) {
    const { scene, words, zone } = this;
    const shown = view.cards.slice(-6).map((placed) =>
      html("figure", {}, cardPicture(scene, placed, zone.cards), html("figcaption.soft", {}, placed.side === "up" && scene.cardById.get(placed.card)?.name || cardWords(scene, words, placed))));
    return shown;
  }

  /** What the camera sees there just now, to compare with; nothing where it is not in view. */
  crop() {
    const { scene, words, zone, path } = this;
    if (!scene.offers.includes("camera") || path !== "/api/zones") return null;
    const canvas = html("canvas", { role: "img", "aria-label": words["camera-sees"] });
    const figure = html("figure.crop", { hidden: true }, canvas, html("figcaption.soft", {}, words["camera-sees"]));
    picture(`/api/zones/${encodeURIComponent(zone.id)}/crop`).then((seen) => {
      if (!seen) return;
      paint(canvas, seen);
      figure.hidden = false;
    }).catch(() => {});
    return figure;
  }

  cards(view, status) {
    const { scene, words, zone } = this;
    const top = view.cards.at(-1)?.card;
    const parts = [];
    if (zone.kind === "spread") return [this.spread(view)];
    const guesses = (status?.guesses ?? []).filter((guess) => guess.look !== "front" || guess.card);
    const named = guesses.map((guess) => this.choice(
      guess.look === "empty" ? null : { card: guess.card, side: guess.look === "back" ? "down" : "up" }, `${Math.round(guess.p * 100)} %`));
    if (named.length) parts.push(html("div.card-choices", {}, ...named));
    parts.push(html("div.choices", {},
      view.cards.length ? html("button.button", { type: "button", onclick: () => this.replaceTop(null) }, words.empty) : null,
      html("button.button", { type: "button", onclick: () => this.replaceTop({ card: null, side: "down" }) }, words["face-down"]),
      html("button.button", { type: "button", onclick: () => this.replaceTop({ card: null, side: "up" }) }, words["unknown-card"]),
      this.canEnrol(view) ? html("button.button", { id: "enrol-here", type: "button", onclick: () => { this.root.hidden = true; this.onEnrol(zone.id); } }, words["enrol-title"]) : null));
    const others = scene.cards.filter((card) => zone.cards.includes(card.kind) && card.id !== top);
    parts.push(html("h4.soft", {}, words["all-cards"]), html("div.card-choices", {}, ...others.map((card) => this.choice({ card: card.id, side: "up" }))));
    return parts;
  }

  /** A card that lies open here and that the camera sees may be new to the pack. */
  canEnrol(view) {
    const { offers } = this.scene;
    return offers.includes("enrol") && offers.includes("camera") && this.path === "/api/zones" && view.cards.at(-1)?.side === "up";
  }

  choice(placed, note) {
    const { scene, words, zone } = this;
    return cardButton(
      placed ? cardPicture(scene, placed, zone.cards) : html("span.empty-choice", {}, words.empty),
      { "data-card": placed?.card, "aria-label": `${placed ? cardWords(scene, words, placed) : words.empty}${note ? `, ${note}` : ""}`, onclick: () => this.replaceTop(placed) },
      note);
  }

  /** Cards that lie anyhow: each can be taken away, any other added. */
  spread(view) {
    const { scene, words, zone } = this;
    const here = new Set(view.cards.map((placed) => placed.card));
    const others = scene.cards.filter((card) => zone.cards.includes(card.kind));
    return html("div.card-choices", {}, ...others.map((card) => {
      const lies = here.has(card.id);
      const choice = cardButton(cardPicture(scene, { card: card.id, side: "up" }, zone.cards), {
        "data-card": card.id, "aria-pressed": String(lies), "aria-label": cardWords(scene, words, { card: card.id, side: "up" }),
        onclick: () => this.send({ cards: lies ? view.cards.filter((placed) => placed.card !== card.id) : [...view.cards, { card: card.id, side: "up" }] }),
      });
      choice.classList.toggle("lies", lies);
      return choice;
    }).sort((a, b) => Number(b.classList.contains("lies")) - Number(a.classList.contains("lies"))));
  }

  pieces(view) {
    const { scene, words, zone } = this;
    if (zone.kind === "spot") {
      const choices = zone.pieces.map((kind) => html("button.piece-choice", { type: "button", "data-piece": kind, "aria-label": scene.items[kind] ?? kind, onclick: () => this.send({ pieces: { [kind]: 1 } }) }, piece(kind)));
      return [html("div.piece-choices", {}, ...choices, html("button.button", { type: "button", onclick: () => this.send({ pieces: {} }) }, words.empty))];
    }
    const counts = { ...view.pieces };
    const rows = zone.pieces.map((kind) => {
      const number = html("output.number", {}, String(counts[kind] ?? 0));
      const change = (by) => () => {
        counts[kind] = Math.min(99, Math.max(0, (counts[kind] ?? 0) + by));
        number.textContent = counts[kind];
      };
      const name = scene.items[kind] ?? kind;
      return html("div.stepper", {}, piece(kind),
        html("button.button", { type: "button", "aria-label": `${words.less}: ${name}`, onclick: change(-1) }, "−"), number,
        html("button.button", { type: "button", "aria-label": `${words.more}: ${name}`, onclick: change(1) }, "+"));
    });
    return [html("div.steppers", {}, ...rows), html("button.button.strong", { type: "button", onclick: () => this.send({ pieces: counts }) }, words.save)];
  }

  replaceTop(placed) {
    const below = this.zone.kind === "pile" ? this.view.cards.slice(0, -1) : [];
    this.send({ cards: placed ? [...below, placed] : below });
  }

  async send(correction) {
    try {
      await tell(`${this.path}/${encodeURIComponent(this.zone.id)}/correction`, correction);
      this.close();
      this.onDone();
    } catch (problem) {
      this.onProblem(problem);
    }
  }
}

/** A card to choose: the button lies over the picture, so that its name is not mixed with printed numbers. */
function cardButton(shown, attributes, note) {
  return html("div.card-choice", {}, html("div", { "aria-hidden": "true" }, shown, note ? html("span.note", {}, note) : null), html("button", { type: "button", ...attributes }));
}

const piece = (kind) => svg("svg", { viewBox: "0 0 64 64", width: 44, height: 44, "aria-hidden": "true" }, symbol(kind, 32, 32, 64));
