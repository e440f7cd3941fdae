"""YRO as the machinery sees it."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from assistant.games.yro import codec, notation, rules
from assistant.games.yro.actions import Action
from assistant.games.yro.adopt import adopt
from assistant.games.yro.advise import advising
from assistant.games.yro.board import shipped_board
from assistant.games.yro.check import check
from assistant.games.yro.copy import OPTIONS, Copy, copy_of, settings_of
from assistant.games.yro.forecast import forecast
from assistant.games.yro.judge import phase_name
from assistant.games.yro.layout import SEATS, layout_for
from assistant.games.yro.mistakes import mistakes
from assistant.games.yro.pack import PACK_RULES, demo_pack
from assistant.games.yro.phases import settle, start
from assistant.games.yro.policies import greedy_policy, random_policy
from assistant.games.yro.reminders import checklist, notes, piece_name, setup_list, zone_name
from assistant.games.yro.sights import candidates, ending, resume
from assistant.games.yro.state import Result, State
from assistant.games.yro.view import view
from assistant.games.yro.words import describe
from assistant.kit import Game, GameKit, Message, Outcome, Watch
from vision.cards import CardPack


def bind(pack: CardPack, confirmed: Mapping[str, str] = MappingProxyType({})) -> Game[State, Action]:
    """The game with one player's cards, what they confirmed about their boards, and how they play."""
    options = {name: value for name, value in confirmed.items() if name in OPTIONS}
    seats = tuple(sorted((int(name[-1]), confirmed[name]) for name in SEATS if name in confirmed))
    facts = {name: value for name, value in confirmed.items() if name not in {*OPTIONS, *SEATS}}
    return game_of(copy_of(pack, shipped_board().confirmed(facts), settings_of(options)), seats)


def game_of(copy: Copy, seats: tuple[tuple[int, str], ...] = ()) -> Game[State, Action]:
    return Game(
        initial=lambda: settle(copy, start(copy)),
        legal_actions=partial(rules.legal_actions, copy),
        chance=partial(rules.chance, copy),
        refusal=partial(rules.refusal, copy),
        apply=partial(rules.apply, copy),
        outcome=_outcome,
        causes=_causes(copy.settings.players),
        round=lambda state: state.round,
        phase=lambda state: phase_name(state.phase),
        view=partial(view, copy),
        adopt=partial(adopt, copy),
        check=partial(check, copy),
        forecast=partial(forecast, copy),
        encode=partial(codec.encode, copy),
        decode=partial(codec.decode, copy),
        format=notation.format_action,
        parse=notation.parse_action,
        describe=describe,
        layout=layout_for(copy.settings, seats),
        on_page=layout_for(copy.settings, arranged="page"),
        pack=copy.pack,
        policies={"random": random_policy(copy), "greedy": greedy_policy(copy)},
        advising=advising(copy),
        watch=Watch(
            candidates=partial(candidates, copy),
            mistakes=partial(mistakes, copy),
            notes=partial(notes, copy),
            checklist=partial(checklist, copy),
            ending=ending,
            resume=resume,
            setup=setup_list(copy),
            zone_name=zone_name,
            piece_name=piece_name,
        ),
    )


def _causes(players: int) -> tuple[str, ...]:
    if players == 1:
        return (Result.SOLO.value, Result.OVERRUN.value)
    return (*(f"win-{number}" for number in range(1, players + 1)), Result.SHARED.value)


def _outcome(state: State) -> Outcome | None:
    """Alone, the guild or the threat has won; among several, one of the players."""
    if state.result is None:
        return None
    won = state.result is Result.SOLO if len(state.players) == 1 else None
    return Outcome(won=won, cause=state.result.value)


KIT = GameKit(
    name="yro",
    title=Message.of("yro.title"),
    demo_pack=demo_pack,
    bind=bind,
    pack_rules=PACK_RULES,
    messages=Path(__file__).parent / "messages",
    options=OPTIONS,
)
