/** The log and the way back: every move in words, and the table as it was after any of them. */

import { ask, tell } from "./api.js";
import { byId, html, icon, svg } from "./dom.js";
import { breaks } from "./panels.js";
import { Table } from "./table.js";

const OTHERS_SHOWN = 24;

export class View {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.lines = [];
    this.move = null; // null: follows the game
    const { words } = page;
    this.list = html("ol.log", { tabindex: 0, "aria-labelledby": "tab-log" });
    this.list.addEventListener("click", (event) => { const line = event.target.closest("[data-move]"); if (line) this.go(Number(line.dataset.move)); });
    this.slider = html("input.scrub", { type: "range", min: 0, max: 0, value: 0, "aria-label": words["replay-slider"] });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.where = html("h2.replay-where", { "aria-live": "polite" });
    const table = svg("svg.table", { id: "past-table", role: "group" });
    const frame = html("div.replay-table", {}, table);
    this.table = new Table({ root: table, shape: "wide", onZone: (zone) => this.past && page.openPast(this.past, zone) });
    const step = (by, path, label) => html("button.tool", { type: "button", "aria-label": label, onclick: () => this.go(this.at + by) }, icon(path));
    this.now = html("button.button.small", { type: "button", onclick: () => this.go(this.lines.length) }, words["replay-now"]);
    this.back = html("button.button.small", { type: "button", onclick: () => this.takeBack() }, words["take-back"]);
    this.other = html("button.button.small", { id: "another-move", type: "button", onclick: () => this.askWhat() }, words["another-move"]);
    root.replaceChildren(
      html("div.log-side", {}, html("div.log-head", {}, html("h2", {}, words["tab-log"]), html("button.button.small", { id: "undo", type: "button", onclick: () => page.act("/api/undo") }, words.undo)), this.list),
      html("div.replay", {}, html("div.replay-head", {}, this.where, this.now, this.other, this.back), frame,
        html("div.scrubber", {}, step(-1, "M15 5l-7 7 7 7", words["step-back"]), this.slider, step(1, "M9 5l7 7-7 7", words["step-on"]))));
  }

  get at() {
    return this.move ?? this.lines.length;
  }

  async open() {
    this.table.set(this.page.scene, this.page.words);
    this.history = this.page.snapshot?.history;
    this.lines = await ask("/api/log").catch(() => this.page.snapshot?.log ?? []);
    this.draw();
    await this.load();
  }

  /** Only the newest moves come with a snapshot; when older ones are told otherwise all are asked for again. */
  show(snapshot) {
    if (snapshot.history !== this.history) { this.open(); return; }
    const kept = this.lines.slice(0, Math.max(0, snapshot.moves - snapshot.log.length));
    if (kept.length < snapshot.moves - snapshot.log.length) { this.open(); return; }
    this.lines = [...kept, ...snapshot.log];
    if (this.move !== null && this.move >= this.lines.length) this.move = null;
    this.draw();
    if (this.move === null) this.load();
  }

  go(move) {
    const wanted = Math.min(Math.max(move, 0), this.lines.length);
    this.move = wanted === this.lines.length ? null : wanted;
    this.mark();
    this.load();
  }

  /** Back to the newest move. */
  follow() {
    this.move = null;
    this.mark();
  }

  /** After a word about an earlier move: that move again, or the word itself where it became a line of its own. */
  async mended() {
    const { move } = this;
    await this.open();
    if (move === null) return;
    this.go(/^(=|$)/.test(this.lines[move]?.notation ?? "x") ? move + 1 : move);
  }

  /* --- this move was another one --- */

  async askWhat() {
    const { words, toast } = this.page;
    const move = this.at;
    const others = await ask(`/api/replay/${move}/instead`).catch((problem) => toast(problem.message));
    if (!others) return;
    const sheet = byId("sheet");
    const list = html("ul.others");
    const close = () => { sheet.hidden = true; this.refocus(); };
    const said = async (notation) => {
      try {
        await tell(`/api/replay/${move}/instead`, { notation });
        close();
        toast(words.corrected);
        await this.mended();
      } catch (problem) {
        toast(problem.message);
      }
    };
    const draw = (sought) => list.replaceChildren(...others.filter(({ sentence, notation }) => `${sentence} ${notation}`.toLowerCase().includes(sought.toLowerCase())).slice(0, OTHERS_SHOWN)
      .map(({ notation, sentence }) => html("li", {}, html("button.button.other", { type: "button", "data-notation": notation, onclick: () => said(notation) }, sentence))));
    draw("");
    sheet.replaceChildren(...[
      html("header.sheet-head", {}, html("div", {}, html("h2", { id: "sheet-title" }, `${move} · ${this.lines[move - 1]?.sentence ?? ""}`), html("p.soft", {}, words["another-what"])),
        html("button.button.close", { type: "button", "aria-label": words.close, onclick: close }, "✕")),
      html("div.choices", {}, html("button.button", { id: "did-not-happen", type: "button", onclick: () => said("") }, words["another-none"])),
      others.length > OTHERS_SHOWN ? html("input.seek", { type: "search", "aria-label": words["another-seek"], placeholder: words["another-seek"], oninput: (event) => draw(event.target.value) }) : null,
      list,
    ].filter(Boolean));
    sheet.hidden = false;
    sheet.querySelector(".close").focus({ preventScroll: true });
  }

  refocus() {
    this.other.focus();
  }

  /** While one picture is on its way only the newest wish is remembered: scrubbing asks no more than it can show. */
  async load() {
    if (this.loading) { this.again = true; return; }
    this.loading = true;
    const past = await ask(this.move === null ? "/api/replay" : `/api/replay/${this.move}`).catch(() => null);
    this.loading = false;
    if (past) this.see(past);
    if (this.again) { this.again = false; this.load(); }
  }

  see(past) {
    const { words } = this.page;
    this.past = { ...past, zones: [], findings: [], progress: null };
    this.table.show(this.past);
    this.root.dataset.move = past.move;
    this.where.textContent = `${past.move ? `${words["after-move"]} ${past.move}` : words["at-start"]} · ${words.round} ${past.round} · ${past.phase}`;
  }

  async takeBack() {
    await this.page.act(`/api/replay/${this.at}/take-back`);
    this.follow();
  }

  draw() {
    const { words } = this.page;
    this.slider.max = this.lines.length;
    const known = this.list.childElementCount;
    const key = JSON.stringify(this.lines.map((line) => [line.sentence, line.committed]));
    if (key !== this.drawn || !known) {
      this.drawn = key;
      this.list.replaceChildren(...(this.lines.length ? [...this.lines].reverse().map((line) =>
        html(line.committed ? "li" : "li.open", { value: line.number }, html(breaks(line) ? "button.log-line.broken" : "button.log-line", { type: "button", "data-move": line.number, title: line.notation }, html("span.log-number", {}, breaks(line) ? `✕ ${line.number}` : String(line.number)), html("span", {}, line.sentence)))) : [html("li.soft", {}, words["no-moves"])]));
    }
    this.mark();
  }

  /** Scrolls the list alone: the table stays where the eye is. */
  reveal(line) {
    const { list } = this;
    const top = line.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }

  mark() {
    this.slider.value = this.at;
    const past = this.move !== null;
    this.root.dataset.past = past;
    this.now.hidden = this.back.hidden = !past;
    this.other.hidden = !this.at;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const line = this.list.querySelector(`[data-move="${this.at}"]`);
    line?.setAttribute("aria-current", "step");
    if (past && line) this.reveal(line);
  }
}
