"""Advice from a process of its own: at once a first word, then better ones; a hung one is restarted."""

import sys

from assistant.advice import Strength
from assistant.advise.process import HANGING_S, ProcessAdviser
from tests.assistant.advise.test_advisor import GAME, KIT, decisions

PATIENCE_S = 120.0


def test_the_first_word_comes_at_once_and_a_move_follows() -> None:
    state = decisions("greedy", 3)[15]
    adviser = ProcessAdviser(KIT, GAME, lambda: state)
    try:
        first = adviser.ask(Strength.BEST)
        assert first.thinking
        assert first.nudges
        assert adviser.wait(PATIENCE_S)
        advice = adviser.ask(Strength.BEST)
        assert GAME.refusal(state, GAME.parse(advice.moves[0].notation)) is None
        assert adviser.ask(Strength.NUDGE).moves == ()
    finally:
        adviser.close()


def test_a_process_that_hangs_is_started_again() -> None:
    state = decisions("greedy", 3)[15]
    now = [0.0]
    hanging = (sys.executable, "-c", "import time; time.sleep(600)")
    adviser = ProcessAdviser(KIT, GAME, lambda: state, command=hanging, clock=lambda: now[0])
    try:
        adviser.ask(Strength.BEST)
        first = adviser._process
        now[0] = HANGING_S + 1
        adviser.ask(Strength.BEST)
        assert adviser._process is not first
        assert first is not None
        assert first.poll() is not None
    finally:
        adviser.close()


def test_a_process_that_died_is_started_again() -> None:
    state = decisions("greedy", 3)[15]
    adviser = ProcessAdviser(KIT, GAME, lambda: state, command=(sys.executable, "-c", "input()"))
    try:
        adviser.ask(Strength.BEST)
        first = adviser._process
        assert first is not None
        first.wait(timeout=PATIENCE_S)
        adviser.ask(Strength.BEST)
        assert adviser._process is not first
    finally:
        adviser.close()
