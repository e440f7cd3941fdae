"""`floodwatch campaign`: where a campaign stands, without a spoiler, and the player's own notes."""

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.markup import escape

from assistant.commands.records import DataOption, opened
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.errors import FloodwatchError
from assistant.kit import CampaignKit, CampaignPage, GameKit
from assistant.record.campaigns import Entry, StoredCampaign, begin_campaign, current_campaign, go_on, note
from assistant.record.store import Store
from assistant.record.telling import game_of, moment
from vision.cards import CardId


class CampaignError(FloodwatchError):
    """Something that a campaign does not allow."""


def campaign(
    context: typer.Context,
    new: Annotated[bool, typer.Option("--new", help="Begin a new campaign.")] = False,
    add: Annotated[str | None, typer.Option(help="Count a recorded game: its number, or `last`.")] = None,
    turn: Annotated[str | None, typer.Option(help="The card that you turned over after a game.")] = None,
    noted: Annotated[
        tuple[int, str] | None, typer.Option("--note", help="A story entry and your words about it.")
    ] = None,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    data: DataOption = None,
) -> None:
    """Show the campaign: wins, losses, cards that came and went, and your notes."""
    terminal = terminal_of(context)
    kit = kit_named(game)
    if kit.campaign is None:
        raise CampaignError(terminal.say("campaign.none", title=terminal.wording_of(kit).say(kit.title)))
    with opened(terminal, data) as store:
        book = _Book(kit=kit, campaign=kit.campaign, store=store, terminal=terminal)
        stored = None if new else current_campaign(store, kit.name)
        if stored is None:
            stored = book.begin()
        if add is not None:
            stored = book.count(stored, add)
        if turn is not None:
            stored = book.turn(stored, turn)
        if noted is not None:
            stored = note(store, kit.name, stored, *noted)
            book.remark("campaign.noted", entry=noted[0])
    page = kit.campaign.page(kit.demo_pack(), kit.campaign.decode(stored.state))
    if as_json:
        typer.echo(json.dumps(_as_data(page, stored), ensure_ascii=False))
    else:
        _show(terminal, kit, page, stored)


class _Book:
    """What a player does with a campaign between two games."""

    def __init__(self, *, kit: GameKit, campaign: CampaignKit, store: Store, terminal: Terminal) -> None:
        self.kit = kit
        self.campaign = campaign
        self.pack = kit.demo_pack()
        self.store = store
        self.terminal = terminal

    def remark(self, key: str, **values: Any) -> None:
        self.terminal.remarks.print(escape(self.terminal.say(key, **values)), style="green")

    def begin(self) -> StoredCampaign:
        state = self.campaign.encode(self.campaign.new(self.pack))
        begun = begin_campaign(self.store, self.kit.name, state)
        self.remark("campaign.begun")
        return begun

    def count(self, stored: StoredCampaign, text: str) -> StoredCampaign:
        recorded = self.store.load(self.store.find(text))
        if recorded.header.game != self.kit.name or recorded.ending is None or recorded.ending.cause is None:
            raise CampaignError(f"Expected a finished game of {self.kit.name}, found game {recorded.id}.")
        before = self.campaign.decode(stored.state)
        if self.campaign.may_turn(self.pack, before):
            raise CampaignError("First turn over the card of the last game: floodwatch campaign --turn CARD.")
        if self.campaign.page(self.pack, before).over:
            raise CampaignError("This campaign is over: begin a new one with floodwatch campaign --new.")
        last = game_of(recorded, self.kit).decode(recorded.state)
        after = self.campaign.encode(self.campaign.finished(self.pack, before, last))
        stored = go_on(self.store, self.kit.name, stored, Entry.GAME, after, played=recorded.id)
        self.remark("campaign.joined", game=recorded.id)
        return stored

    def turn(self, stored: StoredCampaign, card: str) -> StoredCampaign:
        before = self.campaign.decode(stored.state)
        possible = self.campaign.may_turn(self.pack, before)
        if CardId(card) not in possible:
            wanted = ", ".join(sorted(possible)) or "no card now: count a game first with --add"
            raise CampaignError(
                f"Expected a card that may be turned over, found {card!r}; there is {wanted}."
            )
        after, entry = self.campaign.turn(self.pack, before, CardId(card))
        encoded = self.campaign.encode(after)
        stored = go_on(self.store, self.kit.name, stored, Entry.TURNED, encoded, story_entry=entry)
        if entry is None:
            self.remark("campaign.turned-unread", card=card)
        else:
            self.remark("campaign.turned", card=card, entry=entry)
        return stored


def _as_data(page: CampaignPage, stored: StoredCampaign) -> dict[str, Any]:
    data = asdict(page)
    del data["to_do"]
    return data | {
        "campaign": stored.number,
        "games": list(stored.games),
        "notes": [asdict(note) for note in stored.notes],
    }


def _show(terminal: Terminal, kit: GameKit, page: CampaignPage, stored: StoredCampaign) -> None:
    out = terminal.out
    wording = terminal.wording_of(kit)
    out.print(escape(wording.say(kit.title)), style="bold")
    score = terminal.say("campaign.score", wins=page.wins, losses=page.losses, most=page.most)
    out.print(
        f"[green]{'●' * page.wins}[/][dim]{'○' * (page.most - page.wins)}[/]  "
        f"[red]{'●' * page.losses}[/][dim]{'○' * (page.most - page.losses)}[/]  {escape(score)}"
    )
    if page.over:
        out.print(terminal.say("campaign.over"), style="bold")
    if page.to_do is not None:
        out.print(escape(wording.say(page.to_do)), style="yellow")
    for name, cards in (("added", page.added), ("history", page.history)):
        named = ", ".join(_named(terminal, card) for card in cards) or terminal.say("campaign.nothing")
        out.print(f"{terminal.say(f'campaign.{name}')}: {escape(named)}", soft_wrap=True)
    out.print(terminal.say("campaign.story", n=page.story_left))
    if stored.notes:
        out.print(f"\n{terminal.say('campaign.notes')}", style="bold")
        for one in stored.notes:
            entry = terminal.say("campaign.note", entry=one.story_entry)
            out.print(f"[dim]{moment(one.at)}[/]  {entry}: {escape(one.words)}", soft_wrap=True)


def _named(terminal: Terminal, card: str) -> str:
    return terminal.say("campaign.stone", stone=card[1:]) if card.startswith("#") else card
