"""Legacy of Yu as the machinery sees it."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from assistant.games.yu import codec, notation, rules
from assistant.games.yu.actions import Action
from assistant.games.yu.adopt import adopt
from assistant.games.yu.advise import advising
from assistant.games.yu.board import Board, shipped_board
from assistant.games.yu.book import demo_book
from assistant.games.yu.campaign_kit import campaign_kit
from assistant.games.yu.check import check
from assistant.games.yu.copy import Copy, copy_of
from assistant.games.yu.forecast import forecast
from assistant.games.yu.gains import is_owed
from assistant.games.yu.judge import phase_name
from assistant.games.yu.layout import shipped_layout
from assistant.games.yu.mistakes import mistakes
from assistant.games.yu.pack import PACK_RULES, demo_pack
from assistant.games.yu.policies import greedy_policy, playable, random_policy, thrifty_policy
from assistant.games.yu.reminders import checklist, notes, piece_name, setup_list, zone_name
from assistant.games.yu.resolve import settle
from assistant.games.yu.setup import start, starting_decks
from assistant.games.yu.sights import candidates, ending, resume
from assistant.games.yu.state import Result, State
from assistant.games.yu.view import view
from assistant.games.yu.words import describe
from assistant.kit import Game, GameKit, Message, Outcome, Watch
from vision.cards import CardPack


def bind(pack: CardPack, confirmed: Mapping[str, str] = MappingProxyType({})) -> Game[State, Action]:
    """The game with one player's cards, and with what they confirmed about their board."""
    return game_of(copy_with(pack, shipped_board().confirmed(confirmed)))


def copy_with(pack: CardPack, board: Board | None = None) -> Copy:
    """Our demo book goes with the demo cards only."""
    book = demo_script() if pack.name == demo_pack().name else {}
    return copy_of(pack, board or shipped_board(), book)


def demo_script() -> dict[int, tuple[Action, ...]]:
    """What each entry of the demo's book tells, as actions."""
    return {
        entry.number: tuple(notation.parse_action(f"story {effect}") for effect in entry.effects)
        for entry in demo_book().entries
    }


def game_of(copy: Copy) -> Game[State, Action]:
    return Game(
        initial=lambda: settle(copy, start(copy, starting_decks(copy))),
        legal_actions=partial(rules.legal_actions, copy),
        chance=partial(rules.chance, copy),
        refusal=partial(rules.refusal, copy),
        apply=partial(rules.apply, copy),
        outcome=_outcome,
        causes=tuple(result.value for result in Result),
        round=lambda state: state.round,
        phase=lambda state: phase_name(state.phase),
        view=partial(view, copy),
        adopt=partial(adopt, copy),
        check=partial(check, copy),
        forecast=partial(forecast, copy),
        encode=codec.encode,
        decode=codec.decode,
        format=notation.format_action,
        parse=notation.parse_action,
        describe=describe,
        layout=shipped_layout(),
        pack=copy.pack,
        policies={
            "random": playable(copy, random_policy(copy)),
            "greedy": playable(copy, greedy_policy(copy)),
            "thrifty": playable(copy, thrifty_policy(copy)),
        },
        watch=Watch(
            candidates=partial(candidates, copy),
            mistakes=partial(mistakes, copy),
            notes=partial(notes, copy),
            checklist=partial(checklist, copy),
            ending=ending,
            is_owed=partial(is_owed, copy),
            resume=resume,
            setup=setup_list(),
            zone_name=zone_name,
            piece_name=piece_name,
        ),
        advising=advising(copy),
    )


def _outcome(state: State) -> Outcome | None:
    if state.result is None:
        return None
    return Outcome(won=state.result is Result.WIN, cause=state.result.value)


KIT = GameKit(
    name="yu",
    title=Message.of("yu.title"),
    demo_pack=demo_pack,
    bind=bind,
    pack_rules=PACK_RULES,
    messages=Path(__file__).parent / "messages",
    campaign=campaign_kit(copy_with),
)
