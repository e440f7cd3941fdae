/** The table as we understand it: the board, and in every zone what lies there and how we know. */

import { byId, calm, svg } from "./dom.js";
import { cardWords, drawCard, symbol } from "./card.js";

const UNIT = 1000; // drawn in thousandths of the board's width
const CARD = [125, 195];
const TOUCH = 62; // the least a finger needs
const SLIDE_MS = 450;

export class Table {
  constructor({ root = byId("table"), shape = null, onZone }) {
    this.root = root;
    this.wanted = shape;
    this.onZone = onZone;
    this.drawn = new Map();
    this.places = new Map();
    this.root.addEventListener("click", (event) => this.open(event.target));
    this.root.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.arrange()).observe(this.root.parentElement);
  }

  set(scene, words) {
    this.scene = scene;
    this.words = words;
    this.shape = null;
    this.arrange();
  }

  arrange() {
    if (!this.scene) return;
    const { clientWidth, clientHeight } = this.root.parentElement;
    const portrait = matchMedia("(orientation: portrait), (max-width: 759px)").matches;
    const shape = this.wanted ?? (portrait || clientWidth < clientHeight * 1.25 ? "tall" : "wide");
    if (shape === this.shape) return;
    this.shape = shape;
    this.arrangement = this.scene.drawing[shape];
    this.drawn.clear();
    this.places.clear();
    const [x, y, width, height] = this.arrangement.view.map((value) => value * UNIT);
    this.root.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.root.dataset.shape = shape;
    this.root.setAttribute("aria-label", this.words["tab-table"]);
    const [bx, by] = this.scene.board;
    this.zones = svg("g");
    this.root.replaceChildren(
      svg("g.board", { transform: `translate(${bx * UNIT} ${by * UNIT})` }, board()), this.zones);
    this.groups = new Map();
    const order = [...this.scene.zones].sort((a, b) => Number(Boolean(a.above)) - Number(Boolean(b.above)));
    for (const zone of order) {
      if (this.arrangement.hidden.includes(zone.id)) continue;
      const group = svg("g.zone", { "data-zone": zone.id }, svg("g", { "aria-hidden": "true" }), touch(this.box(zone)));
      group.lastChild.setAttribute("aria-label", zone.name); // until it is known what lies there
      this.groups.set(zone.id, group);
      this.zones.append(group);
    }
    this.groups.values().next().value?.lastChild.setAttribute("tabindex", 0);
    if (this.snapshot) this.show(this.snapshot);
  }

  show(snapshot) {
    this.snapshot = snapshot;
    if (!this.scene) return;
    const views = new Map(snapshot.view.map((zone) => [zone.zone, zone]));
    const known = new Map(snapshot.zones.map((status) => [status.zone, status]));
    const busy = new Set(snapshot.progress?.zones ?? []);
    const accused = new Set(snapshot.findings.filter((finding) => finding.fate === "open").flatMap((finding) => finding.zones));
    const before = this.places;
    this.places = new Map();
    for (const zone of this.scene.zones) {
      const group = this.groups.get(zone.id);
      if (!group) continue;
      const view = views.get(zone.id);
      const status = known.get(zone.id);
      const marks = [status?.certainty ?? "seen", busy.has(zone.id) && "busy", accused.has(zone.id) && "accused"].filter(Boolean);
      const key = JSON.stringify([view, marks]);
      const last = this.drawn.get(zone.id);
      if (last?.key !== key) {
        group.setAttribute("class", ["zone", `is-${zone.kind}`, ...marks.map((mark) => `is-${mark}`)].join(" "));
        group.lastChild.setAttribute("aria-label", this.label(zone, view, status));
        const movers = new Map();
        group.firstChild.replaceChildren(...this.contents(zone, view, marks, movers));
        this.drawn.set(zone.id, { key, movers });
        this.slide(movers, before, zone);
      }
      for (const [name, place] of this.drawn.get(zone.id).movers) this.places.set(name, place);
    }
  }

  box(zone) {
    return (this.arrangement.zones[zone.id] ?? zone.box).map((value) => value * UNIT);
  }

  contents(zone, view, marks, movers) {
    const box = this.box(zone);
    const drawn = [];
    const empty = view && !view.cards.length && !Object.keys(view.pieces).length;
    if (zone.cards.length && zone.kind !== "spread" && (empty || !view)) drawn.push(place(box, zone.kind));
    if (view) {
      drawn.push(...{
        card: () => this.pile(zone, view, box, movers, false),
        pile: () => this.pile(zone, view, box, movers, true),
        strip: () => this.strip(zone, view, box, movers),
        spread: () => this.spread(zone, view, box, movers),
        spot: () => this.pieces(view, box, movers),
        heap: () => this.pieces(view, box, movers),
      }[zone.kind]());
    }
    if (zone.kind === "pile") drawn.push(label(zone.short, box));
    drawn.push(...certaintyMarks(marks, box));
    return drawn;
  }

  pile(zone, view, box, movers, counted) {
    const number = view.cards.length;
    if (!number) return [];
    const [x, y, width, height] = box;
    const drawn = [];
    for (let i = Math.min(3, number - 1); i > 0 && counted; i -= 1) {
      drawn.push(svg("rect.under", { x: x + i * 3, y: y - i * 3, width, height, rx: 8 }));
    }
    if (counted && number > 1) drawn.push(this.card(zone, view.cards.at(-2), box, new Map())); // seen while the top one slides
    drawn.push(this.card(zone, view.cards.at(-1), box, movers));
    if (counted) {
      drawn.push(svg("circle.badge", { cx: x + width - 14, cy: y + 16, r: 25 }),
        svg("text.badge-number", { x: x + width - 14, y: y + 27 }, String(number)));
    }
    return drawn;
  }

  strip(zone, view, [x, y, width, height], movers) {
    const placed = view.cards.at(-1);
    if (!placed) return [];
    const scale = width / CARD[0];
    const clip = `${this.root.id}-${zone.id}`;
    return [
      svg("clipPath", { id: clip }, svg("rect", { x, y, width, height: height + 2, rx: 6 })),
      svg("g", { "clip-path": `url(#${clip})` },
        this.card(zone, placed, [x, y + height - CARD[1] * scale, width, CARD[1] * scale], movers)),
    ];
  }

  /** Cards side by side; in a narrow place in rows that overlap, each with its upper half in view. */
  spread(zone, view, [x, y, width, height], movers) {
    const number = view.cards.length;
    const drawn = [svg("rect.spread-ground", { x, y, width, height, rx: 12 })];
    const squeezed = zone.name.length * 12 > width ? { textLength: width - 10, lengthAdjust: "spacingAndGlyphs" } : {};
    if (!number) return [...drawn, svg("text.zone-name.middle", { x: x + width / 2, y: y + height / 2 + 7, ...squeezed }, zone.name)];
    const cardHeight = Math.min(CARD[1], height);
    const cardWidth = (cardHeight * CARD[0]) / CARD[1];
    const columns = Math.max(1, Math.min(number, height > 1.5 * CARD[1] ? Math.floor((width + 12) / (cardWidth + 6)) : number));
    const rows = Math.ceil(number / columns);
    const stepX = columns > 1 ? Math.min(cardWidth + 10, (width - cardWidth - 8) / (columns - 1)) : 0;
    const stepY = rows > 1 ? Math.min(cardHeight + 10, (height - cardHeight - 8) / (rows - 1)) : 0;
    const startX = x + (width - (stepX * (columns - 1) + cardWidth)) / 2;
    view.cards.forEach((placed, index) => {
      const at = [startX + (index % columns) * stepX, y + (rows > 1 ? 4 : (height > cardHeight + 20 ? 4 : 0)) + Math.floor(index / columns) * stepY, cardWidth, cardHeight];
      drawn.push(this.card(zone, placed, at, movers));
    });
    return drawn;
  }

  pieces(view, [x, y, width, height], movers) {
    const kinds = Object.entries(view.pieces).flatMap(([kind, count]) => Array(Math.min(count, 9)).fill(kind));
    const size = Math.min(92, Math.max(46, Math.min(width, height) * 1.15));
    const columns = Math.max(1, Math.min(kinds.length, Math.max(kinds.length < 3 ? 2 : 1, Math.floor(width / (size * 0.62)))));
    const rows = Math.ceil(kinds.length / columns);
    return kinds.map((kind, index) => {
      const inRow = Math.min(columns, kinds.length - Math.floor(index / columns) * columns);
      const at = [x + width / 2 + ((index % columns) - (inRow - 1) / 2) * size * 0.62,
        y + height / 2 + (Math.floor(index / columns) - (rows - 1) / 2) * Math.min(size * 0.62, height / rows)];
      const group = svg("g.piece", {}, symbol(kind, ...at, size));
      movers.set(`piece ${kind}`, { x: at[0], y: at[1], group });
      return group;
    });
  }

  card(zone, placed, [x, y, width, height], movers) {
    const group = svg("g", { transform: `translate(${x} ${y}) scale(${width / CARD[0]} ${height / CARD[1]})` },
      drawCard(this.scene, placed, zone.cards));
    const mover = svg("g.mover", {}, group);
    if (placed.card) movers.set(placed.card, { x: x + width / 2, y: y + height / 2, group: mover });
    return mover;
  }

  /** What lay somewhere else a moment ago comes from there. */
  slide(movers, before, zone) {
    if (calm()) return;
    for (const [name, { x, y, group }] of movers) {
      const old = before.get(name);
      if (!old || (Math.abs(old.x - x) < 1 && Math.abs(old.y - y) < 1)) continue;
      if (name.startsWith("piece") && !name.endsWith(this.scene.drawing.hero?.symbol ?? " ") && zone.kind !== "spot") continue;
      group.animate([{ transform: `translate(${old.x - x}px, ${old.y - y}px)` }, { transform: "none" }],
        { duration: SLIDE_MS, easing: "cubic-bezier(.3,.7,.2,1)" });
    }
  }

  label(zone, view, status) {
    const parts = [zone.name];
    if (view?.cards.length > 1) parts.push(`${view.cards.length} ${this.words.cards}`);
    if (view?.cards.length) parts.push(cardWords(this.scene, this.words, view.cards.at(-1)));
    for (const [kind, count] of Object.entries(view?.pieces ?? {})) parts.push(`${count} ${this.scene.items[kind] ?? kind}`);
    if (parts.length === 1) parts.push(this.words.empty);
    if (status) parts.push(this.words[status.certainty]);
    return parts.join(", ");
  }

  open(target) {
    const zone = target.closest?.("[data-zone]");
    if (zone) this.onZone(zone.dataset.zone);
  }

  key(event) {
    const current = event.target.closest?.("[data-zone]");
    if (!current) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onZone(current.dataset.zone);
    }
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!direction) return;
    event.preventDefault();
    const next = this.neighbour(current.dataset.zone, direction);
    if (!next) return;
    event.target.setAttribute("tabindex", -1);
    next.lastChild.setAttribute("tabindex", 0);
    next.lastChild.focus();
  }

  neighbour(id, [dx, dy]) {
    const centre = (zone) => { const [x, y, w, h] = this.box(zone); return [x + w / 2, y + h / 2]; };
    const here = centre(this.scene.zoneById.get(id));
    let best = null;
    for (const [other, group] of this.groups) {
      const [x, y] = centre(this.scene.zoneById.get(other));
      const along = (x - here[0]) * dx + (y - here[1]) * dy;
      const aside = Math.abs((x - here[0]) * dy) + Math.abs((y - here[1]) * dx);
      if (other === id || along < 8 || aside > along * 2) continue;
      const far = along + aside * 2;
      if (!best || far < best.far) best = { far, group };
    }
    return best?.group;
  }

  focus(id) {
    this.groups.get(id)?.lastChild.focus({ preventScroll: true });
  }
}

/** A copy, not a `use`: the page's colours for light and dark reach only what is in the page itself. */
function board() {
  const copy = byId("picture-board").cloneNode(true);
  copy.removeAttribute("id");
  return copy;
}

/** What a finger or the keyboard meets: on top of the drawing, with the zone's name. */
function touch([x, y, width, height]) {
  const w = Math.max(width, TOUCH);
  const h = Math.max(height, TOUCH);
  return svg("rect.touch", { x: x + (width - w) / 2, y: y + (height - h) / 2, width: w, height: h, rx: 8, role: "button", tabindex: -1 });
}

const place = ([x, y, width, height], kind) => svg(`rect.empty-place.${kind}`, { x: x + 2, y: y + 2, width: width - 4, height: height - 4, rx: 8 });

const label = (name, [x, y, width, height]) => svg("text.zone-name", { x: x + width / 2, y: y + height + 21 }, name);

function certaintyMarks(marks, [x, y, width, height]) {
  const drawn = [];
  if (marks.includes("unsure") || marks.includes("thought")) drawn.push(svg("rect.doubt", { x, y, width, height, rx: 8, fill: "url(#hatch)" }));
  if (marks.includes("hidden")) drawn.push(svg("rect.veil", { x, y, width, height, rx: 8 }));
  if (marks.includes("told")) drawn.push(svg("path.told-line", { d: `M${x + 6} ${y + height + 6}h${width - 12}` }));
  drawn.push(svg("rect.outline", { x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 10 }));
  return drawn;
}
