/** The hero: a river from above with its places, the wave where it stands, and the water that rises. */

import { byId, calm, sign, svg } from "./dom.js";
import { use } from "./card.js";

const MARGIN = 10;
const RISE_MS = 700;

export class Hero {
  constructor() {
    this.root = byId("river");
    new ResizeObserver(() => this.layOut()).observe(this.root);
    this.front = null;
  }

  show(scene, words, snapshot) {
    this.scene = scene;
    const spec = scene.drawing.hero;
    byId("hero").hidden = !spec;
    if (!spec) return;
    const gauge = snapshot.gauges.find((known) => known.name === spec.gauge);
    const zones = new Map(snapshot.view.map((zone) => [zone.zone, zone]));
    const at = gauge ? gauge.values[spec.at]
      : Math.max(0, spec.places.findIndex((zone) => zones.get(zone)?.pieces[spec.symbol]));
    this.model = {
      at,
      closed: spec.closed_by.map((zone) => Boolean(zones.get(zone)?.cards.length)),
      share: gauge ? Math.min(1, Math.max(0, 1 - gauge.values[spec.left] / spec.full)) : 0,
      next: gauge ? gauge.values[spec.next] : null,
      deadly: Boolean(gauge?.values[spec.deadly]),
      critical: Boolean(gauge?.values[spec.critical]),
      careful: gauge?.severity != null,
    };
    this.layOut();
    this.say(scene, words, snapshot, gauge);
  }

  say(scene, words, snapshot, gauge) {
    const spec = scene.drawing.hero;
    const { deadly, critical, careful } = this.model;
    const state = critical ? "wrong" : careful && deadly ? "wrong" : deadly ? "careful" : "good";
    const said = (phrases, n) => phrases[Math.min(n, phrases.length - 1)];
    const left = gauge?.values[spec.left];
    byId("hero").dataset.state = snapshot.outcome ? (snapshot.outcome.won === false ? "wrong" : "good") : critical ? "critical" : gauge ? state : "idle";
    byId("hero-left").textContent = left ?? "";
    byId("hero-what").textContent = gauge ? `${said(scene.phrases.left, left)} ${scene.words.left}` : scene.words.hero;
    const rounds = gauge?.values[spec.rounds];
    byId("hero-rounds").textContent = rounds === 0 ? scene.words["this-round"] : gauge ? said(scene.phrases.rounds, rounds) : "";
    const verdict = byId("hero-verdict");
    verdict.hidden = !gauge;
    verdict.className = `seal ${deadly ? "wrong" : "good"}`;
    verdict.replaceChildren(sign(deadly ? "wrong" : "good", 26), deadly ? scene.words.deadly : scene.words.safe);
    byId("hero-sentence").textContent = snapshot.outcome?.sentence ?? gauge?.sentence ?? "";
  }

  layOut() {
    const width = this.root.clientWidth;
    const height = this.root.clientHeight;
    if (!this.model || width < 50 || height < 40) return;
    this.root.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const places = this.scene.drawing.hero.places.length;
    const step = (width - 2 * MARGIN) / places;
    const top = height * 0.2;
    const bottom = height * 0.74;
    const g = { width, height, step, top, bottom, middle: (top + bottom) / 2, x: (place) => MARGIN + step * (place + 0.5) };
    this.root.replaceChildren(
      definitions(g), bed(g), ...this.openings(g), this.water(g), ...this.dams(g), banks(g), ...this.names(g), this.wave(g));
    this.rise(g);
  }

  /** Places whose canal is built: the water may come, light blue. */
  openings(g) {
    return this.model.closed.flatMap((closed, place) => closed ? [] : [
      svg("rect.opening", { x: g.x(place) - g.step / 2 - (place ? 0 : MARGIN), y: 0, width: g.step + (place ? 0.5 : MARGIN + 0.5), height: g.height, "clip-path": "url(#band)" }),
    ]);
  }

  water(g) {
    const { at, share } = this.model;
    const solid = g.x(at) + g.step * 0.12;
    const ripples = svg("path.ripples", { d: ripplesOf(g) });
    this.rising = svg("rect.rising", { x: 0, y: 0, width: g.width, height: g.height });
    this.standing = svg("rect.standing", { x: 0, y: 0, width: g.width, height: g.height });
    this.target = { solid, front: Math.max(solid, solid + (g.step * 0.98) * share) };
    return svg("g", { "clip-path": "url(#band)" }, this.rising, this.standing, svg("g.moving-water", { "clip-path": "url(#stand)" }, ripples));
  }

  /** Slides the water to where it belongs; at once where motion is not wanted. */
  rise(g) {
    const move = (element, from, to) => {
      element.style.transform = `translateX(${to - g.width}px)`;
      if (from === null || calm() || Math.abs(from - to) < 1) return;
      element.animate([{ transform: `translateX(${from - g.width}px)` }, { transform: `translateX(${to - g.width}px)` }],
        { duration: RISE_MS, easing: "ease-in-out" });
    };
    const same = this.front?.width === g.width ? this.front : null;
    move(this.rising, same?.front ?? null, this.target.front);
    move(this.standing, same?.solid ?? null, this.target.solid);
    move(this.root.querySelector("#stand rect"), same?.solid ?? null, this.target.solid);
    if (same && same.at !== this.model.at && !calm()) {
      this.waveGroup.animate([{ transform: `translateX(${g.x(same.at) - g.x(this.model.at)}px)` }, { transform: "none" }],
        { duration: RISE_MS, easing: "ease-in-out" });
    }
    this.front = { ...this.target, width: g.width, at: this.model.at };
  }

  /** A row of posts where nothing is built yet: the Flood breaks against it. */
  dams(g) {
    return this.model.closed.flatMap((closed, place) => {
      if (!closed) return [];
      const x = g.x(place) - g.step / 2 + 7;
      const posts = [];
      for (let y = g.top - 4; y < g.bottom + 4; y += 13) posts.push(`M${x - 5} ${y}h10v9h-10z`);
      const next = place === this.model.next && this.model.deadly;
      return [svg(next ? "path.dam.next" : "path.dam", { d: posts.join("") })];
    });
  }

  names(g) {
    return this.model.closed.flatMap((closed, place) => {
      const x = g.x(place);
      const next = place === this.model.next;
      const state = next ? (this.model.deadly ? "wrong" : "good") : closed ? "closed" : "open";
      const y = g.height * 0.885;
      const radius = Math.min(15, g.step * 0.22);
      const label = place === 0 ? "" : String(place);
      const drawn = place === 0 ? [] : [
        svg(`circle.place.${state}`, { cx: x, cy: y, r: radius }),
        svg(`text.place-name.${state}`, { x, y: y + radius * 0.38, "font-size": radius * 1.15 }, label),
      ];
      if (next) drawn.push(svg(`path.pointer.${state}`, { d: `M${x - 9} ${g.bottom + 2}L${x} ${g.bottom - 12}L${x + 9} ${g.bottom + 2}z` }));
      return drawn;
    });
  }

  wave(g) {
    const size = Math.min(g.bottom - g.top + 22, g.step * 0.92);
    const x = g.x(this.model.at);
    this.waveGroup = svg("g.wave", {}, use(`symbol-${this.scene.drawing.hero.symbol}`, x - size / 2, g.middle - size * 0.56, size));
    return this.waveGroup;
  }
}

function definitions(g) {
  return svg("defs", {},
    svg("clipPath", { id: "band" }, svg("path", { d: bandPath(g) })),
    svg("clipPath", { id: "stand" }, svg("rect", { x: 0, y: 0, width: g.width, height: g.height })),
    svg("pattern", { id: "earth", width: 18, height: 18, patternUnits: "userSpaceOnUse", patternTransform: "rotate(35)" },
      svg("rect.earth-ground", { width: 18, height: 18 }), svg("path.earth-line", { d: "M0 4h9M10 13h8" })));
}

const edgeY = (x, y, shift) => y + 4 * Math.sin(x / 70 + shift) + 2 * Math.sin(x / 23 + shift);

function edgePoints(g, y, shift) {
  const points = [];
  for (let x = 0; x < g.width + 12; x += 12) points.push([Math.min(x, g.width), edgeY(Math.min(x, g.width), y, shift).toFixed(1)]);
  return points;
}

function bandPath(g) {
  const lower = edgePoints(g, g.bottom, 1.7).reverse();
  return `M${[...edgePoints(g, g.top, 0), ...lower].map((point) => point.join(" ")).join("L")}Z`;
}

const bed = (g) => svg("rect.bed", { width: g.width, height: g.height, fill: "url(#earth)", "clip-path": "url(#band)" });

function banks(g) {
  const line = (y, shift) => `M${edgePoints(g, y, shift).map((point) => point.join(" ")).join("L")}`;
  return svg("path.bank-line", { d: line(g.top, 0) + line(g.bottom, 1.7) });
}

function ripplesOf(g) {
  let d = "";
  let seed = 7;
  const random = () => { seed = (seed * 16807) % 2147483647; return seed / 2147483647; };
  for (let i = 0; i < g.width / 16; i += 1) {
    const x = random() * g.width;
    const y = g.top + 10 + random() * (g.bottom - g.top - 20);
    d += `M${x.toFixed(0)} ${y.toFixed(0)}q6 -5 12 0t12 0`;
  }
  return d;
}
