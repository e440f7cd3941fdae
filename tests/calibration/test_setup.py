"""Setting up a table in the terminal and on the tablet, with a real picture of the virtual table."""

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

import calibration
from assistant.cli import app as command_line
from assistant.commands.calibrate import understood
from assistant.discover import default_game, kit_named
from assistant.kit import Message
from assistant.setup import Setup
from assistant.web.door import Pairing
from assistant.web.wizard import create_wizard_app
from assistant.wording import load_messages
from calibration.steps import ChooseCamera, GiveCorners, Next, Step, TapPiece
from calibration.tables import DEFAULT_TABLE, Tables
from tests.calibration.virtual import empty_shot, set_up_shot
from vision.cards import CardFacts, CardField, CardId, CardKind, CardPack, Source, parse_items
from vision.image import load_image
from vision.pack import save_pack

MESSAGES = Path(__file__).parents[2] / "assistant" / "messages" / "en.toml"


@pytest.fixture
def camera(tmp_path: Path) -> Path:
    path = tmp_path / "camera.png"
    cv2.imwrite(str(path), empty_shot().image)
    return path


@pytest.fixture
def setup(tmp_path: Path) -> Iterator[Setup]:
    made = Setup(kit_named(default_game()), Tables(tmp_path / "tables"), "kitchen")
    yield made
    made.close()


@pytest.fixture
def tablet(setup: Setup) -> TestClient:
    pairing = Pairing(b"0123456789abcdef")
    client = TestClient(
        create_wizard_app(setup, pairing=pairing, hosts=("testserver",)), base_url="http://testserver"
    )
    client.post("/api/pair", json={"code": pairing.code}, headers={"Origin": "http://testserver"})
    return client


def post(tablet: TestClient, path: str, **body: object) -> dict[str, object]:
    answer = tablet.post(f"/api/setup/{path}", json=body, headers={"Origin": "http://testserver"})
    return {"status": answer.status_code, **answer.json()}


def test_the_tablet_walks_to_the_end_and_the_profile_is_kept(
    tablet: TestClient, camera: Path, tmp_path: Path
) -> None:
    assert tablet.get("/api/setup").json()["step"] == "camera"
    post(tablet, "camera", source=str(camera))
    for step in ("view", "board", "zones"):
        tablet.get("/api/setup/picture")
        assert post(tablet, "next")["step"] == step
    shown = tablet.get("/api/setup").json()
    assert {mark["look"] for mark in shown["marks"]} == {"board", "zone", "movable"}
    assert all(mark["name"] for mark in shown["marks"] if mark["zone"])
    cv2.imwrite(str(camera), set_up_shot().image)
    tablet.get("/api/setup/picture")
    for step in ("light", "colours", "facts"):
        assert post(tablet, "next", anyway=True)["step"] == step
    for fact in tablet.get("/api/setup").json()["facts"]:
        assert tablet.get(f"/api/setup/facts/{fact['key']}").content[:2] == b"\xff\xd8"
        post(tablet, "fact", key=fact["key"], value=fact["options"][0]["value"])
    assert post(tablet, "next")["step"] == "ready"
    tables = Tables(tmp_path / "tables")
    profile = tables.load("kitchen")
    assert profile.is_registered
    assert len(profile.facts) == 8
    assert tables.board_picture("kitchen").shape[1] == 960


def test_what_cannot_be_used_is_answered_with_a_sentence(tablet: TestClient, camera: Path) -> None:
    early = post(tablet, "next", anyway=True)
    assert (early["status"], early["code"]) == (409, "refused")
    post(tablet, "camera", source=str(camera))
    tablet.get("/api/setup/picture")
    assert post(tablet, "corners", corners=[[0.1, 0.1]] * 4)["status"] == 409
    assert post(tablet, "corners", corners=[[0.1, 0.1]] * 3)["status"] == 422
    assert post(tablet, "zone", zone="row-1", x=0.5, y=99)["status"] == 422
    assert post(tablet, "fact", key="farm.1", value="x", more=1)["status"] == 422
    assert tablet.get("/api/setup/facts/nothing").status_code == 404


def test_a_tablet_that_is_not_paired_sees_nothing_of_the_camera(setup: Setup) -> None:
    stranger = TestClient(
        create_wizard_app(setup, pairing=Pairing(b"0123456789abcdef"), hosts=("testserver",)),
        base_url="http://testserver",
    )
    assert stranger.get("/api/setup/picture").status_code == 401
    assert stranger.get("/api/setup").status_code == 401
    assert stranger.get("/").status_code == 200


def test_a_camera_that_does_not_exist_is_no_crash(setup: Setup) -> None:
    setup.tell(ChooseCamera(source="/nowhere/at/all.png"))
    assert setup.look() == (0, None)
    assert not setup.view().passable


def test_leaving_and_coming_back_goes_on_at_the_same_step(setup: Setup, camera: Path, tmp_path: Path) -> None:
    setup.tell(ChooseCamera(source=str(camera)))
    setup.look()
    for _ in range(3):
        assert setup.tell(Next()) is None
    assert setup.state.step is Step.ZONES
    again = Setup(kit_named(default_game()), Tables(tmp_path / "tables"), "kitchen")
    assert again.state.step is Step.ZONES
    assert again.look()[1] is not None
    assert Setup(kit_named(default_game()), Tables(tmp_path / "tables"), "kitchen", anew=True).state.step is (
        Step.CAMERA
    )


def test_the_terminal_walks_through_it_too(
    camera: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / name)
    lines = ["", "", "", "nonsense", "anyway", "q"]
    run = CliRunner().invoke(
        command_line,
        ["--language", "en", "calibrate", "--no-page", "--camera", str(camera)],
        input="\n".join(lines),
    )
    assert run.exit_code == 0, run.output
    assert "The board is found" in run.output
    assert "“nonsense” was not understood" in run.output
    assert "Left at “Light”" in run.output
    assert load_image(tmp_path / "floodwatch" / "tables" / DEFAULT_TABLE / "view.png").shape == (720, 1280, 3)


@pytest.mark.parametrize(
    ("answer", "event"),
    [
        ("", Next()),
        ("anyway", Next(anyway=True)),
        ("camera rtsp://a b", ChooseCamera(source="rtsp://a b")),
        ("corners 0,0 1,0 1,1 0,1", GiveCorners(corners=((0, 0), (1, 0), (1, 1), (0, 1)))),
        ("tap red 0.5,0.25", TapPiece(piece="red", at=(0.5, 0.25))),  # type: ignore[arg-type]
        ("corners 0,0 1,0", None),
        ("tap red nan,1", None),
        ("tap red 1e9,1", None),
        ("fact x", None),
        ("hello", None),
    ],
)
def test_what_is_typed_is_understood_or_not(answer: str, event: object) -> None:
    assert understood(answer, Step.COLOURS) == event


def test_every_sentence_of_the_wizard_can_be_said() -> None:
    code = "\n".join(
        path.read_text(encoding="utf-8") for path in Path(calibration.__file__).parent.glob("*.py")
    )
    known = load_messages(MESSAGES).keys()
    said = set(re.findall(r'"(calibrate\.[a-z.-]+[a-z])"', code))
    assert len(said) > 15
    assert said <= known
    for name in re.findall(r'name="([a-z]+)"', code):
        assert name == "dark" or f"calibrate.light.{name}" in known
    assert Message.of("calibrate.light.glare").key in known


def test_the_markers_are_written_as_a_pdf(tmp_path: Path) -> None:
    out = tmp_path / "sheets.pdf"
    run = CliRunner().invoke(
        command_line, ["--language", "fr", "markers", "--paper", "letter", "--lens", "--out", str(out)]
    )
    assert run.exit_code == 0, run.output
    assert out.read_bytes().startswith(b"%PDF-1.4")
    assert b"/Count 2" in out.read_bytes()
    bad = CliRunner().invoke(command_line, ["markers", "--out", str(tmp_path / "no" / "where.pdf")])
    assert bad.exit_code != 0


def test_the_markers_need_no_option_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(command_line, ["markers"])
    assert run.exit_code == 0, run.output
    assert (tmp_path / "floodwatch-markers.pdf").read_bytes().startswith(b"%PDF-1.4")
    assert "floodwatch-markers.pdf" in run.output


def test_the_picture_is_the_cameras(tablet: TestClient, camera: Path) -> None:
    post(tablet, "camera", source=str(camera))
    data = tablet.get("/api/setup/picture").content
    seen = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    assert float(np.abs(seen.astype(int) - empty_shot().image).mean()) < 6


def test_labels_are_printed_only_for_cards_that_look_the_same(tmp_path: Path) -> None:
    def card(name: str, red: str) -> CardFacts:
        field = CardField(name="red", items=parse_items(red), source=Source.CONFIRMED)
        return CardFacts(id=CardId(name), kind=CardKind("townsfolk"), fields=(field,), stone=0)

    out = tmp_path / "sheets.pdf"
    command = ["--language", "en", "markers", "--labels", str(tmp_path), "--out", str(out)]
    save_pack(CardPack(game="yu", name="p", cards=(card("a", "wood"), card("b", "clay"))), tmp_path)
    run = CliRunner().invoke(command_line, command)
    assert run.exit_code == 0, run.output
    assert "no labels are needed" in run.output
    assert "1 sheet:" in run.output
    cards = (card("a", "wood"), card("b", "clay"), card("c", "wood"))
    save_pack(CardPack(game="yu", name="p", cards=cards), tmp_path)
    run = CliRunner().invoke(command_line, command)
    assert "2 labels for sleeves: a, c" in run.output
    assert "2 sheets:" in run.output
