"""What every game must hold to: one contract, run over every kit that is found."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from assistant.discover import kits
from assistant.kit import Dice, Game, Severity
from assistant.reconstruct import candidates
from assistant.wording import Wording, languages
from vision.table import TableView, ZoneView, body_of

SEEDS = range(4)
WALKS = [(name, policy, seed) for name in kits() for policy in ("random", "greedy") for seed in SEEDS]


@cache
def bound(name: str) -> Game[Any, Any]:
    kit = kits()[name]
    return kit.bind(kit.demo_pack())


@cache
def walk(name: str, policy: str, seed: int) -> tuple[tuple[Any, Any], ...]:
    """All states of one game with the action taken in each; the last has none."""
    game = bound(name)
    return tuple(_steps(game, policy, seed))


def _steps(game: Game[Any, Any], policy: str, seed: int) -> Iterator[tuple[Any, Any]]:
    dice = Dice(f"conformance/{seed}")
    state = game.initial()
    while game.outcome(state) is None:
        action = game.policies[policy](state, dice)
        yield state, action
        state = game.apply(state, action)
    yield state, None


@pytest.mark.parametrize(("name", "policy", "seed"), WALKS)
class TestEveryGame:
    def test_play_ends_and_then_nothing_is_legal(self, name: str, policy: str, seed: int) -> None:
        game = bound(name)
        last, _ = walk(name, policy, seed)[-1]
        outcome = game.outcome(last)
        assert outcome is not None
        assert outcome.cause in game.causes
        assert game.legal_actions(last) == ()
        assert game.chance(last) == ()

    def test_what_is_played_is_legal(self, name: str, policy: str, seed: int) -> None:
        game = bound(name)
        for state, action in walk(name, policy, seed)[:-1]:
            assert action in game.legal_actions(state)
            assert game.refusal(state, action) is None

    def test_chance_is_part_of_what_is_legal_and_sums_to_one(self, name: str, policy: str, seed: int) -> None:
        game = bound(name)
        for state, _ in walk(name, policy, seed):
            chances = game.chance(state)
            if chances:
                assert sum(chance for _, chance in chances) == pytest.approx(1)
                assert {action for action, _ in chances} <= set(game.legal_actions(state))

    def test_legal_play_breaks_no_rule(self, name: str, policy: str, seed: int) -> None:
        game = bound(name)
        for state, _ in walk(name, policy, seed)[:-1]:
            broken = [found for found in game.check(state) if found.severity is Severity.VIOLATION]
            assert broken == []

    def test_a_state_survives_json(self, name: str, policy: str, seed: int) -> None:
        game = bound(name)
        for state, _ in walk(name, policy, seed):
            assert game.decode(json.loads(json.dumps(game.encode(state)))) == state

    def test_an_action_survives_its_notation(self, name: str, policy: str, seed: int) -> None:
        game = bound(name)
        for state, _ in walk(name, policy, seed)[::5]:
            for action in game.legal_actions(state):
                assert game.parse(game.format(action)) == action

    def test_adopting_ones_own_view_changes_nothing(self, name: str, policy: str, seed: int) -> None:
        game = bound(name)
        for state, _ in walk(name, policy, seed):
            assert game.adopt(state, game.view(state)) == state

    def test_play_goes_on_from_any_table_that_is_adopted(self, name: str, policy: str, seed: int) -> None:
        """A misread table is taken at its word too: nothing that thinks about it may then break."""
        game = bound(name)
        dice = Random(f"adopted/{seed}")
        states = [state for state, _ in walk(name, policy, seed)[:-1]]
        for state in states[::2]:
            adopted = game.adopt(state, _in_parts(game.view(dice.choice(states)), dice))
            assert game.decode(json.loads(json.dumps(game.encode(adopted)))) == adopted
            assert game.forecast(adopted)
            game.check(adopted)
            game.watch.notes(adopted)
            game.watch.checklist(adopted)
            game.watch.ending(adopted)
            game.watch.mistakes(adopted)
            placed = [placed.card for zone in game.view(adopted).zones for placed in zone.cards]
            for action, _ in candidates(game, adopted, frozenset(card for card in placed if card)):
                game.view(game.apply(adopted, action))

    def test_every_zone_and_card_of_a_view_exists(self, name: str, policy: str, seed: int) -> None:
        game = bound(name)
        zones = {zone.id: zone for zone in game.layout.zones}
        for state, _ in walk(name, policy, seed):
            for seen in game.view(state).zones:
                zone = zones[seen.zone]
                assert {piece.kind for piece in seen.pieces} <= set(zone.pieces)
                for placed in seen.cards:
                    assert placed.card is None or game.pack[placed.card].kind in zone.cards

    def test_pieces_and_cards_on_the_table_are_conserved(self, name: str, policy: str, seed: int) -> None:
        """Nothing appears out of nowhere: the pieces in view always add up to the same box."""
        game = bound(name)
        totals = {_pieces_in_view(game, state) for state, _ in walk(name, policy, seed)[:-1]}
        assert len(totals) == 1

    def test_everything_can_be_said_in_every_language(self, name: str, policy: str, seed: int) -> None:
        game, messages = bound(name), kits()[name].messages
        for wording in [Wording(language, [messages]) for language in languages()]:
            for state, action in walk(name, policy, seed):
                assert wording.say(game.phase(state))
                assert all(wording.say(gauge.message) for gauge in game.forecast(state).gauges)
                assert action is None or wording.say(game.describe(action))

    def test_the_same_seed_plays_the_same_game(self, name: str, policy: str, seed: int) -> None:
        assert tuple(_steps(bound(name), policy, seed)) == walk(name, policy, seed)


def _in_parts(view: TableView, dice: Random) -> TableView:
    """Some of the zones; now and then one seems empty, or its cards cannot be read."""
    share = dice.choice((0.1, 0.4))
    zones = [zone for zone in view.zones if dice.random() < share]
    return TableView(tuple(_misread(zone, dice) if dice.random() < 0.1 else zone for zone in zones))


def _misread(zone: ZoneView, dice: Random) -> ZoneView:
    if dice.random() < 0.5:
        return ZoneView(zone=zone.zone)
    return replace(zone, cards=tuple(replace(card, card=None) for card in zone.cards))


def _pieces_in_view(game: Game[Any, Any], state: Any) -> tuple[tuple[str, int], ...]:
    totals: dict[str, int] = {}
    for zone in game.view(state).zones:
        for piece in zone.pieces:
            body = body_of(piece.kind)
            totals[body] = totals.get(body, 0) + piece.count
    return tuple(sorted(totals.items()))


@pytest.mark.parametrize("name", list(kits()))
def test_a_golden_playthrough_exists(name: str, pytestconfig: pytest.Config) -> None:
    golden = pytestconfig.rootpath / "tests" / "assistant" / "games" / name / "golden"
    assert list(golden.glob("*.txt"))
