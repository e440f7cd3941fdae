"""`floodwatch read`: finds and reads every card in a photograph."""

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.markup import escape
from rich.table import Table

from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.errors import FloodwatchError
from assistant.frugal import keep_memory
from assistant.kit import Game, GameKit
from assistant.packs import open_pack
from assistant.wording import Wording
from vision.cards import CardPack, Item, format_items
from vision.enrolled import ENOUGH_PX, Gallery
from vision.frame import BgrImage
from vision.image import decode_image, decode_smaller, read_picture
from vision.observation import CardReading, CardSighting, CountSighting, ZoneSighting
from vision.photo import read_photo, refuse_blank
from vision.photo_cards import PhotoCard
from vision.pose import Lens, Pose
from vision.register import register_corners
from vision.table import Rect

if TYPE_CHECKING:
    from vision.near import NearPiece
    from vision.photo_eyes import NetworkEyes

SHOWN = 3
"""So many guesses are printed for each card; JSON has all of them."""


def read(
    context: typer.Context,
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="A photograph of cards.")],
    pack: Annotated[
        Path | None, typer.Option("--pack", metavar="DIR", help="Which cards it may show.")
    ] = None,
    corners: Annotated[
        str | None,
        typer.Option(
            metavar="x,y,x,y,x,y,x,y",
            help="The board's corners in pixels from its top left, clockwise: reads all its zones too.",
        ),
    ] = None,
    game: Annotated[str, typer.Option(help="Which game's cards, where no pack says it.")] = default_game(),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Save the photograph with what was read.")
    ] = None,
) -> None:
    """Find every card in a photograph, say what is printed on it, and which pieces lie beside them."""
    terminal = terminal_of(context)
    keep_memory()
    data = read_picture(photo)
    # What prints and outlines are compared at; readers and whoever draws on the photograph need all of it.
    fewest = None if pack is None or out is not None else ENOUGH_PX
    with ThreadPoolExecutor(2) as others:  # the photograph is unpacked while the pack is opened
        unpacking = others.submit(_unpacked, data, photo.name, fewest)
        cards, kit = _cards_and_game(pack, game)
        gallery = None if pack is None else others.submit(Gallery.open, pack, cards).result
        image, step = unpacking.result()
        if kit is not None and step > 1:
            image, step = _unpacked(data, photo.name, None)
        refuse_blank(image)
        eyes = None if kit is None else _eyes_for(kit, cards)
        zones = _zones(image, corners, kit, cards, eyes) if corners is not None else None
        found = tuple(card.grown(step) for card in read_photo(image, gallery=gallery, eyes=eyes))
    found, pieces = (found, ()) if eyes is None else eyes.with_pieces(image, found)
    if out is not None:
        _draw(terminal, out, image, found, pieces)
    if as_json:
        size = (image.shape[1] * step, image.shape[0] * step)
        told = _as_data(photo, size, found, zones)
        told["pieces"] = [_piece_data(piece) for piece in pieces]
        typer.echo(json.dumps(told, ensure_ascii=False))
        return
    _show(terminal, found, zones)
    if pieces and kit is not None:
        words = _pieces_told(terminal.wording_of(kit), kit.bind(cards), pieces)
        terminal.out.print(terminal.say("read.pieces", n=len(pieces), pieces=words), markup=False)
    if eyes is None and kit is not None:
        terminal.remarks.print(terminal.say("read.no-readers"))
    if out is not None:
        terminal.remarks.print(escape(terminal.say("read.saved", path=str(out))), soft_wrap=True)


def _unpacked(data: bytes, name: str, fewest_side: int | None) -> tuple[BgrImage, int]:
    """The photograph, smaller where that is enough, and how many times smaller."""
    if fewest_side is None:
        return decode_image(data, name), 1
    return decode_smaller(data, name, fewest_side)


def _cards_and_game(folder: Path | None, game: str) -> tuple[CardPack, GameKit | None]:
    if folder is None:
        kit = kit_named(game)
        return kit.demo_pack(), kit
    pack, _, own_kit = open_pack(folder)
    return pack, own_kit


def _eyes_for(kit: GameKit, pack: CardPack) -> "NetworkEyes | None":
    """The trained readers; None where this copy of Floodwatch came without them."""
    from vision.photo_eyes import has_networks, network_eyes  # onnxruntime is slow to load: only when asked

    return network_eyes(kit.folder / "anatomy.toml", kit.pack_rules, pack) if has_networks() else None


def _zones(
    image: BgrImage, corners: str, kit: GameKit | None, pack: CardPack, eyes: "NetworkEyes | None"
) -> tuple[ZoneSighting, ...]:
    if kit is None:
        raise FloodwatchError(
            "the corners of a board mean nothing for a game without a board: leave out --corners"
        )
    if eyes is None:
        raise FloodwatchError("reading a board's zones needs the trained readers: install Floodwatch again")
    from vision.photo_eyes import read_zones

    layout = kit.bind(pack).layout
    lens = Lens(width=image.shape[1], height=image.shape[0])
    return read_zones(image, _pose(corners, layout.board, lens), layout, eyes)


def _pose(text: str, board: Rect, lens: Lens) -> Pose:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 8:
        raise FloodwatchError(f"expected the corners as eight numbers x,y,x,y,x,y,x,y, found {text!r}")
    registration = register_corners(np.array(numbers).reshape(4, 2), board, lens)
    if registration.pose is None:
        raise FloodwatchError(f"no board can have these corners: {registration.cause}")
    return registration.pose


def _draw(
    terminal: Terminal,
    out: Path,
    image: BgrImage,
    found: tuple[PhotoCard, ...],
    pieces: "Sequence[NearPiece]",
) -> None:
    from vision.draw import Words, draw_found, save_picture  # all the symbols: only where somebody wants them

    words = Words(unknown=terminal.say("read.unknown"), back=terminal.say("read.back"))
    save_picture(out, draw_found(image, found, words, pieces))


# --- telling -------------------------------------------------------------------------------------------


def _as_data(
    photo: Path, size: tuple[int, int], cards: tuple[PhotoCard, ...], zones: tuple[ZoneSighting, ...] | None
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "photo": photo.name,
        "width": size[0],
        "height": size[1],
        "cards": [_card_data(card) for card in cards],
    }
    if zones is not None:
        data["zones"] = {
            zone.zone: {
                "cards": [_sighting_data(card) for card in zone.cards],
                "pieces": [_count_data(count) for count in zone.pieces],
            }
            for zone in zones
        }
    return data


def _pieces_told(wording: Wording, game: Game[Any, Any], pieces: "Sequence[NearPiece]") -> str:
    counts = Counter(piece.kind for piece in pieces)
    return ", ".join(wording.say(game.watch.piece_name(kind, n)) for kind, n in sorted(counts.items()))


def _piece_data(piece: "NearPiece") -> dict[str, Any]:
    return {"kind": piece.kind, "point": [round(piece.x, 1), round(piece.y, 1)], "p": round(piece.p, 4)}


def _card_data(card: PhotoCard) -> dict[str, Any]:
    return {
        "quad": [[round(x, 1), round(y, 1)] for x, y in card.quad.corners],
        "score": round(card.quad.score, 3),
        "visible": round(card.quad.visible, 2),
        "kind": card.kind,
        "side": "back" if card.back else "front",
        **_reading_data(card.reading),
        "guesses": [{"card": name, "p": round(p, 4)} for name, p in card.guesses if p >= 0.0005],
        "known": card.known,
    }


def _reading_data(reading: CardReading | None) -> dict[str, Any]:
    if reading is None:
        return {"fields": {}, "stone": None}
    return {
        "fields": {
            field.name: [
                {"item": item.kind, "count": item.count, "number": item.number, "p": round(item.p, 3)}
                for item in field.items
            ]
            for field in reading.fields
        },
        "stone": reading.stone,
    }


def _sighting_data(card: CardSighting) -> dict[str, Any]:
    return {
        "quad": [[round(x, 1), round(y, 1)] for x, y in card.quad],
        "kind": card.reading.kind if card.reading else None,
        **_reading_data(card.reading),
        "guesses": [
            {"look": guess.look.value, "card": guess.card, "p": round(guess.p, 4)}
            for guess in card.guesses
            if guess.p >= 0.0005
        ],
    }


def _count_data(pieces: CountSighting) -> dict[str, Any]:
    return {
        "piece": pieces.kind,
        "counts": [{"count": count, "p": round(p, 4)} for count, p in pieces.counts if p >= 0.0005],
    }


def _show(terminal: Terminal, cards: tuple[PhotoCard, ...], zones: tuple[ZoneSighting, ...] | None) -> None:
    terminal.out.print(terminal.say("read.found", n=len(cards)))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for number, card in enumerate(cards, 1):
        x, y = (sum(part) / 4 for part in zip(*card.quad.corners, strict=True))
        table.add_row(
            str(number), f"({x:.0f}, {y:.0f})", escape(_name(terminal, card)), escape(printed(card.reading))
        )
    if cards:
        terminal.out.print(table)
    for zone in zones or ():
        for sighting in zone.cards:
            best = sighting.guesses[0]
            what = best.card or best.look.value
            words = f"{zone.zone}: {what} {best.p:.0%}  {printed(sighting.reading)}"
            terminal.out.print(words, markup=False)
        standing = [(pieces.kind, *pieces.counts[0]) for pieces in zone.pieces if pieces.counts[0][0]]
        if standing:
            words = ", ".join(f"{count} {kind} {p:.0%}" for kind, count, p in standing)
            terminal.out.print(f"{zone.zone}: {words}", markup=False)


def _name(terminal: Terminal, card: PhotoCard) -> str:
    if card.back:
        return f"{card.kind or ''} {terminal.say('read.back')}".strip()
    if not card.guesses:
        return card.kind or terminal.say("read.unknown")
    named = [(name or terminal.say("read.unknown"), p) for name, p in card.guesses[:SHOWN] if p >= 0.01]
    return ", ".join(f"{name} {p:.0%}" for name, p in named)


def printed(reading: CardReading | None) -> str:
    """What was read off a card on one line, in the words of packs."""
    if reading is None:
        return ""
    parts = []
    for field in reading.fields:
        items = format_items(tuple(Item(item.kind, item.count, item.number) for item in field.items))
        parts.append(f"{field.name}: {items or '–'}")
    stone = "?" if reading.stone is None else str(reading.stone)
    return f"{reading.kind} · {' · '.join(parts)} · stone {stone}"
