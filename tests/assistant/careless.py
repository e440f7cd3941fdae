"""A table at which somebody breaks a rule now and then, and puts it right again."""

from typing import Any

from assistant.accuracy import NOTHING, Aligned, align, change
from assistant.kit import Dice
from assistant.snapshot import FindingFate
from assistant.virtual import Visible, slip_of, visible
from tests.assistant.observations import Eye
from tests.assistant.table import Table, played, yu
from vision.table import TableView

ODDS = ((True, 0.12), (False, 0.88))
LYING_S, RIGHT_S, MOVE_S = 8, 3, 2


class Careless(Table):
    """Somebody plays greedily, breaks a rule now and then, and puts it right when told."""

    def __init__(self, seed: int, eye: Eye | None = None) -> None:
        game = yu()
        super().__init__(eye=eye or Eye(layout=game.layout, pack=game.pack, heights=False))
        self.shown = [self.view]
        self.names: list[str] = []
        self.slips: list[bool] = []
        """Of each broken rule whether it was named."""
        self._seed = seed
        self._luck = Dice(f"{seed}/m")
        self._slipped: set[Visible] = set()
        self._slipping = False
        self._known: set[int] = set()
        self.false_findings: list[str] = []
        """Rules that were said to be broken while none was."""

    def play(self, moves: int) -> None:
        for action in played("greedy", self._seed)[:moves]:
            if self.game.round(self.state) > 0 and self._luck.weighted(ODDS):
                self._slip()
            before = self.view
            self.do(self.game.format(action))
            self.wait(seconds=MOVE_S)
            if change(self.game.layout, before, self.view) != NOTHING:
                self.shown.append(self.view)
                self.names.append(self.game.format(action))

    def _slip(self) -> None:
        slip = slip_of(self.game, self.state, self._luck)
        if slip is None:
            return
        self._slipping = True
        mistake, rules = slip
        wrong = self.game.view(mistake.state)
        self._slipped.add(visible(self.game.layout, wrong))
        before = self._accused()
        self.wait(wrong, seconds=LYING_S)
        self.slips.append(any(rule in rules for _, rule in self._accused() - before))
        self.wait(seconds=RIGHT_S)
        self._slipping = False

    def look(self, view: TableView | None = None, **how: Any) -> None:
        super().look(view, **how)
        new = {shown.id: shown.finding.rule for shown in self.violations() if shown.id not in self._known}
        self._known |= new.keys()
        if not self._slipping:
            self.false_findings += new.values()

    def _accused(self) -> set[tuple[int, str]]:
        shown = self.session.snapshot().findings
        return {(entry.id, entry.finding.rule) for entry in shown if entry.fate is FindingFate.OPEN}

    def missed(self) -> list[str]:
        """The actions that were not recorded in their turn."""
        return [name for name, good in zip(self.names, self.aligned().right, strict=True) if not good]

    def aligned(self) -> Aligned:
        """The game as it was played beside the game as it was recorded, mistakes left out."""
        layout = self.game.layout
        recorded = [line.view for line in self.session.lines[0].back()][::-1]
        return align(layout, self.shown, [v for v in recorded if visible(layout, v) not in self._slipped])
