"""`floodwatch campaign`: where a campaign stands, without a spoiler, and the player's own notes."""

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.markup import escape

from assistant.commands.records import DataOption, opened
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.kit import CampaignPage, GameKit
from assistant.record.book import CampaignBook, CampaignError
from assistant.record.campaigns import StoredCampaign
from assistant.record.telling import moment


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
        book = CampaignBook(kit=kit, campaign=kit.campaign, store=store, pack=kit.demo_pack())
        stored = None if new else book.current()
        if stored is None:
            stored = book.begin()
            _remark(terminal, "campaign.begun")
        if add is not None:
            stored = book.count(stored, add)
            _remark(terminal, "campaign.joined", game=stored.games[-1])
        if turn is not None:
            stored, entry = book.turn(stored, turn)
            if entry is None:
                _remark(terminal, "campaign.turned-unread", card=turn)
            else:
                _remark(terminal, "campaign.turned", card=turn, entry=entry)
        if noted is not None:
            stored = book.note(stored, *noted)
            _remark(terminal, "campaign.noted", entry=noted[0])
        page = book.page(stored)
    if as_json:
        typer.echo(json.dumps(_as_data(page, stored), ensure_ascii=False))
    else:
        _show(terminal, kit, page, stored)


def _remark(terminal: Terminal, key: str, **values: Any) -> None:
    terminal.remarks.print(escape(terminal.say(key, **values)), style="green")


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
