"""A saved state comes back as it was; a damaged one gets one clear sentence and nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.games.yu.codec import StateError, decode, encode
from assistant.games.yu.state import Phase, State, StoryCard
from tests.assistant.games.yu.builders import play, position

TELLING: State = play(
    position(
        supply="white 2, cowrie 3", hand="elder", row="flute - - - - - archer", built=2, flood=1, huts=1,
        on_huts="- red", tucked="potter", pending="turtle#99 coloured draw", round=4,
    ),
    "story food milk cowrie+2",
    "story play 31 stays",
)  # fmt: skip
SAVED = encode(TELLING)


def test_a_telling_state_comes_back_through_json_text() -> None:
    assert decode(json.loads(json.dumps(SAVED))) == TELLING
    assert TELLING.story_cards == (StoryCard(31, True),)


def broken(name: str, value: Any) -> dict[str, Any]:
    return {**SAVED, name: value}


@pytest.mark.parametrize(
    "data",
    [
        broken("format", 2),
        broken("phase", "supper"),
        broken("phase", []),
        broken("round", -1),
        broken("round", 1.5),
        broken("round", float("nan")),
        broken("round", True),
        broken("result", "draw"),
        broken("supply", {}),
        broken("supply", []),
        broken("supply", {**SAVED["supply"], "white": 11}),
        broken("supply", {**SAVED["supply"], "gold": 1}),
        broken("row", SAVED["row"][:6]),
        broken("row", "flute"),
        broken("hand", ["?"]),
        broken("hand", ["?x1"]),
        broken("hand", ["?t99"]),
        broken("hand", [""]),
        broken("ready", [[0, 3]]),
        broken("ready", [[77, 1]]),
        broken("ready", [[0]]),
        broken("ready", 7),
        broken("barge", 9),
        broken("flood", 8),
        broken("huts", 5),
        broken("circles", [8, None, None, None, None]),
        broken("attackers", [2]),
        broken("attackers", [0]),
        broken("pending", [["gain", 9]]),
        broken("pending", [["gain", None]]),
        broken("pending", [["choose", []]]),
        broken("pending", [["reveal-townsfolk", None]]),
        broken("pending", [["reveal-barbarian", 8]]),
        broken("pending", [["draw", 1]]),
        broken("pending", [["story", [1]]]),
        broken("pending", [["dance", None]]),
        broken("pending", [7]),
        broken("harvest", [["destroy", None]]),
        broken("food", [["milk", 5]]),
        broken("food", [["milk", "gold gold!"]]),
        broken("food", ["0 "]),
        broken("food", [["milk", " "]]),
        broken("food", [["milk", "cowrie", 7]]),
        broken("story_cards", [[31, True, 7]]),
        broken("story_cards", [[31]]),
        broken("mixes", [["elder"]]),
        {name: value for name, value in SAVED.items() if name != "canal"},
        {**SAVED, "weather": "fine"},
    ],
)
def test_a_damaged_state_is_refused_with_one_sentence(data: dict[str, Any]) -> None:
    with pytest.raises(StateError) as caught:
        decode(data)
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 400


@pytest.mark.parametrize("data", [None, 5, "state", [], [1, 2]])
def test_something_else_than_an_object_is_refused(data: Any) -> None:
    with pytest.raises(StateError):
        decode(data)


def test_deep_nesting_is_refused_too() -> None:
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(StateError):
        decode(broken("hand", nested))
    with pytest.raises(StateError):
        decode(broken("phase", nested))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 20_000) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(SAVED)), _JSON)
def test_any_value_in_any_place_is_read_or_refused(name: str, value: Any) -> None:
    try:
        state = decode(broken(name, value))
    except StateError:
        return
    assert encode(state) == broken(name, value)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_values_that_change_places_are_read_or_refused(data: st.DataObject) -> None:
    """Somebody edited the file: the value of one field lands in another, or in a list of another."""
    source, target = data.draw(st.tuples(st.sampled_from(sorted(SAVED)), st.sampled_from(sorted(SAVED))))
    value = SAVED[source]
    if isinstance(SAVED[target], list) and data.draw(st.booleans()):
        value = [*SAVED[target][:-1], value]
    try:
        decode(broken(target, value))
    except StateError:
        return


def test_a_truncated_text_never_becomes_a_state() -> None:
    text = json.dumps(SAVED)
    for end in range(0, len(text), 97):
        with pytest.raises(json.JSONDecodeError):
            json.loads(text[:end])


def test_the_saved_form_is_plain_and_small() -> None:
    assert len(json.dumps(SAVED)) < 4000
    assert SAVED["phase"] == Phase.ACTIONS.value
