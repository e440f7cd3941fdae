"""`floodwatch play`: a game in the terminal with its legal actions numbered, for trying the rules."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.markup import escape

from assistant.commands.own import PackOption, bound_game, saved_state
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.errors import FloodwatchError
from assistant.kit import Dice, Game, GameKit, Message
from assistant.wording import Wording
from vision.table import TableView

SHOWN: Final = 24
"""More actions than that are not listed but counted."""


def play(
    context: typer.Context,
    seed: Annotated[int, typer.Option(help="The luck of this game.")] = 0,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    pack: PackOption = None,
    state: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on from a position saved with `save`.")
    ] = None,
) -> None:
    """Play in the terminal: numbered legal actions, or any action in its notation; undo included."""
    kit = kit_named(game)
    bound = bound_game(kit, pack)
    terminal = terminal_of(context)
    _Table(
        kit=kit,
        game=bound,
        terminal=terminal,
        wording=terminal.wording_of(kit),
        dice=Dice(seed),
        states=[bound.initial() if state is None else saved_state(bound, state)],
    ).run()


@dataclass(slots=True, kw_only=True)
class _Table:
    """One game at the terminal: all states so far, so that every action can be taken back."""

    kit: GameKit
    game: Game[Any, Any]
    terminal: Terminal
    wording: Wording
    dice: Dice
    states: list[Any]
    actions: list[Any] = field(default_factory=list)
    sought: str = ""
    """Part of an action that the player typed to narrow the list."""

    @property
    def state(self) -> Any:
        return self.states[-1]

    def run(self) -> None:
        self._print(self.wording.say(Message.of("play.welcome", title=self.kit.title)))
        while True:
            self._deal()
            options = self._options()
            self._show(options)
            try:
                text = input(f"{self.terminal.say('play.choose')} > ")
            except EOFError:
                return
            if not self._answer(text.strip(), options):
                return

    def _deal(self) -> None:
        """Where nothing but luck can happen next, it happens."""
        while (chances := self.game.chance(self.state)) and len(chances) == len(
            self.game.legal_actions(self.state)
        ):
            self._do(self.dice.weighted(chances))

    def _options(self) -> tuple[Any, ...]:
        lucky = {action for action, _ in self.game.chance(self.state)}
        found = (action for action in self.game.legal_actions(self.state) if action not in lucky)
        return tuple(action for action in found if self.sought in self.game.format(action))

    def _show(self, options: tuple[Any, ...]) -> None:
        phase = self.wording.say(self.game.phase(self.state))
        self._print("")
        self._print(self.terminal.say("play.round", round=self.game.round(self.state), phase=phase), "bold")
        for line in _table_lines(self.game.view(self.state)):
            self._print(f"  {line}", "dim")
        for gauge in self.game.forecast(self.state).gauges:
            if gauge.severity is not None or gauge.name in ("flood", "barbarians"):
                self._print(f"  {self.wording.say(gauge.message)}", "yellow" if gauge.severity else "cyan")
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            result = self.wording.say(Message.of(f"{self.kit.name}.result.{outcome.cause}"))
            self._print(
                self.terminal.say("play.over", result=result, rounds=self.game.round(self.state)), "bold"
            )
        if self.game.chance(self.state):
            self._print(f"   0  luck  ({self.terminal.say('play.luck')})")
        for number, action in enumerate(options[:SHOWN], 1):
            self._print(
                f"  {number:2d}  {self.game.format(action)}  ({self.wording.say(self.game.describe(action))})"
            )
        if len(options) > SHOWN:
            self._print(self.terminal.say("play.more", n=len(options) - SHOWN))

    def _answer(self, text: str, options: tuple[Any, ...]) -> bool:
        """Carries out what was typed; False ends the game."""
        self.sought = ""
        word, _, rest = text.partition(" ")
        if word in ("quit", "exit", "q"):
            return False
        if word == "undo":
            self._undo()
        elif word == "state":
            self._print(json.dumps(self.game.encode(self.state), indent=1))
        elif word == "save" and rest:
            self._save(Path(rest))
        elif word in ("luck", "0"):
            if chances := self.game.chance(self.state):
                self._do(self.dice.weighted(chances))
        elif word.isdigit() and 1 <= int(word) <= min(len(options), SHOWN):
            self._do(options[int(word) - 1])
        elif text:
            self._typed(text, options)
        return True

    def _typed(self, text: str, options: tuple[Any, ...]) -> None:
        try:
            action = self.game.parse(text)
        except FloodwatchError as problem:
            if any(text in self.game.format(action) for action in options):
                self.sought = text
            else:
                self._print(str(problem), "red")
            return
        refusal = self.game.refusal(self.state, action)
        if refusal is not None:
            reason = self.wording.say(refusal.message)
            self._print(self.terminal.say("play.refused", rule=refusal.rule, reason=reason), "red")
        else:
            self._do(action)

    def _do(self, action: Any) -> None:
        self.states.append(self.game.apply(self.state, action))
        self.actions.append(action)
        self._print(f"→ {self.wording.say(self.game.describe(action))}", "green")

    def _undo(self) -> None:
        """Back to the last choice: what luck did since is taken back too."""
        if not self.actions:
            self._print(self.terminal.say("play.nothing-to-undo"))
            return
        while self.actions:
            action = self.actions.pop()
            self.states.pop()
            if action not in {lucky for lucky, _ in self.game.chance(self.state)}:
                break
        self._print(self.terminal.say("play.undone", action=self.game.format(action)))

    def _save(self, path: Path) -> None:
        try:
            path.write_text(json.dumps(self.game.encode(self.state)), encoding="utf-8")
        except OSError as problem:
            self._print(f"{path}: {problem.strerror}", "red")
        else:
            self._print(self.terminal.say("play.saved", path=str(path)))

    def _print(self, text: str, style: str = "") -> None:
        self.terminal.out.print(escape(text), style=style, soft_wrap=True)


def _table_lines(view: TableView) -> list[str]:
    """What lies on the table, one line per family of zones that is not empty."""
    lines: dict[str, list[str]] = {}
    for zone in view.zones:
        family, _, number = zone.zone.rpartition("-")
        name = family if number.isdigit() else zone.zone
        cards = [card.card or "?" for card in zone.cards]
        shown = ([f"{len(cards)} cards"] if len(cards) > 3 and set(cards) == {"?"} else cards) + [
            f"{piece.count} {piece.kind}" for piece in zone.pieces
        ]
        if shown:
            label = f"{number}:" if number.isdigit() else ""
            lines.setdefault(name, []).append(label + ", ".join(shown))
    return [f"{name}: {'  '.join(parts)}" for name, parts in lines.items() if name != "main"]
