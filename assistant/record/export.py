"""A recorded game as text, as a table of its actions, or as JSON with all that was recorded."""

import base64
import csv
import io
import json
from collections.abc import Iterator
from typing import Any, Final

from assistant.kit import GameKit, Message, Severity
from assistant.record.packed import message_to_json
from assistant.record.packs import pack_to_json
from assistant.record.telling import Telling, ToldFinding, moment, tell
from assistant.record.values import RecordedGame
from assistant.wording import Wording

JSON_FORMAT: Final = 1
COLUMNS: Final = ("number", "round", "at", "notation", "words", "findings")
SIGNS: Final = {Severity.NOTE: "-", Severity.WARNING: "!", Severity.VIOLATION: "X"}


def as_text(recorded: RecordedGame, kit: GameKit, wording: Wording) -> str:
    """The notation, round by round, with what was found; every line that is no action begins with a sign."""
    told = tell(recorded, kit, wording)
    return "\n".join([*_heading(recorded, told), *_rounds(told, wording), "", f"# {told.result}", ""])


def _heading(recorded: RecordedGame, told: Telling) -> Iterator[str]:
    header = recorded.header
    yield f"# {told.title}, {moment(header.started_at)}, {header.table}"
    yield f"# {header.pack_name} {header.pack_hash}, floodwatch {header.program}" + (
        f", seed {header.seed}" if header.seed is not None else ""
    )


def _rounds(told: Telling, wording: Wording) -> Iterator[str]:
    round_ = None
    for finding in told.before:
        yield _line(finding)
    for action in told.actions:
        if action.round != round_:
            round_ = action.round
            key = "record.round" if round_ else "record.setup"
            yield ""
            yield f"## {wording.say(Message.of(key, round=round_))}"
        yield f"{action.number:4d}  {action.notation}"
        for finding in action.findings:
            yield _line(finding)


def _line(finding: ToldFinding) -> str:
    return f"    {SIGNS[finding.severity]} {finding.rule}: {finding.sentence}"


def as_csv(recorded: RecordedGame, kit: GameKit, wording: Wording) -> str:
    """One line per action."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for action in tell(recorded, kit, wording).actions:
        findings = "; ".join(finding.rule for finding in action.findings)
        cells = (action.number, action.round, round(action.at, 3), action.notation, action.sentence, findings)
        writer.writerow([harmless(cell) for cell in cells])
    return out.getvalue()


def harmless(cell: object) -> object:
    """A spreadsheet would carry out a text that begins like a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t") else cell


def as_json(recorded: RecordedGame) -> str:
    return json.dumps(_as_data(recorded), ensure_ascii=False, indent=1) + "\n"


def _as_data(recorded: RecordedGame) -> dict[str, Any]:
    header = recorded.header
    return {
        "format": JSON_FORMAT,
        "id": recorded.id,
        "header": {name: getattr(header, name) for name in header.__dataclass_fields__}
        | {"model_hashes": dict(header.model_hashes)},
        "start": recorded.start,
        "pack": None if recorded.pack is None else pack_to_json(recorded.pack),
        "events": [
            {"sequence": event.sequence, "at": event.at, "kind": event.kind, "payload": event.payload}
            for event in recorded.events
        ],
        "actions": [
            {
                "number": action.number,
                "round": action.round,
                "at": action.at,
                "event": action.event,
                "notation": action.notation,
                "words": message_to_json(action.words),
                "state": action.state,
                "crop": base64.b64encode(action.crop).decode() if action.crop is not None else None,
            }
            for action in recorded.actions
        ],
        "findings": [
            {
                "id": told.id,
                "after": told.after,
                "at": told.at,
                "rule": told.finding.rule,
                "severity": told.finding.severity.value,
                "message": message_to_json(told.finding.message),
                "zones": list(told.finding.zones),
                "fate": told.fate.value,
            }
            for told in recorded.findings
        ],
        "ending": recorded.ending
        and {
            "end": recorded.ending.end.value,
            "won": recorded.ending.won,
            "cause": recorded.ending.cause,
            "rounds": recorded.ending.rounds,
            "at": recorded.ending.at,
        },
    }
