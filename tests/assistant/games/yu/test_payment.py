"""Ways to pay and what is missing for one: two answers to one question that must agree."""

import random
from itertools import product

from assistant.games.yu.payment import Cost, missing_workers, satisfies, ways_to_pay
from assistant.games.yu.pieces import NO_WORKERS, NONE, WHITE


def test_something_is_missing_exactly_where_there_is_no_way_to_pay() -> None:
    dice = random.Random(7)
    payable = 0
    for _ in range(1500):
        cost = Cost(
            tuple(dice.choice((0, 0, 0, 1, 2)) for _ in range(5)),
            dice.choice((0, 0, 1, 2)),
            dice.choice((0, 0, 1, 2)),
            NONE,
        )
        workers = tuple(dice.choice((0, 0, 1, 1, 2, 3)) for _ in range(5))
        group = frozenset([WHITE, *dice.sample((1, 2, 3, 4), dice.choice((0, 0, 1, 2, 4)))])
        ways = ways_to_pay(cost, workers, group)
        everything = product(*(range(have + 1) for have in workers))
        assert list(ways) == [pay for pay in everything if satisfies(cost, pay, group)]
        assert (missing_workers(cost, workers, group) == NO_WORKERS) == bool(ways)
        payable += bool(ways)
    assert 100 < payable < 1400
