"""`floodwatch enrol`: takes in your own cards, shown to the camera one by one or from a folder of scans."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.markup import escape

from assistant.commands.form import Leave, asked
from assistant.commands.own import CopyError
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.kit import GameKit
from calibration.enrol import CaptureWatch, Enrolment, Form, Wait, faced, twins
from vision.cards import CardId, CardKind, CardPack
from vision.draw import save_picture
from vision.enrolled_kept import learn_all
from vision.feed import FrameSource, Health
from vision.frame import BgrImage
from vision.identify import Identifier
from vision.image import load_image
from vision.pack import PACK_FILE, load_pack, save_pack
from vision.pack_images import CardImage, card_images
from vision.source import open_source

if TYPE_CHECKING:
    from vision.reader import ReadCard, Reader

STORY: Final = CardKind("story")
LATER: Final = frozenset({STORY})
"""Story cards are met in play: nobody leafs through them before."""
FRAME_SECONDS: Final = 0.5
BAR_SIGNS: Final = 20


def enrol(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The pack's folder; made if there is none.")],
    camera: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="Show card after card to this camera.")
    ] = None,
    scans: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="One picture for each card; the file name is its id."),
    ] = None,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    yes: Annotated[bool, typer.Option("--yes", help="Believe what was read without asking.")] = False,
    story: Annotated[
        bool, typer.Option("--story", help="Take in story cards too: only those that came into play.")
    ] = False,
) -> None:
    """Take in your own cards: each is read, and you confirm or correct what was read."""
    from vision.second_look import read_with_care  # onnxruntime is slow to load: only when asked

    terminal = terminal_of(context)
    kit = kit_named(game)
    if (camera is None) == (scans is None):
        raise CopyError("expected either --camera or --scans: where should the cards come from?")
    pack = _known_pack(folder, kit)
    images = card_images(scans) if scans is not None else ()
    enrolment = Enrolment(
        rules=kit.pack_rules,
        pack=pack,
        later=frozenset() if story else LATER,
        coming=frozenset(image.id for image in images),
    )
    reader = _reader(kit, pack)
    shown = _from_scans(images) if scans is not None else _from_camera(terminal, str(camera))
    for card, held in shown:
        picture, kind = faced(held, reader)
        if card is not None and card in pack:
            kind = pack[card].kind
        if kind is None or kind not in reader.anatomy:
            form = enrolment.blank(STORY, card) if story else None
        else:
            read = read_with_care(reader, picture, kind)
            card = card or _met(terminal, enrolment, reader, read)
            form = enrolment.form(read.reading, card)
        if not _take(terminal, enrolment, folder, picture, form, yes=yes):
            break
    _finish(terminal, enrolment, folder)


def _met(terminal: Terminal, enrolment: Enrolment, reader: "Reader", read: "ReadCard") -> CardId | None:
    """Which card of the pack was shown; one that was taken in before is said."""
    card = enrolment.met(Identifier(enrolment.result(), reader.item_kinds).name(read.evidence))
    if card is not None and enrolment.has_picture(card):
        terminal.out.print(escape(terminal.say("enrol.again", card=card)), style="yellow")
    return card


def _known_pack(folder: Path, kit: GameKit) -> CardPack:
    if (folder / PACK_FILE).exists():
        return load_pack(folder, kit.pack_rules)
    return CardPack(game=kit.pack_rules.game, name=folder.resolve().name, cards=())


def _reader(kit: GameKit, pack: CardPack) -> "Reader":
    from vision.photo_eyes import has_networks, network_eyes  # onnxruntime is slow to load: only when asked

    if not has_networks():
        raise CopyError("reading cards needs the trained readers: install Floodwatch again.")
    return network_eyes(kit.folder / "anatomy.toml", kit.pack_rules, pack).reader


def _from_scans(images: Sequence[CardImage]) -> Iterator[tuple[CardId | None, BgrImage]]:
    for image in images:
        yield image.id, load_image(image.path)


def _from_camera(terminal: Terminal, camera: str) -> Iterator[tuple[CardId | None, BgrImage]]:
    """Cards as they are captured, until Ctrl-C or the end of a video."""
    source: FrameSource = open_source(camera)
    watch = CaptureWatch()
    said: Wait | None = None
    try:
        while source.state().health is not Health.ENDED:
            frame = source.read(FRAME_SECONDS)
            if frame is None:
                time.sleep(0.01)
                continue
            found = watch.look(frame)
            if isinstance(found, Wait):
                if found is not said:
                    terminal.remarks.print(terminal.say(f"enrol.wait.{found.value}"), style="dim")
                said = found
                continue
            said = None
            yield None, found.picture
    except KeyboardInterrupt:
        return
    finally:
        source.close()


def _take(
    terminal: Terminal,
    enrolment: Enrolment,
    folder: Path,
    picture: BgrImage,
    form: Form | None,
    *,
    yes: bool,
) -> bool:
    """False: the player has had enough."""
    if form is None:
        terminal.out.print(terminal.say("enrol.later"), style="yellow")
        return True
    facts = form.facts if yes else asked(terminal, form, enrolment.rules)
    if isinstance(facts, Leave):
        return facts is Leave.SKIP
    name = f"{facts.id}.png"
    folder.mkdir(parents=True, exist_ok=True)
    save_picture(folder / name, picture)
    enrolment.take(facts, image=name)
    save_pack(enrolment.result(), folder)  # at once: an evening's work is not lost with the power
    done, of = enrolment.progress()
    terminal.out.print(
        escape(f"{_bar(done, of)} {terminal.say('enrol.taken', card=facts.id, n=done, of=of)}")
    )
    return True


def _bar(done: int, of: int) -> str:
    full = round(BAR_SIGNS * done / max(of, 1))
    return "▰" * full + "▱" * (BAR_SIGNS - full)


def _finish(terminal: Terminal, enrolment: Enrolment, folder: Path) -> None:
    pack = enrolment.result()
    if not pack.cards:
        return
    images = {card.id: card.image for card in pack.cards if card.image is not None}
    learn_all(folder, images)
    missing = enrolment.missing()
    if missing:
        few = ", ".join(missing[:8]) + (" …" if len(missing) > 8 else "")
        terminal.out.print(escape(terminal.say("enrol.missing", n=len(missing), cards=few)), soft_wrap=True)
    pictures = {card: load_image(folder / name) for card, name in images.items()}
    for one, other in twins(pack, pictures):
        terminal.out.print(escape(terminal.say("enrol.twins", one=one, other=other)), style="yellow")
    n = len(pack.cards)
    terminal.out.print(escape(terminal.say("pack.made", n=n, file=str(folder / PACK_FILE))), soft_wrap=True)
