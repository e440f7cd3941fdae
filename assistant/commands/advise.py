"""`floodwatch advise`: what to do in a position, whether something can be afforded, what a game cost."""

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from assistant.advice import Advice, Strength
from assistant.advise.advisor import AdviseError, Advisor
from assistant.advise.afford import afford
from assistant.advise.review import costly_decisions
from assistant.advise.review_worker import costly_data
from assistant.advise.say import advice_of, nothing_to_advise, shown_chance, trimmed
from assistant.commands.own import PackOption, bound_game, saved_state
from assistant.commands.records import DataOption, opened
from assistant.commands.simulate import progress_bar
from assistant.commands.terminal import Terminal, terminal_of
from assistant.discover import default_game, kit_named
from assistant.kit import Game, GameKit, Message
from assistant.record.replay import steps_of
from assistant.record.telling import game_of
from assistant.record.values import RecordedGame
from assistant.wording import Wording


def advise(
    context: typer.Context,
    state: Annotated[
        Path | None, typer.Argument(metavar="STATE.json", help="A position saved with `play`.")
    ] = None,
    budget: Annotated[int, typer.Option(min=1, max=600_000, metavar="MS", help="How long to think.")] = 1000,
    strength: Annotated[Strength, typer.Option(help="How much to say.")] = Strength.BEST,
    goal: Annotated[
        str | None, typer.Option(help="Can this be afforded this round, and how? Such as `canal`.")
    ] = None,
    record: Annotated[
        str | None, typer.Option(metavar="GAME", help="The costly decisions of a recorded game, or `last`.")
    ] = None,
    game: Annotated[str, typer.Option(help="Which game.")] = default_game(),
    pack: PackOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    data: DataOption = None,
) -> None:
    """Say what to do in a position, and why; or what a recorded game's decisions cost."""
    terminal = terminal_of(context)
    if (state is None) == (record is None):
        raise AdviseError("Say either a position (STATE.json) or --record GAME.")
    if record is not None:
        with opened(terminal, data) as store:
            recorded = store.load(store.find(record))
        _review(terminal, recorded, budget / 1000, as_json)
        return
    assert state is not None
    kit = kit_named(game)
    bound = bound_game(kit, pack)
    position = saved_state(bound, state)
    if goal is not None:
        _afford(terminal, kit, bound, position, goal, as_json)
        return
    thought = Advisor(bound, clock=time.monotonic).think(position, budget / 1000)
    advice = trimmed(advice_of(bound, position, thought), strength)
    wording = terminal.wording_of(kit)
    if as_json:
        typer.echo(json.dumps(_as_data(advice, wording), ensure_ascii=False))
    else:
        _show(terminal, wording, advice)


def _show(terminal: Terminal, wording: Wording, advice: Advice) -> None:
    def line(text: str, style: str = "") -> None:
        terminal.out.print(escape(text), style=style, soft_wrap=True)

    for said, style in ((advice.nudges, "cyan"), (advice.warnings, "yellow")):
        for message in said:
            line(wording.say(message), style)
    if advice.plain is not None:
        line(wording.say(advice.plain))
    if advice.plan is not None:
        goals = "; ".join(map(wording.say, advice.plan.goals))
        line(f"{terminal.say('advise.plan')} {goals}".rstrip(), "bold")
        for number, step in enumerate(advice.plan.steps, 1):
            line(f"  {number:2d}  {wording.say(step)}")
    for number, move in enumerate(advice.moves):
        word = terminal.say("advise.best" if number == 0 else "advise.other")
        line(f"{word} {wording.say(move.words)}  ({move.notation})", "bold green" if number == 0 else "")
        for reason in move.because:
            line(f"      {wording.say(reason)}")
        if move.win is not None:
            line(f"      {wording.say(shown_chance(move.win))}", "dim")
    if advice.win is not None and not advice.moves:
        line(wording.say(shown_chance(advice.win)))


def _as_data(advice: Advice, wording: Wording) -> dict[str, Any]:
    return {
        "strength": advice.strength.value,
        "plain": advice.plain and wording.say(advice.plain),
        "nudges": list(map(wording.say, advice.nudges)),
        "warnings": list(map(wording.say, advice.warnings)),
        "plan": advice.plan
        and {
            "goals": list(map(wording.say, advice.plan.goals)),
            "steps": list(map(wording.say, advice.plan.steps)),
        },
        "moves": [
            {
                "notation": move.notation,
                "words": wording.say(move.words),
                "because": list(map(wording.say, move.because)),
                "win": move.win and [move.win.p, move.win.low, move.win.high],
            }
            for move in advice.moves
        ],
        "win": advice.win and [advice.win.p, advice.win.low, advice.win.high],
    }


def _afford(
    terminal: Terminal, kit: GameKit, game: Game[Any, Any], state: Any, name: str, as_json: bool
) -> None:
    advising = game.advising
    if advising is None:
        raise AdviseError("This game has nothing for the advisor.")
    goals = {goal.name: goal for goal in advising.goals(state)}
    if name not in goals:
        found = ", ".join(goals) or "none"
        raise AdviseError(f"There is no goal {name!r} in this position; there are: {found}.")
    wording = terminal.wording_of(kit)
    plain = nothing_to_advise(game, state)
    answer = afford(game, advising, state, goals[name])
    steps = [game.format(action) for action in answer.actions or ()]
    if as_json:
        affordable = bool(answer.actions) if answer.certain else None
        typer.echo(json.dumps({"goal": name, "affordable": affordable, "steps": steps}))
        return
    if plain is not None:
        terminal.out.print(escape(wording.say(plain)), soft_wrap=True)
    elif answer.actions is not None:
        terminal.out.print(terminal.say("advise.affordable", n=len(steps)))
        for number, action in enumerate(answer.actions, 1):
            terminal.out.print(escape(f"  {number:2d}  {wording.say(game.describe(action))}"), soft_wrap=True)
    else:
        key = "advise.unaffordable" if answer.certain else "advise.unfound"
        terminal.out.print(wording.say(Message.of(key, n=answer.positions)), soft_wrap=True)


def _review(terminal: Terminal, recorded: RecordedGame, seconds: float, as_json: bool) -> None:
    kit = kit_named(recorded.header.game)
    game = game_of(recorded, kit)
    steps = [(game.decode(state), game.parse(notation)) for state, notation in steps_of(recorded)]
    with progress_bar(terminal) as bar:
        task = bar.add_task(terminal.say("advise.costly-thinking"), total=None)
        costly = costly_decisions(game, steps, seconds=seconds, progress=lambda: bar.advance(task))
    if as_json:
        typer.echo(json.dumps([costly_data(game, one) for one in costly], ensure_ascii=False))
        return
    wording = terminal.wording_of(kit)

    def said(actions: tuple[Any, ...]) -> str:
        return "; ".join(wording.say(game.describe(action)) for action in actions)

    for one in costly:
        first = terminal.say("advise.costly", round=one.round, number=one.number + 1, played=said(one.played))
        better = said(one.better)
        second = terminal.say(
            "advise.costly-better", better=better, then=one.chance_better, now=one.chance_played
        )
        terminal.out.print(escape(first), soft_wrap=True)
        terminal.out.print(escape(f"    {second}"), soft_wrap=True)
    if not costly:
        terminal.out.print(terminal.say("advise.costly-none"))
