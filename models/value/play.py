"""Plays games for the outlook to learn from, and keeps the beginning of each round with how the game ended.

    nice python -m models.value.play advised.jsonl --player advisor --budget 50 --games 200
    nice python -m models.value.play thrifty.jsonl --player thrifty --games 600

One line a game; a run that was stopped goes on where it was. The search asks for positions that the policy
itself would never reach, and an outlook that has not seen them is too hopeful. So three thrifty games of four
have a round in which many actions are any legal ones, and only what comes after it is kept; every second has
its weights shaken.
"""

import argparse
import json
import random
from pathlib import Path

from assistant.advise.advisor import advisor_policy
from assistant.games.yu.kit import copy_with, game_of
from assistant.games.yu.pack import demo_pack
from assistant.games.yu.policies import playable, thrifty_policy
from assistant.games.yu.state import Phase
from assistant.games.yu.worth import Weights
from assistant.kit import Dice

SHAKEN = 0.2
STRANGE = 0.3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", type=Path)
    parser.add_argument("--player", choices=("thrifty", "advisor"), default="advisor")
    parser.add_argument("--budget", type=int, default=50, help="milliseconds of the advisor")
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    done = len(options.file.read_text("utf-8").splitlines()) if options.file.exists() else 0
    copy = copy_with(demo_pack())
    for number in range(done, options.games):
        with options.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(play(copy, options.player, options.budget, number)) + "\n")


def play(copy, player, budget, number):
    """One game: the encoded beginnings of its rounds, the chances that were told, and whether it was won."""
    game, told = game_of(copy), []
    policy = playable(copy, thrifty_policy(copy, shaken(number)))
    if player == "advisor":
        policy = advisor_policy(game, budget / 1000, heard=lambda _state, thought: told.append(thought))
    dice, state = Dice(f"value/{player}/{number}"), game.initial()
    strange = 1 + number // 4 % 6 if player == "thrifty" and number % 4 else 0
    seen, rounds = 0, []
    while state.result is None:
        if state.round != seen and state.phase is Phase.HARVEST:
            seen = state.round
            if seen > strange:
                rounds.append(game.encode(state))
        anything = state.round == strange and dice.choice(tuple(range(100))) < 100 * STRANGE
        state = game.apply(state, game.policies["random"](state, dice) if anything else policy(state, dice))
    chances = [round(thought.weighed[0].mean, 4) for thought in told]
    cause = game.outcome(state).cause
    return {"player": player, "number": number, "cause": cause, "told": chances, "rounds": rounds}


def shaken(number):
    weights, shake = Weights(), random.Random(number)
    return Weights(*[value * (1 + shake.gauss(0, SHAKEN)) for value in weights]) if number % 2 else weights


if __name__ == "__main__":
    main()
