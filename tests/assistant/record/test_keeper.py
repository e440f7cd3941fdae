"""A game that is thought over again: the record always ends up with what is believed last."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.kit import Outcome
from assistant.record.keeper import Keeper, Move
from assistant.record.recorder import Recorder
from assistant.record.store import Store, open_store
from assistant.snapshot import FindingFate, ShownFinding
from tests.assistant.record.recorded import bound_game, finding, header, simulated

GAME = bound_game()


def moves(number: int, seed: int = 3) -> list[Move]:
    state = GAME.initial()
    made = []
    for action in simulated(seed).actions[:number]:
        state = GAME.apply(state, action)
        made.append(Move(notation=GAME.format(action), words=GAME.describe(action), state=state))
    return made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path) as store:
        yield store


@pytest.fixture
def recorder(store: Store) -> Recorder:
    return store.begin(header(), GAME.encode(GAME.initial()), GAME.pack)


def recorded(store: Store, recorder: Recorder) -> list[str]:
    recorder.flush()
    assert recorder.id is not None
    return [action.notation for action in store.load(recorder.id).actions]


def test_only_new_moves_are_written_each_with_its_crop(store: Store, recorder: Recorder) -> None:
    keeper = Keeper(GAME, recorder)
    taken = [replace(move, crop=b"jpeg %d" % number) for number, move in enumerate(moves(5))]
    assert [keeper.keep(taken[:n], at=0.0) for n in (0, 3, 3, 5)] == [0, 3, 0, 2]
    assert recorded(store, recorder) == [move.notation for move in moves(5)]
    assert recorder.id is not None
    crops = [action.crop for action in store.load(recorder.id).actions]
    assert crops == [move.crop for move in taken]


def test_moves_thought_over_replace_the_old_ones(store: Store, recorder: Recorder) -> None:
    keeper = Keeper(GAME, recorder)
    keeper.keep(moves(6), at=0.0)
    keeper.keep(moves(4, seed=4), at=1.0)
    assert recorded(store, recorder) == [move.notation for move in moves(4, seed=4)]


def test_moves_taken_back_no_longer_stand(store: Store, recorder: Recorder) -> None:
    keeper = Keeper(GAME, recorder)
    keeper.keep(moves(6), at=0.0)
    keeper.keep(moves(2), at=1.0)
    assert recorded(store, recorder) == [move.notation for move in moves(2)]
    keeper.keep(moves(7), at=2.0)
    assert recorded(store, recorder) == [move.notation for move in moves(7)]


def test_the_same_words_from_another_position_are_another_move(store: Store, recorder: Recorder) -> None:
    keeper = Keeper(GAME, recorder)
    first, second = moves(2)
    keeper.keep([first, second], at=0.0)
    other = Move(notation=second.notation, words=second.words, state=first.state)
    assert keeper.keep([first, other], at=1.0) == 1
    recorder.flush()
    assert recorder.id is not None
    assert GAME.decode(store.load(recorder.id).state) == first.state


def test_a_resumed_game_is_gone_on_with_where_it_was(store: Store, recorder: Recorder) -> None:
    keeper = Keeper(GAME, recorder)
    keeper.keep(moves(6), at=0.0)
    keeper.keep_findings(
        [ShownFinding(id=1, finding=finding(1).finding, fate=FindingFate.OPEN, raised_at=0.0)],
        after=6,
        at=1.0,
    )
    recorder.leave()
    assert recorder.id is not None
    again = Keeper(GAME, store.resume(recorder.id), store.load(recorder.id))
    again.keep_findings(
        [ShownFinding(id=1, finding=finding(1).finding, fate=FindingFate.MENDED, raised_at=0.0)],
        after=6,
        at=2.0,
    )
    assert again.keep(moves(9), at=1.0) == 3
    assert recorded(store, recorder) == [move.notation for move in moves(9)]
    (kept,) = store.load(recorder.id).findings
    assert (kept.after, kept.fate) == (6, FindingFate.MENDED)


def test_the_end_is_told_once(store: Store, recorder: Recorder) -> None:
    keeper = Keeper(GAME, recorder)
    for cause in ("flood", "win"):
        keeper.end(Outcome(won=cause == "win", cause=cause), rounds=4, at=9.0)
    recorder.flush()
    assert recorder.id is not None
    ending = store.load(recorder.id).ending
    assert ending is not None
    assert (ending.cause, ending.rounds) == ("flood", 4)
