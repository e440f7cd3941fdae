"""What the simple player of simulations never does, and what the watcher is therefore slow to believe."""

from assistant.games.yu.notation import parse_action
from assistant.games.yu.sights import candidates
from assistant.games.yu.trade import in_circles
from tests.assistant.games.yu.builders import position
from tests.assistant.games.yu.cards import COPY
from tests.assistant.table import played, yu


def test_the_greedy_player_never_pays_for_the_worker_that_it_gives_away() -> None:
    trades = [
        action
        for seed in range(12)
        for action in played("greedy", seed)
        if yu().format(action).startswith("trade 4")
    ]
    assert trades, "no game came as far as the fourth trade: other seeds are needed"
    assert not [yu().format(action) for action in trades if in_circles(action)]


def test_a_trade_that_gives_back_what_it_took_is_harder_to_believe_than_any_other() -> None:
    state = position(built=3, supply="red 1, provision 1", outposts=(1, 2, 3, 4))
    costs = dict(candidates(COPY, state, frozenset()))
    senseless = costs[parse_action("trade 4 red with red")]
    assert senseless > max(cost for action, cost in costs.items() if not in_circles(action))


def test_the_thrifty_player_trades_only_where_it_could_end_the_round() -> None:
    traded = 0
    for seed in range(4):
        state = yu().initial()
        for action in played("thrifty", seed):
            if yu().format(action).startswith("trade"):
                traded += 1
                assert yu().refusal(state, parse_action("end")) is None, "not while anything is due"
            state = yu().apply(state, action)
    assert traded, "no trade at all: other seeds are needed"


def test_the_thrifty_player_wins_more_often_than_the_greedy_one() -> None:
    def won(policy: str) -> int:
        return sum(game_of(policy, seed) for seed in range(12))

    assert won("thrifty") > won("greedy") + 2


def game_of(policy: str, seed: int) -> bool:
    state = yu().initial()
    for action in played(policy, seed):
        state = yu().apply(state, action)
    outcome = yu().outcome(state)
    assert outcome is not None
    return bool(outcome.won)
