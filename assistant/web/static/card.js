/** Draws one card as the game's drawing describes it: ground, picture, fields with their items. */

import { svg } from "./dom.js";

const WIDTH = 125;
const HEIGHT = 195;
const PAIR_STEP = 0.55;
const PRINTED_AS_MANY = new Set(["destroy", "exhaust"]);

export const use = (id, x, y, width, height = width) => svg("use", { href: `#${id}`, x, y, width, height });

export const symbol = (kind, x, y, size) => use(`symbol-${kind}`, x - size / 2, y - size / 2, size);

/** A card's face or back in a group of its own, 125 x 195. */
export function drawCard(scene, placed, kinds = []) {
  const facts = placed.card ? scene.cardById.get(placed.card) : null;
  const kind = facts?.kind ?? kinds[0];
  if (placed.side === "down") return drawBack(scene, kind);
  const face = scene.drawing.faces[kind];
  if (!facts || !face) return drawUnknown(face);
  const group = svg("g.card", {}, ground(face.ground));
  if (face.art) group.append(use(`picture-${face.art}`, 0, 0, WIDTH, HEIGHT));
  if (facts.picture) group.append(use(`picture-${facts.picture}`, 0, 0, WIDTH, HEIGHT));
  for (const panel of face.panels) group.append(rect(panel.box, panel.fill, panel.radius));
  for (const mark of face.marks) group.append(symbol(mark.symbol, mark.x, mark.y, mark.size));
  for (const banner of face.banners) group.append(...drawBanner(banner, facts));
  const left = Object.fromEntries(Object.entries(facts.fields).map(([name, items]) => [name, items ?? []]));
  for (const line of face.lines) group.append(...drawLine(line, left));
  if (face.stone) group.append(...drawItem(["stone", 1, facts.stone], ...face.stone));
  group.append(edge());
  return group;
}

function drawBack(scene, kind) {
  const back = scene.drawing.backs[kind] ?? { ground: "#888", marks: [] };
  const group = svg("g.card", {}, ground(back.ground));
  if (back.art) group.append(use(`picture-${back.art}`, 0, 0, WIDTH, HEIGHT));
  for (const mark of back.marks) group.append(symbol(mark.symbol, mark.x, mark.y, mark.size));
  group.append(edge());
  return group;
}

function drawUnknown(face) {
  return svg("g.card.unknown", {}, ground(face?.ground ?? "#ddd"),
    svg("rect", { width: WIDTH, height: HEIGHT, rx: 8, fill: "url(#hatch)" }),
    svg("text.card-question", { x: WIDTH / 2, y: HEIGHT / 2 + 24 }, "?"), edge());
}

const ground = (fill) => svg("rect.card-ground", { width: WIDTH, height: HEIGHT, rx: 8, fill });
const edge = () => svg("rect.card-edge", { x: 0.75, y: 0.75, width: WIDTH - 1.5, height: HEIGHT - 1.5, rx: 7.5 });
const rect = ([x, y, width, height], fill, rx) => svg("rect", { x, y, width, height, rx, fill });

function drawBanner(banner, facts) {
  const drawn = [];
  let y = banner.y;
  for (const [name, fill, height] of banner.fields) {
    const items = facts.fields[name];
    if (items === undefined || items?.length === 0) continue;
    const rows = items ?? [null];
    drawn.push(rect([banner.x, y, banner.width, height * rows.length], fill, 3));
    for (const item of rows) {
      const centre = [banner.x + banner.width / 2, y + height / 2];
      drawn.push(...(item ? drawItem(item, ...centre, banner.size) : [svg("text.card-unread", { x: centre[0], y: centre[1] + 9 }, "?")]));
      y += height;
    }
  }
  return drawn;
}

function drawLine(line, left) {
  const all = left[line.field] ?? [];
  const mine = line.kinds.length ? all.filter(([kind]) => line.kinds.includes(kind)) : all;
  left[line.field] = all.filter((item) => !mine.includes(item));
  const width = mine.reduce((sum, item) => sum + line.step + extra(item, line.size), 0);
  const room = line.centred ? WIDTH - 8 : WIDTH - 4 - (line.x - line.size / 2);
  const squeeze = Math.min(1, room / Math.max(width, 1));
  let x = line.centred ? line.x - (width * squeeze) / 2 + (line.step * squeeze) / 2 : line.x;
  return mine.flatMap((item) => {
    const size = line.size * Math.max(squeeze, 0.75);
    const drawn = drawItem(item, x + (extra(item, line.size) * squeeze) / 2, line.y, size);
    x += (line.step + extra(item, line.size)) * squeeze;
    return drawn;
  });
}

const many = ([kind, count]) => (PRINTED_AS_MANY.has(kind) ? count : 1);
const extra = (item, size) => (many(item) - 1) * size * PAIR_STEP;

/** One item: its symbol, repeated where it is printed so, with its number. */
export function drawItem(item, x, y, size) {
  const [kind, count, number] = item;
  const symbols = many(item);
  const drawn = [];
  for (let i = 0; i < symbols; i += 1) {
    drawn.push(symbol(kind, x + (i - (symbols - 1) / 2) * size * PAIR_STEP, y, size));
  }
  const known = { draw: [0.17, 0.06], "draw-pile": [0.1, 0.04], barbarian: [0, 0.05], turtle: [0, 0.02], stone: [0, 0.02] }[kind];
  const at = known ?? (number === null ? undefined : [0, 0.02]);
  if (at) {
    const text = number ?? (kind === "draw" || kind === "draw-pile" || kind === "barbarian" ? `+${count}` : null);
    if (text !== null) {
      const light = kind === "draw" || kind === "barbarian" || !known;
      const height = size * (!known || kind === "stone" ? 0.6 : kind === "turtle" ? 0.42 : 0.36);
      drawn.push(svg(light ? `text.item-number.light${known ? "" : ".rimmed"}` : "text.item-number",
        { x: x + at[0] * size, y: y + at[1] * size + height * 0.36, "font-size": height }, String(text)));
    }
  }
  return drawn;
}

/** A card as a picture of its own, for lists. */
export function cardPicture(scene, placed, kinds) {
  return svg("svg.card-picture", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, drawCard(scene, placed, kinds));
}

/** What is printed on a card, in words. */
export function cardWords(scene, words, placed) {
  if (placed.side === "down") return words["face-down"];
  const facts = placed.card && scene.cardById.get(placed.card);
  if (!facts) return words["unknown-card"];
  const items = Object.values(facts.fields).flatMap((field) => field ?? []);
  return `${facts.name}: ${items.map(([kind, count]) => (count > 1 ? `${count} ` : "") + (scene.items[kind] ?? kind)).join(", ")}`;
}
