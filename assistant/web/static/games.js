/** Games that were played: what they say together, the campaign, and each as a file to keep. */

import { ask, language, tell } from "./api.js";
import { html, sign } from "./dom.js";
import { bars, columns, ring } from "./plot.js";

const FORMS = ["html", "text", "csv", "json", "mp4"];

export class View {
  constructor(root, page) {
    this.root = root;
    this.page = page;
  }

  async open() {
    const { words } = this.page;
    try {
      const [listed, campaign] = await Promise.all([ask("/api/games"), ask("/api/campaign").catch(() => undefined)]);
      const tiles = html("div.tiles", { "aria-label": words.statistics, role: "group" });
      this.root.replaceChildren(tiles, ...(campaign === undefined ? [] : [this.campaign(campaign, listed)]), this.list(listed));
      // Adding up many games takes the server a moment; the list need not wait for it.
      const sums = await ask("/api/games/statistics");
      if (sums.games) tiles.replaceChildren(...this.sums(listed, sums));
    } catch (problem) {
      this.page.toast(problem.message);
    }
  }

  sums(listed, sums) {
    const { words } = this.page;
    const decided = sums.won + sums.lost; // who won against others is told by how the games ended
    const won = Math.round((sums.won / decided) * 100);
    const rounds = new Map();
    for (const game of listed.games) {
      if (!game.ended || game.game !== this.page.scene.game) continue;
      const parts = rounds.get(game.rounds) ?? [0, 0];
      parts[game.won === false ? 1 : 0] += 1;
      rounds.set(game.rounds, parts);
    }
    const tile = (title, ...content) => html("section.tile", {}, html("h2", {}, title), ...content);
    return [
      ...(decided ? [tile(words["games-won"], html("div.tile-ring", {}, ring(sums.won / decided, `${won}%`, `${won} %`), html("p", {}, html("b.big", {}, String(sums.won)), ` ${words.of} ${decided}`)))] : []),
      tile(words["games-rounds"], rounds.size ? columns(rounds, { label: words["games-rounds"], classes: ["good-fill", "bad-fill"] }) : null, html("p.soft.legend", {}, ...(decided ? [html("span.dot.good-dot"), words.won, html("span.dot.bad-dot"), words.lost, " · "] : []), `⌀ ${sums.rounds_mean.toFixed(1)}`)),
      tile(words["games-ends"], bars(sums.causes.map((cause) => ({ ...cause, kind: { true: "good-fill", false: "bad-fill", null: "fill" }[cause.won] })))),
      ...sums.moves.map((moves) => tile(`${moves.text}: ${words["games-moves"]}`, columns(new Map(Object.entries(moves.by_round).map(([round, count]) => [Number(round), [count]])), { label: moves.text, classes: ["fill"] }))),
      ...(sums.findings.length ? [tile(words.findings, bars(sums.findings.slice(0, 6)))] : [])];
  }

  /** Wins and losses as beads on a string; the longer one ends the campaign. */
  campaign(campaign, listed) {
    const { words } = this.page;
    const root = html("section.tile.campaign", { "aria-labelledby": "campaign-title" }, html("h2", { id: "campaign-title" }, words.campaign));
    const send = (path, body) => async () => {
      try {
        root.replaceWith(this.campaign(await tell(`/api/campaign${path}`, typeof body === "function" ? body() : body), listed));
      } catch (problem) { this.page.toast(problem.message); }
    };
    if (!campaign) {
      root.append(html("p", {}, words["campaign-none"]), html("button.button.strong", { type: "button", onclick: send("") }, words["campaign-begin"]));
      return root;
    }
    const beads = (name, count, state) => html("p.beads", { "aria-label": `${name}: ${count} ${words.of} ${campaign.most}` }, html("span.bead-name", {}, name),
      ...Array.from({ length: campaign.most }, (_, index) => html(`span.bead${index < count ? `.${state}` : ""}`, { "aria-hidden": "true" }, index < count ? (state === "good" ? "✓" : "✕") : "")));
    root.append(beads(words["campaign-wins"], campaign.wins, "good"), beads(words["campaign-losses"], campaign.losses, "bad"));
    if (campaign.over) root.append(html("p.big", {}, words["campaign-over"]), html("button.button", { type: "button", onclick: send("") }, words["campaign-begin"]));
    if (campaign.to_do) root.append(html("p.to-do", {}, sign("careful", 22), html("span", {}, campaign.to_do)));
    if (campaign.may_turn.length) root.append(html("div.choices", {}, ...campaign.may_turn.map(({ card, name }) => html("button.button.small", { type: "button", onclick: send("/turned", { card }) }, name))));
    const free = listed.games.filter((game) => game.won !== null && game.game === this.page.scene.game && !campaign.games.includes(game.id)).slice(0, 3);
    if (free.length && !campaign.may_turn.length && !campaign.over) root.append(html("div.choices", {}, ...free.map((game) => html("button.button.small", { type: "button", onclick: send("/games", { game: game.id }) }, `${words["campaign-count"]} ${game.id}`))));
    root.append(html("dl.campaign-facts", {}, html("dt", {}, words["campaign-added"]), html("dd", {}, campaign.added.join(", ") || "–"), html("dt", {}, words["campaign-history"]), html("dd", {}, campaign.history.join(", ") || "–"), html("dt", {}, words["campaign-story"]), html("dd.number", {}, String(campaign.story_left))));
    root.append(html("ul.notes", {}, ...campaign.notes.map((note) => html("li", {}, html("span.rule", {}, String(note.entry)), html("span", {}, note.words)))));
    const entry = html("input", { id: "note-entry", type: "number", min: 1, max: 9999, "aria-label": words["note-entry"], placeholder: words["note-entry"], required: true });
    const text = html("input", { id: "note-words", maxlength: 4000, "aria-label": words["note-words"], placeholder: words["note-words"], required: true });
    root.append(html("form.note-form", { onsubmit: (event) => { event.preventDefault(); send("/notes", () => ({ entry: Number(entry.value), words: text.value }))(); } }, entry, text, html("button.button", {}, words["note-keep"])));
    return root;
  }

  /** The decisions that cost most take a while to find: the button says so until they are there. */
  async review(game, button) {
    const { words } = this.page;
    button.disabled = true;
    button.textContent = words["games-costly-thinking"];
    try {
      let told = await ask(`/api/games/${game.id}/costly`);
      while (told.thinking && button.isConnected) {
        await new Promise((done) => setTimeout(done, 1000));
        told = await ask(`/api/games/${game.id}/costly`);
      }
      const decision = (one) => html("li", {}, html("p", {}, one.title), html("p.soft", {}, one.verdict));
      button.replaceWith(html("ol.costly-list", { "aria-label": words["games-costly"] }, ...(told.decisions.length ? told.decisions.map(decision) : [html("li", {}, told.plain)])));
    } catch (problem) {
      button.disabled = false;
      button.textContent = words["games-costly"];
      this.page.toast(problem.message);
    }
  }

  list(listed) {
    const { words } = this.page;
    const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
    const plural = new Intl.PluralRules(language);
    const many = (number, what) => words[`games-in-${what}${plural.select(number) === "one" ? "" : "s"}`];
    const row = (game) => html("li.game", {},
      game.ended ? sign(game.won === false ? "wrong" : "good", 28) : html("span.sign.unfinished", { "aria-hidden": "true" }),
      html("div", {}, html("p", {}, html("b", {}, `${game.id} · ${game.title}`), html("span.soft", {}, ` · ${day.format(game.started_at * 1000)}`)),
        html("p", {}, game.result, html("span.soft", {}, ` ${game.rounds} ${many(game.rounds, "round")}, ${game.moves} ${many(game.moves, "move")}`))),
      html("div.exports", { role: "group", "aria-label": `${words.export} ${game.id}` }, ...FORMS.map((form) => html("a.button.small", { href: `/api/games/${game.id}/export/${form}?language=${language}`, download: "", onclick: form === "mp4" ? () => this.page.toast(words["film-making"]) : null, "aria-label": `${words.export} ${game.id}: ${words[`form-${form}`]}` }, words[`form-${form}`]))),
      !game.ended || !this.page.scene.offers.includes("review") ? null : html("button.button.small.costly", { type: "button", "aria-label": `${words["games-costly"]} ${game.id}`, onclick: (event) => this.review(game, event.currentTarget) }, words["games-costly"]));
    return html("section", {}, html("h2", {}, words["games-list"]), listed.games.length ? html("ol.game-list", {}, ...listed.games.map(row)) : html("p.soft", {}, words["games-none"]), html("p.soft.place", {}, listed.place));
  }
}
