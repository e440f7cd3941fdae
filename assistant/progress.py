"""A move half done on the table: what is being done, and what is still missing."""

from collections.abc import Iterator, Sequence
from typing import Any

from assistant.evidence import Evidence
from assistant.kit import Game, Message
from assistant.reconstruct import Line, Moves, StepKind, grown
from assistant.snapshot import Progress
from vision.table import PieceKind, ZoneId, ZoneView

MOST_LINES = 4


def half_done(
    game: Game[Any, Any], lines: Sequence[Line], evidence: Evidence, moves: Moves
) -> tuple[Line, Progress] | None:
    """The move of which the table shows a part, if every zone lies as before it, after it or on the way."""
    best: tuple[float, Line] | None = None
    for line in lines[:MOST_LINES]:
        off = [zone for zone in line.view.zones if not evidence.fits(zone)]
        for child in grown(game, line, evidence, moves):
            if not _on_the_way(line, child, off, evidence):
                continue
            # The fewest zones still to come, then the likeliest line.
            value = child.cost + 0.5 * len(_missing_zones(line, child, evidence))
            if best is None or value < best[0]:
                best = (value, child)
    if best is None:
        return None
    child = best[1]
    assert child.parent is not None
    assert child.step is not None
    assert child.step.kind is StepKind.ACTION
    missing = _missing_zones(child.parent, child, evidence)
    if not missing:
        return None
    progress = Progress(
        doing=game.describe(child.step.action),
        missing=tuple(_messages(game, missing, evidence)),
        zones=tuple(after.zone for _, after in missing),
    )
    return child, progress


def _on_the_way(line: Line, child: Line, off: list[ZoneView], evidence: Evidence) -> bool:
    """Whether all that does not fit is touched by the step, and lies as on the way to its end."""
    touched = {
        before.zone: (before, after)
        for before, after in zip(line.view.zones, child.view.zones, strict=True)
        if before is not after
    }
    if any(zone.zone not in touched for zone in off):
        return False
    return all(evidence.on_the_way(before, after) for before, after in touched.values())


def _missing_zones(line: Line, child: Line, evidence: Evidence) -> list[tuple[ZoneView, ZoneView]]:
    return [
        (before, after)
        for before, after in zip(line.view.zones, child.view.zones, strict=True)
        if before is not after and not evidence.fits(after)
    ]


def _messages(
    game: Game[Any, Any], missing: list[tuple[ZoneView, ZoneView]], evidence: Evidence
) -> Iterator[Message]:
    """What must still arrive somewhere; what must still leave only where it arrives nowhere in view."""
    leaving: list[tuple[ZoneId, PieceKind, int]] = []
    arriving: set[PieceKind] = set()
    for _, after in missing:
        seen = evidence.read(after).counts()
        wanted = after.counts()
        for kind in sorted(seen.keys() | wanted.keys()):
            more = wanted.get(kind, 0) - seen.get(kind, 0)
            if more > 0:
                arriving.add(kind)
                yield _said(game, "piece-to", after.zone, game.watch.piece_name(kind, more))
            elif more < 0:
                leaving.append((after.zone, kind, -more))
    for zone, kind, number in leaving:
        if kind not in arriving:
            yield _said(game, "piece-from", zone, game.watch.piece_name(kind, number))
    for before, after in missing:
        if before.cards != after.cards:
            key = "card-to" if len(after.cards) >= len(before.cards) else "card-from"
            yield Message.of(f"progress.{key}", zone=game.watch.zone_name(after.zone))


def _said(game: Game[Any, Any], key: str, zone: ZoneId, what: Message) -> Message:
    return Message.of(f"progress.{key}", what=what, zone=game.watch.zone_name(zone))
