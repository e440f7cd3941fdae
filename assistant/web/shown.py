"""The snapshot as the page gets it: plain JSON, every message already a sentence in one language."""

from collections.abc import Iterable
from zlib import crc32

from pydantic import BaseModel, ConfigDict, Field

from assistant.kit import Gauge, Message, Outcome
from assistant.snapshot import ShownFinding, Snapshot, ZoneStatus
from assistant.web.naming import PageWording
from assistant.wording import Wording
from vision.table import TableView, ZoneView

LOG_LINES = 40
"""The newest moves that travel with every snapshot; the whole log is asked for when it is looked at."""


HISTORY_BLOCK = 20


class Shown(BaseModel):
    model_config = ConfigDict(frozen=True)


class ShownCard(Shown):
    card: str | None = Field(description="Its id in the pack; null where nobody knows.")
    side: str = Field(examples=["up", "down"])


class ShownZone(Shown):
    zone: str
    cards: tuple[ShownCard, ...] = Field(description="From the bottom of the pile to its top.")
    pieces: dict[str, int]


class ShownGuess(Shown):
    look: str = Field(examples=["empty", "back", "front"])
    card: str | None
    p: float


class ShownStatus(Shown):
    zone: str
    certainty: str = Field(examples=["seen", "thought", "hidden", "unsure", "told"])
    why: str | None
    guesses: tuple[ShownGuess, ...] = Field(description="Of the top card, the likeliest first.")


class ShownProgress(Shown):
    doing: str
    missing: tuple[str, ...]
    zones: tuple[str, ...]


class ShownCheck(Shown):
    text: str
    done: bool


class FindingLine(Shown):
    id: int
    rule: str
    severity: str = Field(examples=["note", "warning", "violation"])
    sentence: str
    words: str | None = Field(description="The rule itself, in a few words.")
    book: str | None = Field(description="The section of the rulebook that tells it.")
    zones: tuple[str, ...]
    fate: str = Field(examples=["open", "accepted", "dismissed", "mended"])
    raised_at: float


class ShownGauge(Shown):
    name: str
    severity: str | None
    sentence: str
    values: dict[str, int | float | str | bool | None]


class ShownAnswer(Shown):
    answer: str
    text: str


class ShownQuestion(Shown):
    id: int
    text: str
    zone: str | None
    answers: tuple[ShownAnswer, ...]


class LogLine(Shown):
    number: int
    notation: str
    sentence: str
    committed: bool


class ShownOutcome(Shown):
    won: bool | None = Field(description="None where several played against each other.")
    cause: str
    sentence: str


class ShownCamera(Shown):
    state: str = Field(examples=["live", "stale", "lost", "none"])
    frames_per_second: float
    registered: bool
    calm: bool
    why: str | None


class ShownSnapshot(Shown):
    """Everything that the page draws. A page ignores what is older than what it shows."""

    number: int
    game: str
    round: int
    phase: str
    view: tuple[ShownZone, ...]
    zones: tuple[ShownStatus, ...]
    progress: ShownProgress | None
    checklist: tuple[ShownCheck, ...]
    findings: tuple[FindingLine, ...]
    gauges: tuple[ShownGauge, ...]
    question: ShownQuestion | None
    log: tuple[LogLine, ...]
    history: str = Field(description="Changes when moves older than `log` are told otherwise, or grow many.")
    moves: int = Field(description="How many moves there are in all; `log` holds the newest of them.")
    outcome: ShownOutcome | None
    camera: ShownCamera
    trouble: str | None = Field(description="Why the game is not being saved just now.")


def show(snapshot: Snapshot, wording: PageWording) -> ShownSnapshot:
    camera = snapshot.camera
    return ShownSnapshot(
        number=snapshot.number,
        game=snapshot.game,
        round=snapshot.round,
        phase=wording.say(snapshot.phase),
        view=show_zones(snapshot.view),
        zones=tuple(_status(status, wording) for status in snapshot.zones if _is_told(status)),
        progress=_progress(snapshot, wording),
        checklist=tuple(ShownCheck(text=wording.say(text), done=done) for text, done in snapshot.checklist),
        findings=tuple(_finding(finding, wording) for finding in snapshot.findings),
        gauges=show_gauges(snapshot.gauges, wording),
        question=_question(snapshot, wording),
        log=show_log(snapshot, wording, LOG_LINES),
        history=_history(snapshot),
        moves=len(snapshot.log),
        outcome=show_outcome(snapshot.outcome, snapshot.game, wording),
        camera=ShownCamera(
            state=camera.state.value,
            frames_per_second=camera.frames_per_second,
            registered=camera.registered,
            calm=camera.calm,
            why=_said(camera.why, wording),
        ),
        trouble=_said(snapshot.trouble, wording),
    )


def show_zones(view: TableView) -> tuple[ShownZone, ...]:
    return tuple(_zone(zone) for zone in view.zones)


def show_gauges(gauges: Iterable[Gauge], wording: Wording) -> tuple[ShownGauge, ...]:
    return tuple(
        ShownGauge(
            name=gauge.name,
            severity=gauge.severity.value if gauge.severity else None,
            sentence=wording.say(gauge.message),
            values=dict(gauge.values),
        )
        for gauge in gauges
    )


def show_log(snapshot: Snapshot, wording: Wording, lines: int | None = None) -> tuple[LogLine, ...]:
    wanted = snapshot.log if lines is None else snapshot.log[-lines:]
    return tuple(
        LogLine(
            number=action.number,
            notation=action.notation,
            sentence=wording.say(action.words),
            committed=action.committed,
        )
        for action in wanted
    )


def _history(snapshot: Snapshot) -> str:
    """A sum over the moves that a page keeps by itself, in blocks: it does not change at every move."""
    older = max(0, len(snapshot.log) - LOG_LINES) // HISTORY_BLOCK * HISTORY_BLOCK
    return f"{crc32('|'.join(action.notation for action in snapshot.log[:older]).encode()):08x}"


def _zone(zone: ZoneView) -> ShownZone:
    return ShownZone(
        zone=zone.zone,
        cards=tuple(ShownCard(card=card.card, side=card.side.value) for card in zone.cards),
        pieces={piece.kind: piece.count for piece in zone.pieces},
    )


def _is_told(status: ZoneStatus) -> bool:
    """A zone that is plainly seen needs no line of its own."""
    return status.certainty.value != "seen" or status.why is not None or bool(status.guesses)


def _status(status: ZoneStatus, wording: Wording) -> ShownStatus:
    guesses = status.guesses[0].guesses if status.guesses else ()
    return ShownStatus(
        zone=status.zone,
        certainty=status.certainty.value,
        why=_said(status.why, wording),
        guesses=tuple(
            ShownGuess(look=guess.look.value, card=guess.card, p=round(guess.p, 4)) for guess in guesses[:6]
        ),
    )


def _progress(snapshot: Snapshot, wording: Wording) -> ShownProgress | None:
    progress = snapshot.progress
    if progress is None:
        return None
    return ShownProgress(
        doing=wording.say(progress.doing),
        missing=tuple(wording.say(message) for message in progress.missing),
        zones=progress.zones,
    )


def _finding(shown: ShownFinding, wording: PageWording) -> FindingLine:
    words, book = wording.rule(shown.finding.rule)
    return FindingLine(
        id=shown.id,
        rule=shown.finding.rule,
        severity=shown.finding.severity.value,
        sentence=wording.say(shown.finding.message),
        words=words,
        book=book,
        zones=shown.finding.zones,
        fate=shown.fate.value,
        raised_at=shown.raised_at,
    )


def _question(snapshot: Snapshot, wording: Wording) -> ShownQuestion | None:
    question = snapshot.question
    if question is None:
        return None
    return ShownQuestion(
        id=question.id,
        text=wording.say(question.text),
        zone=question.zone,
        answers=tuple(
            ShownAnswer(answer=answer, text=wording.say(text)) for answer, text in question.answers
        ),
    )


def show_outcome(outcome: Outcome | None, game: str, wording: Wording) -> ShownOutcome | None:
    if outcome is None:
        return None
    sentence = wording.say(Message.of(f"{game}.result.{outcome.cause}"))
    return ShownOutcome(won=outcome.won, cause=outcome.cause, sentence=sentence)


def _said(message: Message | None, wording: Wording) -> str | None:
    return None if message is None else wording.say(message)
