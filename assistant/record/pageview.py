"""One page that tells a whole game: self-contained, without network, every move drawn on the table."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from html import escape
from importlib import resources
from string import Template
from typing import Any, Final

from assistant.kit import Game, GameKit, Message
from assistant.record import diagram
from assistant.record.milestones import moved_gauges
from assistant.record.telling import moment, result_of, say
from assistant.record.values import CommittedAction, Ending, RecordedFinding, RecordedGame
from assistant.wording import Wording, languages
from vision.anatomy import load_anatomy
from vision.cards import CardFacts, CardId, CardKind
from vision.table import Side, TableView, Zone, ZoneId, ZoneKind, ZoneView
from vision.virtual.boardart import load_board_art

LARGEST: Final = 2_000_000
"""Bytes: what a mail can carry. Crops that would make it larger are left out, every second one first."""

Words = dict[str, str]
"""A sentence in each language."""


def as_page(recorded: RecordedGame, kit: GameKit, game: Game[Any, Any], language: str) -> str:
    wordings = {known: Wording(known, [kit.messages]) for known in languages()}
    page = _Page(recorded=recorded, kit=kit, game=game, wordings=wordings)
    every = 1
    while len(text := page.written(language, every_crop=every)) > LARGEST and every < len(recorded.actions):
        every *= 2
    return text


class _Page:
    def __init__(
        self, *, recorded: RecordedGame, kit: GameKit, game: Game[Any, Any], wordings: Mapping[str, Wording]
    ) -> None:
        self.recorded = recorded
        self.kit = kit
        self.game = game
        self.wordings = wordings
        self.anatomy = load_anatomy(kit.folder / "anatomy.toml")
        self.states = [
            game.decode(recorded.start),
            *(game.decode(action.state) for action in recorded.actions),
        ]
        self.views = [game.view(state) for state in self.states]

    def written(self, language: str, *, every_crop: int) -> str:
        files = resources.files(__package__) / "page"
        style = (files / "replay.css").read_text("utf-8")
        script = (files / "replay.js").read_text("utf-8")
        words = self._words()
        data = {
            "language": language,
            "card": [width(self.game), height(self.game)],
            "zones": [self._zone(zone) for zone in (self.game.on_page or self.game.layout).zones],
            "steps": list(self._steps(every_crop)),
            "words": words,
        }
        ending = self.recorded.ending
        return Template((files / "replay.html").read_text("utf-8")).substitute(
            language=language,
            title=escape(words["title"][language]),
            program=escape(self.recorded.header.program),
            facts=escape(self._facts()),
            outcome=_outcome(ending),
            emblem=self._emblem(),
            view=_view_box(self.game),
            symbols="".join(
                diagram.symbol(name, folder)
                for folder in (diagram.SYMBOLS, self.kit.folder / "symbols")
                for name in diagram.symbol_names(folder)
            ),
            cards="".join(self._cards()),
            board=diagram.board(load_board_art(self.kit.folder / "boardart.toml")),
            languages="".join(f'<option value="{known}">{known}</option>' for known in sorted(self.wordings)),
            data=_safe_json(data),
            style=style,
            style_hash=_hash(style),
            script=script,
            script_hash=_hash(script),
        )

    def _said(self, message: Message, otherwise: str | None = None) -> Words:
        return {known: say(wording, message, otherwise) for known, wording in self.wordings.items()}

    def _words(self) -> dict[str, Words]:
        own = ("setup", "back", "on", "play", "slider", "language", "table")
        words = {name: self._said(Message.of(f"record.{name}")) for name in own}
        round_ = Message.of("record.round", round="{round}")
        return words | {
            "round": self._said(round_),
            "title": self._said(self.kit.title),
            "result": {
                known: result_of(self.recorded.ending, self.kit, wording)
                for known, wording in self.wordings.items()
            },
        }

    def _facts(self) -> str:
        header = self.recorded.header
        facts = [moment(header.started_at), header.table, header.pack_name, f"floodwatch {header.program}"]
        return " · ".join(facts + ([f"seed {header.seed}"] if header.seed is not None else []))

    def _emblem(self) -> str:
        gauges = [gauge.name for state in self.states for gauge in self.game.forecast(state).gauges[:1]]
        return gauges[0] if gauges and gauges[0] in diagram.symbol_names() else diagram.symbol_names()[0]

    def _zone(self, zone: Zone) -> dict[str, Any]:
        rect = zone.rect
        return {
            "id": zone.id,
            "kind": zone.kind.value,
            "rect": [_unit(value) for value in (rect.x0, rect.y0, rect.width, rect.height)],
            "cards": bool(zone.cards),
            "pieces": list(zone.pieces),
            "label": self._label(zone),
        }

    def _label(self, zone: Zone) -> Words | None:
        """Only piles and heaps are named; what lies on the board is known by its place."""
        key = f"{self.kit.name}.zone.{zone.id}"
        named = zone.kind in (ZoneKind.PILE, ZoneKind.SPREAD, ZoneKind.HEAP)
        if not named or any(key not in wording.keys for wording in self.wordings.values()):
            return None
        return self._said(Message.of(key))

    def _steps(self, every_crop: int) -> Iterator[dict[str, Any]]:
        found = _by_action(self.recorded)
        before = TableView(())
        moves = moved_gauges(self.game, self.states)
        for number, (state, view) in enumerate(zip(self.states, self.views, strict=True)):
            action = self.recorded.actions[number - 1] if number else None
            yield {
                "round": action.round if action else self.game.round(state),
                "phase": self._said(self.game.phase(state)),
                "words": self._said(action.words, action.notation) if action else self._said(self.kit.title),
                "notation": action.notation if action else "",
                "zones": _changes(before, view, self.game),
                "gauges": self._gauges(state),
                "moved": ", ".join(moves[number]),
                "findings": [self._finding(finding) for finding in found.get(number, ())],
                "crop": _crop(action) if action and number % every_crop == 0 else None,
            }
            before = view

    def _gauges(self, state: Any) -> list[dict[str, Any]]:
        gauges = self.game.forecast(state).gauges
        told = [gauge for number, gauge in enumerate(gauges) if number < 2 or gauge.severity is not None]
        return [
            {"severity": gauge.severity and gauge.severity.value, "words": self._said(gauge.message)}
            for gauge in told
        ]

    def _finding(self, told: RecordedFinding) -> dict[str, Any]:
        finding = told.finding
        words = self._said(finding.message)
        return {"rule": finding.rule, "severity": finding.severity.value, "words": words}

    def _cards(self) -> Iterator[str]:
        w, h = width(self.game), height(self.game)
        shown = {card.card for view in self.views for zone in view.zones for card in zone.cards if card.card}
        for card in sorted(shown):
            facts = self.game.pack[card] if card in self.game.pack else CardFacts(id=card, kind=CardKind("?"))
            yield _symbol(f"c-{card}", diagram.card_face(facts, self.anatomy, w, h), w, h)
        for kind in sorted({kind for zone in self.game.layout.zones for kind in zone.cards}):
            yield _symbol(f"b-{kind}", diagram.card_back(kind, self.anatomy, w, h), w, h)
        unknown = CardFacts(id=CardId("?"), kind=CardKind("?"))
        yield _symbol("c-unknown", diagram.card_face(unknown, self.anatomy, w, h), w, h)


def width(game: Game[Any, Any]) -> float:
    return _unit(game.layout.card_width)


def height(game: Game[Any, Any]) -> float:
    return _unit(game.layout.card_height)


def _outcome(ending: Ending | None) -> str:
    """Where several played against each other somebody has won."""
    if ending is None or ending.cause is None:
        return "open"
    return "lost" if ending.won is False else "won"


def _unit(value: float) -> float:
    return round(value * diagram.UNIT, 1)


def _symbol(name: str, drawn: str, w: float, h: float) -> str:
    return f'<symbol id="{escape(name)}" viewBox="-1 -1 {w + 2} {h + 2}" overflow="visible">{drawn}</symbol>'


def _view_box(game: Game[Any, Any]) -> str:
    """All zones and a margin for their names."""
    rects = [zone.rect for zone in game.layout.zones] + [game.layout.board]
    x0, y0 = min(rect.x0 for rect in rects), min(rect.y0 for rect in rects)
    x1, y1 = max(rect.x1 for rect in rects), max(rect.y1 for rect in rects)
    margin = 0.05
    box = (x0 - margin, y0 - margin, x1 - x0 + 2 * margin, y1 - y0 + 2 * margin)
    return " ".join(f"{_unit(value):g}" for value in box)


def _changes(before: TableView, after: TableView, game: Game[Any, Any]) -> dict[ZoneId, Any]:
    """The zones that lie differently, each as cards and pieces."""
    old = before.by_zone()
    return {
        zone.zone: [[_card(card.card, card.side, zone, game) for card in zone.cards],
                    [[piece.kind, piece.count] for piece in zone.pieces]]
        for zone in after.zones
        if old.get(zone.zone) != zone
    }  # fmt: skip


def _card(card: CardId | None, side: Side, zone: ZoneView, game: Game[Any, Any]) -> list[str | None]:
    if side is Side.UP:
        return [card, "up"]
    kinds = game.layout.zone(zone.zone).cards
    return [game.pack[card].kind if card and card in game.pack else kinds[0] if kinds else None, "down"]


def _by_action(recorded: RecordedGame) -> dict[int, list[RecordedFinding]]:
    """Findings by the position in the list of actions that they follow."""
    places = {action.number: place for place, action in enumerate(recorded.actions, 1)}
    found: dict[int, list[RecordedFinding]] = {}
    for finding in recorded.findings:
        found.setdefault(places.get(finding.after, 0), []).append(finding)
    return found


def _crop(action: CommittedAction) -> str | None:
    if action.crop is None:
        return None
    return f"data:image/jpeg;base64,{base64.b64encode(action.crop).decode()}"


def _safe_json(data: Any) -> str:
    """JSON that cannot end the element it stands in, whatever a card is called."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
