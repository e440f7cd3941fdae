"""A table for tests: a game that somebody plays, a session that watches, and time that passes."""

import random
from dataclasses import replace
from functools import cache
from typing import Any

from assistant.events import Event
from assistant.games.yu import KIT
from assistant.kit import Game
from assistant.session import Session
from assistant.simulate import play_game
from assistant.snapshot import ShownFinding
from tests.assistant.observations import Eye, patched
from vision.table import PieceCount, PieceKind, PlacedCard, TableView, ZoneId, ZoneView


@cache
def yu() -> Game[Any, Any]:
    return KIT.bind(KIT.demo_pack())


@cache
def played(policy: str, seed: int) -> tuple[Any, ...]:
    game = yu()
    return play_game(game, game.policies[policy], seed).actions


class Table:
    """Somebody plays Legacy of Yu, the session looks on."""

    def __init__(self, *, state: Any = None, eye: Eye | None = None, **settings: Any) -> None:
        self.game = yu()
        self.eye = eye or Eye(layout=self.game.layout, pack=self.game.pack)
        self.state = self.game.initial() if state is None else state
        self.settings = {"state": state, **settings}
        self.session = Session(self.game, "yu", **self.settings)
        self.events: list[Event] = []
        self.session.listen(self.events.append)
        self.at = 0.0
        self.index = 0

    @classmethod
    def after(cls, actions: int, *, seed: int = 1, policy: str = "greedy", eye: Eye | None = None) -> "Table":
        """A game under way, and a session that has just seen it."""
        game = yu()
        state = game.initial()
        for action in played(policy, seed)[:actions]:
            state = game.apply(state, action)
        table = cls(state=state, eye=eye)
        table.look()
        return table

    def do(self, *notations: str) -> None:
        """Plays actions without anybody looking."""
        for notation in notations:
            action = self.game.parse(notation)
            refusal = self.game.refusal(self.state, action)
            assert refusal is None, (notation, refusal)
            self.state = self.game.apply(self.state, action)

    @property
    def view(self) -> TableView:
        return self.game.view(self.state)

    def look(self, view: TableView | None = None, *, calm: bool = True, seconds: float = 1.0) -> None:
        self.at += seconds
        self.index += 1
        self.session.observe(self.eye.look(view or self.view, self.index, self.at, calm=calm))

    def wait(self, view: TableView | None = None, *, seconds: int = 20) -> None:
        for _ in range(seconds):
            self.look(view)

    def recorded(self) -> list[str]:
        return [entry.notation for entry in self.session.snapshot().log]

    def violations(self) -> list[ShownFinding]:
        shown = self.session.snapshot().findings
        return [entry for entry in shown if entry.finding.severity.value == "violation"]

    def with_pieces(self, zone: str, view: TableView | None = None, **changes: int) -> TableView:
        """The table with some more or fewer pieces in a zone."""
        view = view or self.view
        counts = {piece.kind: piece.count for piece in view[ZoneId(zone)].pieces}
        for kind, change in changes.items():
            counts[PieceKind(kind)] = counts.get(PieceKind(kind), 0) + change
        pieces = tuple(PieceCount(kind, count) for kind, count in sorted(counts.items()) if count)
        return patched(view, [replace(view[ZoneId(zone)], pieces=pieces)])

    def with_card(self, zone: str, card: Any, view: TableView | None = None) -> TableView:
        """The table with another card, or none, in a place for one card."""
        view = view or self.view
        cards = () if card is None else (PlacedCard(card),)
        return patched(view, [ZoneView(zone=ZoneId(zone), cards=cards)])


def careless(seed: int) -> Eye:
    """An eye that misreads, miscounts and overlooks a little of everything."""
    game = yu()
    return Eye(
        layout=game.layout,
        pack=game.pack,
        dice=random.Random(seed),
        misread=0.03,
        miscount=0.03,
        hide=0.02,
    )
