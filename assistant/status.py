"""What the tablet shows about each zone, the set-up and the log, from a position and the last sight."""

from typing import Any

from assistant.cards_fit import may_be_held
from assistant.evidence import DOUBTFUL, Evidence
from assistant.kit import Game, Message
from assistant.reconstruct import Line, StepKind
from assistant.snapshot import Certainty, LoggedAction, ZoneStatus
from vision.observation import Sight, ZoneSighting
from vision.table import TableLayout, TableView, Zone, ZoneId, ZoneView

_UNSEEN = {Sight.HIDDEN: "sight.hidden", Sight.MOVING: "sight.moving", Sight.UNREADABLE: "sight.unreadable"}


def zone_statuses(
    layout: TableLayout,
    view: TableView,
    evidence: Evidence | None,
    told: frozenset[ZoneId],
    aside: frozenset[ZoneId] = frozenset(),
) -> tuple[ZoneStatus, ...]:
    """`aside` are zones that contradict the game and are thought to be misread."""
    sightings = {}
    if evidence is not None:
        sightings = {sighting.zone: sighting for sighting in evidence.observation.zones}
    views = view.by_zone()
    return tuple(
        _status(zone, views.get(zone.id), sightings.get(zone.id), evidence, zone.id in told, zone.id in aside)
        for zone in layout.zones
    )


def _status(
    place: Zone,
    view: ZoneView | None,
    sighting: ZoneSighting | None,
    evidence: Evidence | None,
    told: bool,
    aside: bool,
) -> ZoneStatus:
    zone = place.id
    if sighting is None or evidence is None:
        why = Message.of("sight.by-rules") if evidence is not None and not told else None
        return ZoneStatus(zone=zone, certainty=Certainty.TOLD if told else Certainty.THOUGHT, why=why)
    if sighting.sight is not Sight.SEEN:
        why = Message.of(sighting.why or _UNSEEN[sighting.sight])
        return ZoneStatus(zone=zone, certainty=Certainty.HIDDEN, why=why, guesses=sighting.cards)
    if told:
        return ZoneStatus(zone=zone, certainty=Certainty.TOLD, guesses=sighting.cards)
    if view is not None and view.cards and may_be_held(place, sighting):
        return ZoneStatus(zone=zone, certainty=Certainty.THOUGHT, why=_held(view))
    if aside or (view is not None and not evidence.fits(view)):
        why = Message.of("sight.differs")
        return ZoneStatus(zone=zone, certainty=Certainty.UNSURE, why=why, guesses=sighting.cards)
    doubtful = any(card.guesses and card.guesses[0].p < DOUBTFUL for card in sighting.cards)
    return ZoneStatus(
        zone=zone,
        certainty=Certainty.UNSURE if doubtful else Certainty.SEEN,
        why=Message.of("sight.doubtful") if doubtful else None,
        guesses=sighting.cards,
    )


def _held(view: ZoneView) -> Message:
    """Cards are held instead of laid down: what therefore cannot be known."""
    unread = sum(placed.card is None for placed in view.cards)
    return Message.of("sight.held", n=unread) if unread else Message.of("sight.held-known")


def setup_items(
    game: Game[Any, Any], view: TableView, evidence: Evidence
) -> tuple[tuple[Message, bool], ...]:
    """Each item of the set-up, and whether the table shows it as it must be; what is out of view passes."""
    optional = {zone.id for zone in game.layout.zones if zone.optional}
    views = view.by_zone()

    def right(zone: ZoneId) -> bool:
        if not evidence.sees(zone):
            return zone in optional
        return evidence.fits(views[zone])

    return tuple((item, all(right(zone) for zone in zones)) for item, zones in game.watch.setup)


def logged(game: Game[Any, Any], line: Line, *, committed: bool) -> LoggedAction:
    step = line.step
    assert step is not None
    if step.kind is StepKind.ACTION:
        notation, words = game.format(step.action), game.describe(step.action)
    elif step.mistake is not None:
        notation, words = f"! {step.mistake.rule}", step.mistake.message
    else:
        notation, words = "= table", Message.of("log.adopted")
    return LoggedAction(number=line.depth, notation=notation, words=words, committed=committed)
