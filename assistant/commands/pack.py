"""`floodwatch pack`: packs of cards, made from pictures, checked and shown."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import kits
from assistant.errors import FloodwatchError
from assistant.packs import ANY_GAME, open_pack
from calibration.sharing import LOOK, described, facts_only, merge
from vision.cards import CardFacts, CardPack, format_items
from vision.pack import PACK_FILE, find_gaps, save_pack
from vision.pack_images import card_images, new_pack, pictures_of

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The pack's folder.")]

app = typer.Typer(name="pack", help="Packs of cards: make, check, show and share them.", no_args_is_help=True)


@app.command()
def new(
    context: typer.Context,
    folder: FolderArgument,
    from_images: Annotated[
        Path,
        typer.Option(
            "--from-images", metavar="FOLDER", help="One picture for each card; the file name is its id."
        ),
    ],
    game: Annotated[str, typer.Option(help="Whose cards they are; any name will do.")] = ANY_GAME,
    name: Annotated[str | None, typer.Option(help="What the pack is called; else as its folder.")] = None,
) -> None:
    """Make a pack from one picture for each card."""
    terminal = terminal_of(context)
    if not game or len(game) > 40 or not game.isprintable():
        raise FloodwatchError(f"expected a game's name of 1 to 40 plain characters, found {game!r}")
    if game in kits():
        raise FloodwatchError(terminal.say("pack.kinds-unknown", game=game, folder=str(folder)))
    images = card_images(from_images)
    pack = new_pack(folder, images, game=game, name=name or folder.resolve().name, facts={})
    terminal.out.print(
        terminal.say("pack.made", n=len(pack.cards), file=str(folder / PACK_FILE)),
        markup=False,
        soft_wrap=True,
    )


@app.command()
def check(context: typer.Context, folder: FolderArgument) -> None:
    """Say whether a pack can be used, and what it does not say yet."""
    terminal = terminal_of(context)
    pack, rules, _ = open_pack(folder)
    terminal.out.print(
        terminal.say("pack.good", n=len(pack.cards), name=pack.name, game=pack.game), markup=False
    )
    gaps = find_gaps(pack, rules)
    if gaps:
        cards = sorted({gap.card for gap in gaps})
        few = ", ".join(cards[:8]) + (" …" if len(cards) > 8 else "")
        terminal.out.print(terminal.say("pack.gaps", n=len(gaps), cards=few), markup=False, soft_wrap=True)


@app.command()
def show(
    context: typer.Context,
    folder: FolderArgument,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """List the cards of a pack with what is printed on them."""
    terminal = terminal_of(context)
    pack, _, _ = open_pack(folder)
    if as_json:
        typer.echo(json.dumps(_as_data(pack), ensure_ascii=False))
    else:
        terminal.out.print(_table(pack, terminal))


@app.command()
def export(
    context: typer.Context,
    folder: FolderArgument,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder for the shared pack.")],
    facts: Annotated[
        bool,
        typer.Option(
            "--facts-only", help="Facts, and a few numbers for each picture. Nothing else can be shared."
        ),
    ] = False,
) -> None:
    """Write a pack that may be given to others: what is printed, how cards look, and no pictures."""
    terminal = terminal_of(context)
    if not facts:
        raise FloodwatchError(terminal.say("pack.facts-only"))
    if (out / PACK_FILE).exists():
        raise FloodwatchError(f"{out / PACK_FILE} exists already: choose another folder, or remove it first")
    pack, _, _ = open_pack(folder)
    shared = facts_only(pack, pictures_of(folder, pack))
    save_pack(shared, out)
    known = sum(card.embedding is not None for card in shared.cards)
    terminal.out.print(
        terminal.say("pack.exported", n=len(pack.cards), file=str(out / PACK_FILE), pictures=known),
        markup=False,
        soft_wrap=True,
    )


@app.command(name="import")
def take_in(
    context: typer.Context,
    folder: FolderArgument,
    shared: Annotated[Path, typer.Option("--from", metavar="DIR", help="The folder of the shared pack.")],
    dry: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
) -> None:
    """Take in what another owner's pack knows, and show where both differ."""
    terminal = terminal_of(context)
    theirs, _, _ = open_pack(shared)
    if (folder / PACK_FILE).exists():
        own, _, _ = open_pack(folder)
        ours = described(own, pictures_of(folder, own))
    else:
        ours = CardPack(game=theirs.game, name=folder.resolve().name, cards=())
    merged = merge(ours, theirs)
    for conflict in merged.conflicts:
        key = "pack.conflict-ours" if conflict.kept_ours else "pack.conflict-theirs"
        key = "pack.conflict-look" if conflict.fact == LOOK else key
        words = terminal.say(
            key, card=conflict.card, fact=conflict.fact, ours=conflict.ours, theirs=conflict.theirs
        )
        terminal.out.print(words, markup=False, soft_wrap=True)
    if not dry:
        save_pack(merged.pack, folder)
    terminal.out.print(
        terminal.say(
            "pack.merged", n=len(merged.added), filled=merged.filled, conflicts=len(merged.conflicts)
        ),
        markup=False,
    )


def _as_data(pack: CardPack) -> dict[str, Any]:
    return {"game": pack.game, "name": pack.name, "cards": [_card_data(card) for card in pack.cards]}


def _card_data(card: CardFacts) -> dict[str, Any]:
    return {
        "id": card.id,
        "kind": card.kind,
        "fields": {
            part.name: None if part.items is None else format_items(part.items) for part in card.fields
        },
        "stone": card.stone,
        "picture": card.picture,
        "image": card.image,
        "copies": card.copies,
    }


def _table(pack: CardPack, terminal: Terminal) -> Table:
    table = Table(title=escape(pack.name), title_justify="left", box=None, padding=(0, 2, 0, 0))
    for heading in ("card", "kind", "printed", "stone", "image"):
        table.add_column(terminal.say(f"pack.column.{heading}"))
    for card in pack.cards:
        printed = "; ".join(
            f"{part.name}: {'?' if part.items is None else format_items(part.items) or '–'}"
            for part in card.fields
        )
        stone = "" if card.stone is None else str(card.stone)
        table.add_row(*map(escape, (card.id, card.kind, printed, stone, card.image or "")))
    return table
