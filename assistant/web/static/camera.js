/** The camera: its live picture while somebody looks, what was made of it, and what would make it better. */

import { paint } from "./api.js";
import { html, sign, svg } from "./dom.js";

const LAYERS = ["zones", "cards", "hands"];
const AGAIN_MS = 1500;
const ENOUGH = 0.5; // of sharpness and brightness
const points = (outline) => outline.map(([x, y]) => `${x * 1000},${y * 1000}`).join(" ");

export class View {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.hidden = new Set();
    const { words } = page;
    this.canvas = html("canvas.camera-picture", { width: 16, height: 9, role: "img", "aria-label": words["camera-sees"] });
    this.overlay = svg("svg.camera-overlay", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.waiting = html("p.camera-waiting", {}, words["camera-waiting"]);
    this.meters = html("dl.meters");
    this.sentences = html("ul.sentences", { "aria-live": "polite" });
    this.overlay.addEventListener("click", (event) => event.target.dataset.zone && page.openZone(event.target.dataset.zone));
    root.replaceChildren(
      html("div.camera-frame", {}, this.canvas, this.overlay, this.waiting),
      html("div.camera-side", {}, this.meters, html("div.layers", { role: "group", "aria-label": words.overlays }, ...LAYERS.map((layer) => this.toggle(layer))),
        page.scene.offers.includes("phone") ? html("a.button", { href: "/camera" }, words["phone-camera"]) : null),
      this.sentences);
  }

  toggle(layer) {
    const button = html("button.chip", { type: "button", "aria-pressed": "true", "data-layer": layer, onclick: () => {
      this.hidden[this.hidden.has(layer) ? "delete" : "add"](layer);
      button.setAttribute("aria-pressed", String(!this.hidden.has(layer)));
      if (this.seen) this.draw(this.seen);
    } }, html("span.swatch", { "aria-hidden": "true" }), this.page.words[`layer-${layer}`]);
    return button;
  }

  open() {
    this.wanted = true;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/camera/live?language=${this.page.words.language}`);
    socket.binaryType = "blob";
    this.socket = socket;
    let seen = null;
    socket.onopen = () => socket.send("next");
    socket.onmessage = async ({ data }) => {
      if (typeof data === "string") { seen = JSON.parse(data); return; }
      const bitmap = await createImageBitmap(data);
      if (socket !== this.socket) return;
      paint(this.canvas, bitmap);
      this.draw(seen);
      if (socket.readyState === WebSocket.OPEN) socket.send("next");
    };
    // The live line says when the server is gone; here it is only tried again once that one is back.
    socket.onclose = () => { if (socket === this.socket && this.wanted) this.timer = setTimeout(() => document.body.dataset.line === "live" ? this.open() : socket.onclose(), AGAIN_MS); };
  }

  close() {
    this.wanted = false;
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  draw(seen) {
    this.seen = seen;
    this.waiting.hidden = true;
    this.root.dataset.number = seen.number;
    const shown = (layer) => !this.hidden.has(layer);
    this.overlay.replaceChildren(
      ...(shown("cards") ? seen.cards.map((outline) => svg("polygon.seen-card", { points: points(outline) })) : []),
      ...(shown("zones") ? [...seen.zones].sort((a, b) => Boolean(a.why) - Boolean(b.why)).map((zone) => svg(`polygon.seen-zone.${zone.state}`, { points: points(zone.outline), "data-zone": zone.zone })) : []),
      ...(shown("hands") ? seen.hands.map((outline) => svg("polygon.seen-hand", { points: points(outline) })) : []));
    this.measure(seen);
    this.say(seen);
  }

  measure({ sharpness, brightness, frames_per_second: rate }) {
    const { words } = this.page;
    const meter = (name, value) => [html("dt", {}, name), html("dd", { "aria-label": `${Math.round(value * 100)} %` },
      svg("svg.meter-bar", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect.meter-ground", { width: 100, height: 12, rx: 4 }), svg(`rect.${value < ENOUGH ? "bad" : "fine"}`, { width: Math.max(3, value * 100), height: 12, rx: 4 })),
      html("span.word", {}, words[value < ENOUGH ? "meter-bad" : "meter-good"]))];
    this.meters.replaceChildren(...meter(words.focus, sharpness), ...meter(words.brightness, brightness),
      ...(rate ? [html("dt", {}, words.speed), html("dd.rate", {}, `${rate.toFixed(0)} f/s`)] : []));
  }

  /** One sentence for each trouble, the same trouble of many places in one. */
  say(seen) {
    const { scene, words } = this.page;
    const places = new Map();
    for (const zone of seen.zones) {
      if (!zone.why) continue;
      if (!places.has(zone.why)) places.set(zone.why, []);
      places.get(zone.why).push(scene.zoneById.get(zone.zone)?.name ?? zone.zone);
    }
    const lines = [
      ...seen.advice.map((text) => ["careful", text]),
      ...[...places].map(([why, names]) => ["careful", `${names.slice(0, 4).join(", ")}${names.length > 4 ? " …" : ""}: ${why}`])];
    const key = JSON.stringify(lines);
    if (key === this.said) return;
    this.said = key;
    this.sentences.replaceChildren(...(lines.length ? lines : [["good", words["camera-fine"]]]).map(([state, text]) => html("li", {}, sign(state, 22), html("span", {}, text))));
  }
}
