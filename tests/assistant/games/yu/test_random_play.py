"""Random play: nothing is lost, nothing is doubled, and everything that was recorded can be played again."""

import json
import math
import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.yu import rules
from assistant.games.yu.actions import CHANCE, Action, Verb
from assistant.games.yu.codec import decode, encode
from assistant.games.yu.copy import Copy
from assistant.games.yu.mixes import UNREAD as UNREAD_CARD
from assistant.games.yu.notation import format_action, parse_action
from assistant.games.yu.pieces import PIECES
from assistant.games.yu.resolve import settle
from assistant.games.yu.setup import start, starting_decks
from assistant.games.yu.state import Result
from assistant.games.yu.story import PLACES as STORY_PLACES
from tests.assistant.games.yu.builders import check_sound, every_card, holds, position
from tests.assistant.games.yu.cards import COPY, PACK, THIN_COPY
from tests.assistant.games.yu.walks import walk
from vision.cards import CardId, Item, ItemKind

SEEDS = st.integers(0, 2**32)
COPIES = st.sampled_from([COPY, THIN_COPY])
UNREAD = st.sampled_from([0.0, 0.1, 0.5])
FROM_THE_STORY_DECK = Counter({CardId("hermit"): 1})


@holds("Y-C4", "Y-C5")
@settings(max_examples=30, deadline=None)
@given(SEEDS, COPIES, UNREAD)
def test_pieces_and_cards_are_conserved_in_random_play(seed: int, copy: Copy, unread: float) -> None:
    before = every_card(start(copy, starting_decks(copy)))
    for _, action, after in walk(copy, seed, unread=unread, bold=0.5):
        found = check_sound(after)
        known_strangers = action.verb is Verb.NAME or copy is THIN_COPY
        if not known_strangers:
            assert not before - found, format_action(action)
            assert not (found - before) - FROM_THE_STORY_DECK, format_action(action)
        assert found.total() - before.total() in (0, 1)


@settings(max_examples=20, deadline=None)
@given(SEEDS, COPIES, UNREAD)
def test_every_legal_action_is_allowed_and_reads_back_from_its_text(
    seed: int, copy: Copy, unread: float
) -> None:
    luck = random.Random(seed)
    for state, _, _ in walk(copy, seed, unread=unread, bold=0.5):
        if luck.random() < 0.3:
            legal = rules.legal_actions(copy, state)
            assert legal
            assert len(set(legal)) == len(legal)
            for action in legal:
                assert rules.refusal(copy, state, action) is None, format_action(action)
                assert parse_action(format_action(action)) == action


@settings(max_examples=20, deadline=None)
@given(SEEDS, COPIES, UNREAD)
def test_chances_sum_to_one_and_are_the_legal_cards(seed: int, copy: Copy, unread: float) -> None:
    for state, _, _ in walk(copy, seed, unread=unread, bold=0.5):
        chances = rules.chance(copy, state)
        if not chances:
            assert not [action for action in rules.legal_actions(copy, state) if action.verb in CHANCE]
            continue
        legal = rules.legal_actions(copy, state)
        assert math.isclose(sum(chance for _, chance in chances), 1.0)
        assert all(0 < chance < 1 + 1e-9 for _, chance in chances)
        assert {action for action, _ in chances} <= set(legal)
        seen = {action for action in legal if action.verb in CHANCE}
        assert seen in (set(), {action for action, _ in chances})


@settings(max_examples=20, deadline=None)
@given(SEEDS, COPIES, UNREAD)
def test_a_game_replays_exactly_from_its_notation(seed: int, copy: Copy, unread: float) -> None:
    record, last = [], None
    for _, action, after in walk(copy, seed, unread=unread, bold=0.3):
        record.append(format_action(action))
        last = after
    state = settle(copy, start(copy, starting_decks(copy)))
    for line in record:
        action = parse_action(line)
        assert rules.refusal(copy, state, action) is None, line
        state = rules.apply(copy, state, action)
    assert state == last
    assert state.result is not None


@settings(max_examples=10, deadline=None)
@given(SEEDS, COPIES, UNREAD)
def test_every_state_survives_being_written_and_read(seed: int, copy: Copy, unread: float) -> None:
    for _, _, after in walk(copy, seed, unread=unread, bold=0.5):
        written = encode(after)
        assert decode(written) == after
        assert decode(json.loads(json.dumps(written))) == after


@settings(max_examples=20, deadline=None)
@given(SEEDS, COPIES)
def test_neighbours_of_legal_actions_are_judged_and_never_crash(seed: int, copy: Copy) -> None:
    luck = random.Random(seed)
    for state, action, _ in walk(copy, seed, unread=0.1, bold=0.5):
        for neighbour in (_mutated(action, luck, copy) for _ in range(4)):
            if rules.refusal(copy, state, neighbour) is None:
                check_sound(rules.apply(copy, state, neighbour))
            else:
                assert neighbour not in rules.legal_actions(copy, state)


def _mutated(action: Action, luck: random.Random, copy: Copy) -> Action:
    """One field changed to something near or far."""
    names = [card.id for card in copy.pack.cards] + [
        CardId(name) for name in ("?", "?t", "?t0", "?b1", "nobody")
    ]
    return luck.choice(
        [
            action._replace(verb=luck.choice(list(Verb))),
            action._replace(card=luck.choice(names)),
            action._replace(card=None),
            action._replace(at=luck.randint(-1, 10)),
            action._replace(to=luck.randint(-1, 11)),
            action._replace(pay=tuple(luck.randint(0, 2) for _ in range(5))),
            action._replace(pay=tuple(luck.randint(-1, 3) for _ in range(luck.randint(0, 6)))),
            action._replace(piece=luck.choice([None, -1, *range(10)])),
            action._replace(
                items=(Item(ItemKind(luck.choice([*PIECES, "meat", "x"])), luck.randint(-1, 3)),)
            ),
            action._replace(
                words=luck.choice([(), ("hand",), ("story", "hand"), ("row",), ("milk",), ("x", "y")])
            ),
        ]
    )


LATE = position(
    built=4, flood=2, huts=3, outposts=(1, 3), farms=(2,), tucked="rider weaver - fan",
    on_huts="- red - white", hand="guide scout trader", row="elder flute potter cook clan - archer",
    ready="carrier piper sawyer", exhausted="spear peasant peasant", discard="digger",
    barbarian_discard="raider brute",
    supply="white 6, red 3, black 3, blue 3, yellow 3, clay 5, wood 5, provision 6, cowrie 9",
)  # fmt: skip
"""Four sections stand, much is owned, and every kind of action is near."""


@settings(max_examples=30, deadline=None)
@given(SEEDS, UNREAD)
def test_the_late_game_is_as_sound_as_the_early_one(seed: int, unread: float) -> None:
    luck = random.Random(seed)
    before = every_card(LATE)
    for state, action, after in walk(COPY, seed, unread=unread, bold=0.7, begin=LATE):
        assert check_sound(after) == before, format_action(action)
        assert decode(encode(after)) == after
        assert after.result is not None or rules.legal_actions(COPY, after)
        if luck.random() < 0.2:
            for legal in rules.legal_actions(COPY, state):
                assert rules.refusal(COPY, state, legal) is None, format_action(legal)
                assert parse_action(format_action(legal)) == legal


def test_random_games_end_in_all_four_ways() -> None:
    ends: Counter[Result | None] = Counter()
    last_round = position(built=6, flood=3, row="elder flute potter cook", supply="red 2, provision 6")
    for seed in range(400):
        begin = (None, LATE, last_round)[seed % 3]
        *_, (_, _, last) = walk(COPY, seed, begin=begin)
        ends[last.result] += 1
        if set(ends) == set(Result):
            return
    raise AssertionError(f"only these ends were seen: {ends}")


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_whatever_the_book_tells_no_card_is_lost_or_doubled(seed: int) -> None:
    """Random sentences of an unknown entry: cards from anywhere to anywhere, read and unread."""
    luck = random.Random(seed)
    state = LATE.but(pending=position(pending="turtle#99").pending)
    names = [card.id for card in PACK.cards] + [UNREAD_CARD] * 10
    in_play = every_card(state)
    for _ in range(60):
        held = [card for card in (*state.hand, *state.exhausted, *state.discard) if card.startswith("?")]
        card = luck.choice(held) if held and luck.random() < 0.3 else luck.choice(names)
        source, target = luck.choice(STORY_PLACES), luck.choice(STORY_PLACES)
        action = Action(Verb.STORY_MOVE, card, words=(source, target))
        if rules.refusal(COPY, state, action) is not None:
            continue
        state = rules.apply(COPY, state, action)
        found = check_sound(state)
        change = (source != "story") - (target != "story")
        assert found.total() == in_play.total() - change, format_action(action)
        assert all(found[name] <= PACK[name].copies for name in found if name in PACK)
        assert decode(encode(state)) == state
        in_play = found
