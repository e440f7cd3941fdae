"""The whole-game measure: what counts as right, which mistakes are made, and a short game through the eye."""

import json

from typer.testing import CliRunner

from assistant.cli import app
from assistant.commands.bench import BARS
from assistant.games.yu import KIT
from assistant.kit import Dice
from assistant.measure import Score, VirtualMatch, blank_cards, read_right, style_of
from assistant.virtual import like_two_moves, set_up, slip_of, visible
from tests.assistant.observations import Eye
from tests.assistant.table import played, yu
from vision.cards import CardId
from vision.observation import CardSighting, Guess, Look, Sight, ZoneSighting
from vision.table import PlacedCard, Side, TableView, ZoneId, ZoneView
from vision.virtual.scene_style import Split


def test_a_perfect_eye_reads_every_zone_right() -> None:
    game = yu()
    view = game.view(set_up(game, Dice(1)))
    seen = Eye(layout=game.layout, pack=game.pack).look(view, 0, 0.0)
    assert all(read_right(game.layout, sighting, view[ZoneId(sighting.zone)]) for sighting in seen.zones)


def test_a_misread_card_and_a_miscounted_piece_are_errors() -> None:
    game = yu()
    view = game.view(set_up(game, Dice(1)))
    other = game.view(game.initial())
    seen = {
        sighting.zone: sighting
        for sighting in Eye(layout=game.layout, pack=game.pack).look(view, 0, 0.0).zones
    }
    assert not read_right(game.layout, seen[ZoneId("row-1")], other[ZoneId("row-1")])


def test_of_cards_printed_alike_none_is_read_wrong() -> None:
    game = yu()
    one, other, third = (card.id for card in game.pack.cards[:3])
    lies = ZoneView(zone=ZoneId("row-1"), cards=(PlacedCard(one),))

    def read(*guesses: Guess) -> bool:
        sighting = ZoneSighting(
            zone=ZoneId("row-1"), sight=Sight.SEEN, cards=(CardSighting(guesses=guesses),)
        )
        return read_right(game.layout, sighting, lies)

    assert read(Guess(Look.FRONT, other, 0.4), Guess(Look.FRONT, one, 0.4), Guess(Look.FRONT, third, 0.2))
    assert not read(Guess(Look.FRONT, other, 0.5), Guess(Look.FRONT, one, 0.4))
    assert not read(Guess(Look.FRONT, other, 0.4), Guess(Look.FRONT, third, 0.4), Guess(Look.FRONT, one, 0.2))


def test_a_card_with_nothing_to_read_is_read_right_as_one_without_a_name() -> None:
    game = yu()
    blank = blank_cards(KIT, game)
    assert {card.kind for card in game.pack.cards if card.id in blank} == {"story"}
    ferry = next(iter(blank))
    known = game.pack.cards[0].id
    assert known not in blank

    def read(lies: CardId, guess: CardId | None) -> bool:
        truth = ZoneView(zone=ZoneId("story"), cards=(PlacedCard(lies),))
        seen = CardSighting(guesses=(Guess(Look.FRONT, guess, 0.99),))
        sighting = ZoneSighting(zone=ZoneId("story"), sight=Sight.SEEN, cards=(seen,))
        return read_right(game.layout, sighting, truth, blank)

    assert read(ferry, None)
    assert not read(ferry, known)
    assert not read(known, None)


def test_a_slip_of_the_robot_looks_like_no_legal_move() -> None:
    game = yu()
    dice, state = Dice(4), set_up(game, Dice(4))
    slips = 0
    for _ in range(40):
        slip = slip_of(game, state, Dice(f"{slips}"))
        if slip is not None:
            mistake, rules = slip
            slips += 1
            looks = visible(game.layout, game.view(mistake.state))
            legal = [game.apply(state, action) for action in game.legal_actions(state)]
            assert looks not in [visible(game.layout, game.view(after)) for after in legal]
            assert mistake.rule in rules
        state = game.apply(state, game.policies["greedy"](state, dice))
    assert slips > 20


def test_a_mistake_that_two_legal_moves_look_like_is_told_apart_from_the_others() -> None:
    """A trade with one Cowrie too few, while the Harvest still owes one: or that one was taken and spent."""
    game = yu()
    state = game.initial()
    for action in played("greedy", 1)[:72]:
        state = game.apply(state, action)
    slips = [mistake for mistake in game.watch.mistakes(state) if mistake.rule == "Y-A13"]
    alike = [mistake for mistake in slips if like_two_moves(game, state, mistake)]
    assert (1, 0, 0, 1, 0, 3, 0, 5, 0) in [mistake.state.supply for mistake in alike]
    assert len(alike) < len(slips)


class Prompt(VirtualMatch):
    """Every view is understood in the last picture of the hand that leaves, and nothing is new after it."""

    looks = 0

    def _lay(self, view: TableView) -> None:
        eye = Eye(layout=self.game.layout, pack=self.game.pack)
        for _ in range(3):
            self.looks += 1
            self.session.observe(eye.look(view, self.looks, float(self.looks)))
            self._notice(self.table.now)

    def _rest(self, seconds: float, accusing: frozenset[str] | None = None) -> None:
        pass


def test_a_move_that_is_told_while_the_hand_leaves_waits_for_no_other() -> None:
    match = Prompt(KIT, yu(), style_of(1, hard=False), 1)
    match._lay(match.game.view(match.state))
    while not match._shown:
        match._move()
    assert match.score.latencies == [0.0]


def test_a_card_that_a_slip_turns_up_is_a_real_one() -> None:
    game = yu()
    dice, state = Dice(4), set_up(game, Dice(4))
    turned_up = 0
    while game.outcome(state) is None and turned_up < 2:
        if any(
            _nameless(zone) for slip in game.watch.mistakes(state) for zone in game.view(slip.state).zones
        ):
            turned_up += 1
            slips = [slip_of(game, state, Dice(luck)) for luck in range(30)]
            views = [game.view(slip[0].state) for slip in slips if slip is not None]
            assert not any(_nameless(zone) for view in views for zone in view.zones)
        state = game.apply(state, game.policies["greedy"](state, dice))
    assert turned_up >= 2, "too few such mistakes to show anything"


def _nameless(zone: ZoneView) -> bool:
    return any(placed.card is None and placed.side is Side.UP for placed in zone.cards)


def test_scores_of_several_games_add_up() -> None:
    total = Score()
    total.add(Score(games=1, perfect=1, actions=10, right=10, latencies=[0.5]))
    total.add(Score(games=1, actions=10, right=8, questions=2, latencies=[1.0], ended=1))
    report = total.report()
    assert report["actions_right"] == 0.9
    assert report["games_perfect"] == 0.5
    assert report["questions_per_game"] == 1.0
    assert report["ends_recorded"] == 0.0
    assert report["latency_p95_s"] == 1.0


def test_a_hard_table_is_held_out_from_training_and_not_larger_than_a_usual_picture() -> None:
    for seed in range(12):
        style = style_of(seed, hard=True)
        assert style.faces_split is Split.HELD_OUT
        assert style.stand.width <= 1920


def test_the_bench_reports_every_measure_of_a_short_game() -> None:
    done = CliRunner().invoke(
        app, ["bench", "games", "--games", "1", "--moves", "2", "--seed", "2", "--json"]
    )
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout.strip().splitlines()[-1])
    assert set(BARS) <= set(report)
    assert report["games"] == 1
    assert report["frames"] > 10
