"""A recorded game as text, table, JSON and page: complete, in both languages, and harmless."""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from assistant.discover import default_game, kit_named
from assistant.kit import Finding, Message, Severity
from assistant.record.errors import RecordError
from assistant.record.export import as_csv, as_json, as_text, harmless
from assistant.record.packs import pack_from_json, pack_to_json
from assistant.record.pageview import LARGEST, as_page
from assistant.record.store import Store, open_store
from assistant.record.telling import game_of
from assistant.record.values import CommittedAction, RecordedFinding, RecordedGame
from assistant.snapshot import FindingFate
from assistant.wording import Wording
from tests.assistant.record.recorded import BEGUN, bound_game, header, record_simulated, simulated

KIT = kit_named(default_game())
TRAP = "</script><img src=x onerror=alert(1)>=1+1"


def wording(language: str = "en") -> Wording:
    return Wording(language, [KIT.messages])


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(tmp_path_factory.mktemp("record")) as store:
        yield store


@pytest.fixture(scope="module")
def recorded(store: Store) -> RecordedGame:
    return store.load(record_simulated(store, 3))


@pytest.fixture(scope="module")
def trapped(store: Store) -> RecordedGame:
    """A record from a stranger: its words are chosen to do harm."""
    game = bound_game()
    state = game.encode(game.initial())
    recorder = store.begin(header(), state)
    trap = Message.of(TRAP)
    recorder.action(
        CommittedAction(number=1, round=0, notation=TRAP, words=trap, state=state, at=BEGUN, crop=b"\xff\xd8")
    )
    finding = Finding(rule=TRAP, severity=Severity.VIOLATION, message=trap)
    recorder.finding(RecordedFinding(id=1, after=1, finding=finding, fate=FindingFate.OPEN, at=BEGUN))
    recorder.leave()
    assert recorder.id is not None
    return store.load(recorder.id)


def test_the_text_can_be_played_again_line_by_line(recorded: RecordedGame) -> None:
    game = bound_game()
    state = game.initial()
    for line in as_text(recorded, KIT, wording()).splitlines():
        if match := re.fullmatch(r" *\d+  (.+)", line):
            state = game.apply(state, game.parse(match[1]))
    assert state == simulated(3).last


def test_the_text_tells_rounds_findings_and_the_result(recorded: RecordedGame) -> None:
    text = as_text(recorded, KIT, wording())
    assert "## Set-up" in text
    assert [f"## Round {n}" in text for n in range(1, recorded.rounds + 1)] == [True] * recorded.rounds
    assert text.count("\n    ! Y-G5: ") == sum(f.finding.rule == "Y-G5" for f in recorded.findings) > 0
    assert recorded.ending is not None
    result = wording().say(Message.of(f"{KIT.name}.result.{recorded.ending.cause}"))
    assert text.endswith(f"# {result}\n")


@pytest.mark.parametrize(("fate", "said"), [("mended", "put right"), ("accepted", "meant so"), ("open", "")])
def test_what_became_of_a_finding_is_told(recorded: RecordedGame, fate: str, said: str) -> None:
    first = replace(recorded.findings[0], fate=FindingFate(fate))
    text = as_text(replace(recorded, findings=(first,)), KIT, wording())
    (line,) = [line for line in text.splitlines() if f" {first.finding.rule}: " in line]
    assert line.endswith(f" ({said})") is bool(said)


def test_the_text_speaks_french(recorded: RecordedGame) -> None:
    assert "## Manche 2" in as_text(recorded, KIT, wording("fr"))


def test_the_table_has_one_line_per_action(recorded: RecordedGame) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(recorded, KIT, wording()))))
    assert [row["notation"] for row in rows] == [action.notation for action in recorded.actions]
    assert [int(row["round"]) for row in rows] == [action.round for action in recorded.actions]
    assert sum(len(row["findings"].split("; ")) for row in rows if row["findings"]) == len(recorded.findings)


def test_no_cell_of_the_table_begins_like_a_formula() -> None:
    assert [harmless(cell) for cell in ("=1+1", "@x", "end", 3)] == ["'=1+1", "'@x", "end", 3]


def test_json_holds_everything(recorded: RecordedGame) -> None:
    data = json.loads(as_json(recorded))
    assert data["format"] == 1
    assert data["header"]["pack_hash"] == recorded.header.pack_hash
    assert len(data["events"]) == len(recorded.events)
    assert [action["state"] for action in data["actions"]] == [dict(a.state) for a in recorded.actions]
    assert recorded.ending is not None
    assert (data["ending"]["cause"], data["ending"]["won"]) == (recorded.ending.cause, recorded.ending.won)
    assert data["findings"][0]["rule"] == recorded.findings[0].finding.rule


def page_data(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert isinstance(data, dict)
    return data


def test_the_page_is_small_and_asks_nobody_for_anything(recorded: RecordedGame) -> None:
    page = as_page(recorded, KIT, bound_game(), "en")
    assert len(page.encode()) < LARGEST
    assert set(re.findall(r"https?://[^\"' ]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page
    assert not re.search(r"<[^>]+\s(?:style|on\w+)=", page.partition("<script")[0])
    assert not re.search(r"\b(?:src|href)=\"(?!#|data:)", page)


def test_the_page_shows_what_lies_on_the_table_after_every_action(recorded: RecordedGame) -> None:
    game = bound_game()
    steps = page_data(as_page(recorded, KIT, game, "en"))["steps"]
    assert isinstance(steps, list)
    assert len(steps) == len(recorded.actions) + 1
    held: dict[str, object] = {}
    for step in steps:
        held |= step["zones"]
    last = game.view(simulated(3).last)
    assert {zone.zone: [[p.kind, p.count] for p in zone.pieces] for zone in last.zones} == {
        zone: value[1]  # type: ignore[index]
        for zone, value in held.items()
    }
    assert {zone.zone: len(zone.cards) for zone in last.zones} == {
        zone: len(value[0])  # type: ignore[index]
        for zone, value in held.items()
    }


def test_every_picture_that_the_page_uses_is_in_it(recorded: RecordedGame) -> None:
    page = as_page(recorded, KIT, bound_game(), "en")
    drawn = set(re.findall(r'<symbol id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= drawn
    steps = page_data(page)["steps"]
    assert isinstance(steps, list)
    for step in steps:
        for cards, pieces in step["zones"].values():
            assert {f"c-{c}" for c, side in cards if side == "up" and c} <= drawn
            assert {f"b-{c}" for c, side in cards if side == "down"} <= drawn
            assert {f"s-{kind}" for kind, _ in pieces} <= drawn


def test_words_of_a_stranger_stay_words(trapped: RecordedGame) -> None:
    page = as_page(trapped, KIT, bound_game(), "en")
    assert "<img src=x" not in page
    assert page.count("</script>") == 2
    assert page_data(page)["steps"][1]["notation"] == TRAP  # type: ignore[index]
    assert "data:image/jpeg;base64,/9g=" in page


def test_crops_are_left_out_before_the_page_grows_too_large(store: Store) -> None:
    game = bound_game()
    state = game.encode(game.initial())
    recorder = store.begin(header(), state)
    for number in range(1, 21):
        action = CommittedAction(
            number=number, round=1, notation="end", words=Message.of("yu.nothing"), state=state, at=BEGUN,
            crop=bytes(199_000),
        )  # fmt: skip
        recorder.action(action)
    recorder.leave()
    assert recorder.id is not None
    page = as_page(store.load(recorder.id), KIT, game, "en")
    assert len(page) < LARGEST
    assert page.count("data:image/jpeg") > 2


def test_a_message_that_nobody_knows_any_more_is_told_by_its_key(trapped: RecordedGame) -> None:
    assert f"X {TRAP}: {TRAP}" in as_text(trapped, KIT, wording())


@pytest.mark.parametrize("fact", ["stone", "picture", "group", "copies", "kind"])
def test_nothing_on_a_strangers_cards_is_written_into_the_page_as_it_is(
    recorded: RecordedGame, fact: str
) -> None:
    data = pack_to_json(bound_game().pack)
    for card in data["cards"]:
        card[fact] = TRAP
    try:
        stranger = replace(recorded, pack=pack_from_json(data))
    except RecordError:
        return  # refused, which is as good
    assert "<img src=x" not in as_page(stranger, KIT, game_of(stranger, KIT), "en")


@pytest.mark.parametrize("number", [-1, 10**9, 1.5, True, float("nan"), "7", [7]])
def test_a_number_on_a_recorded_card_must_be_one(number: object) -> None:
    for fact in ("stone", "copies"):
        data = pack_to_json(bound_game().pack)
        data["cards"][0][fact] = number
        with pytest.raises(RecordError):
            pack_from_json(data)
