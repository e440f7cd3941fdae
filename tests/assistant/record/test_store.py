"""What is recorded is read back as it was, also by a newer program, and a game can be gone on with."""

import sqlite3
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.kit import Message, Severity
from assistant.record import schema
from assistant.record.database import FILE_NAME, place_of
from assistant.record.errors import NoSuchGameError, RecordError, Trouble
from assistant.record.packed import LARGEST, message_from_json, message_to_json, pack, unpack
from assistant.record.store import open_store
from assistant.record.values import RecordedId, pack_hash
from assistant.snapshot import FindingFate
from tests.assistant.record.recorded import (
    action,
    bound_game,
    ending,
    finding,
    header,
    record_simulated,
    simulated,
)


def test_everything_told_is_read_back_as_it_was(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        recorder = store.begin(header(seed="7"), {"move": 0})
        recorder.event("told", {"words": "où est l’archer ? ≈ 3", "n": [1, None, True, 0.5]}, at=5.0)
        recorder.action(action(1, "reveal 1 elder", crop=b"\xff\xd8 jpeg", event=1))
        recorder.finding(finding(1))
        recorder.end(ending("flood"))
        recorder.leave()
    with open_store(tmp_path) as store:
        game = store.load(store.find("last"))
    assert game.header == header(seed="7")
    assert game.start == {"move": 0}
    assert [(e.sequence, e.at, e.kind) for e in game.events] == [(1, 5.0, "told")]
    assert game.events[0].payload == {"words": "où est l’archer ? ≈ 3", "n": [1, None, True, 0.5]}
    assert game.actions == (action(1, "reveal 1 elder", crop=b"\xff\xd8 jpeg", event=1),)
    assert game.findings == (finding(1),)
    assert game.ending == ending("flood")


def test_a_simulated_game_comes_back_action_by_action(tmp_path: Path) -> None:
    game = bound_game()
    with open_store(tmp_path) as store:
        recorded = store.load(record_simulated(store, 3))
    assert recorded.pack == game.pack
    state = game.decode(recorded.start)
    for made, stored in zip(simulated(3).actions, recorded.actions, strict=True):
        state = game.apply(state, made)
        assert stored.notation == game.format(made)
        assert game.decode(stored.state) == state
    assert recorded.ending is not None
    assert recorded.ending.cause == simulated(3).cause


def test_an_action_told_again_takes_back_the_old_one_and_all_after_it(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        recorder = store.begin(header(), {})
        for number, notation in ((1, "a"), (2, "b"), (3, "c"), (2, "corrected"), (3, "d")):
            recorder.action(action(number, notation))
        recorder.take_back(3, round=1)
        recorder.leave()
        (summary,) = store.games()
        assert [a.notation for a in store.load(summary.id).actions] == ["a", "corrected"]
        assert summary.actions == 2


def test_a_finding_keeps_its_place_and_has_the_fate_told_last(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        recorder = store.begin(header(), {})
        recorder.finding(finding(1, after=4))
        recorder.finding(finding(2, rule="Y-G5", after=5))
        recorder.finding(finding(1, fate=FindingFate.MENDED, after=6))
        recorder.leave()
        (summary,) = store.games()
        found = store.load(summary.id).findings
    assert [(f.id, f.after, f.fate) for f in found] == [
        (1, 4, FindingFate.MENDED),
        (2, 5, FindingFate.OPEN),
    ]
    assert summary.findings == {Severity.VIOLATION: 2}


def test_the_unfinished_game_of_a_table_is_found_and_gone_on_with(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        recorder = store.begin(header(), {})
        recorder.event("told", 1)
        recorder.action(action(1))
        recorder.finding(finding(1))
        recorder.leave()
    with open_store(tmp_path) as store:
        unfinished = store.unfinished("kitchen")
        assert unfinished is not None
        recorder = store.resume(unfinished)
        recorder.event("told", 2)
        recorder.action(action(2))
        recorder.finding(finding(2))
        recorder.end(ending())
        recorder.leave()
        game = store.load(unfinished)
        assert [event.payload for event in game.events] == [1, 2]
        assert [a.number for a in game.actions] == [1, 2]
        assert [f.id for f in game.findings] == [1, 2]
        assert store.unfinished("kitchen") is None
        with pytest.raises(RecordError, match="has ended and cannot be resumed"):
            store.resume(unfinished)


def test_an_old_unfinished_game_is_not_resumed_after_a_newer_one_has_ended(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        store.begin(header(), {}).leave()
        recorder = store.begin(header(), {})
        recorder.end(ending())
        recorder.leave()
        assert store.unfinished("kitchen") is None


def test_a_second_copy_on_the_same_table_is_refused_and_another_table_is_not(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, open_store(tmp_path) as other:
        recorder = store.begin(header(), {})
        with pytest.raises(RecordError, match="already watching table 'kitchen'") as refused:
            other.begin(header(), {})
        assert refused.value.trouble is Trouble.IN_USE
        other.begin(header(table="balcony"), {}).leave()
        recorder.leave()
        other.begin(header(), {}).leave()


@pytest.mark.parametrize("table", ["", "../../etc", "Küche", "a" * 41, "-x"])
def test_a_table_must_have_a_plain_name(tmp_path: Path, table: str) -> None:
    with open_store(tmp_path) as store, pytest.raises(RecordError, match="Expected a table's name"):
        store.begin(header(table=table), {})


@pytest.mark.parametrize("text", ["2", "0", "-1", "first", "９", "1e3", "9" * 30, ""])
def test_a_game_that_is_not_there_is_named_with_those_that_are(tmp_path: Path, text: str) -> None:
    with open_store(tmp_path) as store:
        store.begin(header(), {}).leave()
        with pytest.raises(NoSuchGameError, match="there is 1 to 1"):
            store.find(text)
        assert store.find("1") == store.find("last") == RecordedId(1)


def test_an_empty_record_has_no_last_game(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        assert store.games() == ()
        with pytest.raises(NoSuchGameError, match="there is no game yet"):
            store.find("last")


def test_a_record_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("INSERT INTO migrations VALUES (?, 0, 'future')", (schema.FORMAT + 1,))
    connection.close()
    with pytest.raises(RecordError, match=f"reads up to {schema.FORMAT}: update floodwatch") as refused:
        open_store(tmp_path)
    assert refused.value.trouble is Trouble.TOO_NEW


def test_two_packs_that_say_the_same_have_the_same_hash() -> None:
    pack_ = bound_game().pack
    assert pack_hash(pack_) == pack_hash(type(pack_)(game="yu", name="other", cards=pack_.cards[::-1]))
    assert pack_hash(pack_) != pack_hash(type(pack_)(game="yu", name="other", cards=pack_.cards[1:]))


def test_the_place_of_records_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLOODWATCH_DATA", str(tmp_path / "there"))
    assert place_of(None).folder == tmp_path / "there"
    assert place_of(tmp_path / "here").folder == tmp_path / "here"
    club = place_of("postgresql://me:secret@club/games")
    assert str(club) == "postgresql+psycopg://me:***@club/games"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
def test_packed_json_comes_back(value: object) -> None:
    assert unpack(pack(value)) == value


@given(st.binary(max_size=200))
def test_unpacking_anything_gives_json_or_one_sentence(data: bytes) -> None:
    with suppress(RecordError):
        pack(unpack(data))


def test_a_small_row_cannot_unpack_to_gigabytes() -> None:
    with pytest.raises(RecordError, match="does not end within"):
        unpack(zlib.compress(b" " * (LARGEST + 10)))


def test_a_message_inside_a_message_comes_back() -> None:
    message = Message.of("a", n=1, what=Message.of("b", p=0.5, name="x"))
    assert message_from_json(message_to_json(message)) == message


@pytest.mark.parametrize(
    "data", [None, [], {"key": 1, "values": {}}, {"key": "a"}, {"key": "a", "values": {"x": []}}]
)
def test_what_is_no_message_is_refused(data: object) -> None:
    with pytest.raises(RecordError, match="Expected a message"):
        message_from_json(data)
