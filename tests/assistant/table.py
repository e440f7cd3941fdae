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


SCRIPT = tuple(
    """
reveal 1 drummer-black-blue
reveal 2 potter-wood-white
reveal 3 flute-player-red-wood
reveal 4 elder-black-black
reveal 5 fan-bearer-white-yellow
reveal 6 fan-bearer-draw-white
reveal 7 rider-2-red-blue
deal 1 canal-1-2-turtle-3
deal 2 canal-1-2-turtle-17
deal 3 canal-3-4-2-clay
deal 4 canal-3-4-clay-wood
deal 5 canal-5-6-turtle-44
deal 6 canal-5-6-turtle-5
collect
draw fan-bearer-blue-draw
draw flute-player-clay-red
draw drummer-red-red
draw weaver-white-cowrie-clay
play weaver-white-cowrie-clay
canal with white white
story gain provision
story move fisher-2-provision-draw story discard
story end
recruit 1
tuck fan-bearer-blue-draw 1
recruit 2
play flute-player-clay-red
play drummer-red-red
use 1 with red
recruit 3
end
barge
suffer 7
destroy drummer-coloured-wood
reveal 7 axeman-red-black-blue
reveal 4 elder-yellow-draw
reveal 5 basket-carrier-2-cowrie-provision
collect
draw fisher-yellow-wood
draw flute-player-blue-wood
draw basket-carrier-wood-black
draw weaver-wood-yellow
farm 3 on 2 with white
""".strip().splitlines()
)
"""The beginning of a game, so that tests can say "after the first 23 actions"."""


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
    def after(cls, actions: int, *, eye: Eye | None = None) -> "Table":
        """The scripted game under way, and a session that has just seen it."""
        script = cls()
        script.do(*SCRIPT[:actions])
        table = cls(state=script.state, eye=eye)
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

    def look(
        self,
        view: TableView | None = None,
        *,
        calm: bool = True,
        looking: bool = False,
        seconds: float = 1.0,
    ) -> None:
        self.at += seconds
        self.index += 1
        seen = self.eye.look(view or self.view, self.index, self.at, calm=calm)
        self.session.observe(replace(seen, looking=looking))

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
