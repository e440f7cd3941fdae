"""All that the OpenAPI document allows, and much that it does not: no crash, and every no is a sentence."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from assistant.enrolling import CardsShown
from assistant.games.yu import KIT
from assistant.record.feed import header_of, record_actions
from assistant.record.store import Store, open_store
from assistant.robot import Robot
from assistant.setup import Setup
from assistant.sight import CameraPicture
from assistant.simulate import play_game
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.wizard import create_wizard_app
from assistant.wording import Wording
from calibration.steps import ChooseCamera
from calibration.tables import Tables
from tests.assistant.web.furniture import GreedyAdviser, own_pack
from vision.image import encode_jpeg
from vision.table import ZoneId

BASE = "http://localhost:8470"
JPEG = encode_jpeg(np.zeros((9, 16, 3), np.uint8))
EXAMPLES = 3
"""For each operation, of good and of bad requests; the same ones every time."""
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]


class StillCamera:
    """One small picture for ever."""

    def picture(self) -> CameraPicture | None:
        return CameraPicture(
            number=1,
            at=0.0,
            jpeg=JPEG,
            width=16,
            height=9,
            zones=(),
            cards=(),
            hands=(),
            sharpness=1.0,
            brightness=1.0,
            advice=(),
        )

    def crop(self, zone: ZoneId) -> bytes | None:
        return JPEG if zone == "row-1" else None


class Server:
    """A page and a tablet that asks it for everything that its document says."""

    def __init__(self, app: FastAPI, pairing: Pairing, opened: ExitStack) -> None:
        self.pairing = pairing
        self.tablet = opened.enter_context(
            TestClient(app, base_url=BASE, raise_server_exceptions=False, follow_redirects=False)
        )
        self.schema = schemathesis.openapi.from_dict(app.openapi())
        self.operations = {
            f"{operation.method.upper()} {operation.path}": operation
            for operation in (result.ok() for result in self.schema.get_all_operations())  # type: ignore[union-attr]
        }

    def pair(self) -> None:
        """Again for each operation: one of them may have sent this tablet away."""
        self.tablet.cookies.clear()
        assert self.tablet.post("/api/pair", json={"code": self.pairing.code}).status_code == 204

    def answer(self, case: Case[Any]) -> Any:
        asked = case.as_transport_kwargs(base_url=BASE)
        asked.pop("cookies", None)
        asked["headers"] = {name: value for name, value in asked["headers"].items() if name != "User-Agent"}
        if "data" in asked:
            asked["content"] = asked.pop("data")
        return self.tablet.request(**asked)


@contextmanager
def _short_game(folder: Path) -> Iterator[Store]:
    game = KIT.bind(KIT.demo_pack())
    actions = play_game(game, game.policies["greedy"], 1).actions[:25]
    with open_store(folder) as store:
        record_actions(store, game, actions, header_of(game, table="test", started_at=0.0)).leave()
        yield store


def _game_page(folder: Path, pairing: Pairing, opened: ExitStack) -> FastAPI:
    """The page of a game with everything that it can offer behind it."""
    own_pack(folder / "pack")
    robot = Robot(KIT, seed=3, pace=0.0, clock=lambda: 0.0)
    robot.skip(40)
    opened.callback(robot.stop)
    return create_app(
        robot,
        pairing=pairing,
        camera=StillCamera(),
        adviser=GreedyAdviser(robot),
        records=opened.enter_context(_short_game(folder / "games")),
        own_pack=folder / "pack",
        enrolment=CardsShown(KIT, folder / "pack"),
    )


def _setup_page(folder: Path, pairing: Pairing, opened: ExitStack) -> FastAPI:
    """The page on which a table is set up; its camera is a picture in a file."""
    (folder / "camera.jpg").write_bytes(JPEG)
    setup = Setup(KIT, Tables(folder / "tables"), "kitchen")
    opened.callback(setup.close)
    setup.tell(ChooseCamera(source=str(folder / "camera.jpg")))
    return create_wizard_app(setup, pairing=pairing)


@pytest.fixture(scope="module", params=[_game_page, _setup_page])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pairing = Pairing(b"a secret for the tests only")
    with ExitStack() as opened:
        app = request.param(tmp_path_factory.mktemp("schema"), pairing, opened)
        yield Server(app, pairing, opened)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_operation_answers_in_its_own_words(server: Server, mode: GenerationMode) -> None:
    assert len(server.operations) > 10
    for operation in server.operations.values():
        if mode is GenerationMode.POSITIVE or _can_be_wrong(operation):
            server.pair()
            _try(server, operation.as_strategy(generation_mode=mode))


def test_an_address_that_is_not_there_is_answered_in_our_words_too(server: Server) -> None:
    server.pair()
    for method, path, status in (("GET", "/nowhere", 404), ("PATCH", "/api/openapi.json", 405)):
        answer = server.tablet.request(method, path)
        assert answer.status_code == status
        assert answer.json().keys() == {"code", "sentence"}


def _try(server: Server, cases: SearchStrategy[Case[Any]]) -> None:
    codes = {key.removeprefix("web.problem.") for key in Wording("en").keys}

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def ask(case: Case[Any]) -> None:
        answer = server.answer(case)
        asked = f"{case.method} {case.path}: {answer.status_code} {answer.text[:200]}"
        assert answer.status_code < 500, asked
        if answer.status_code >= 400:
            problem = answer.json()
            assert problem.keys() == {"code", "sentence"}, asked
            assert problem["code"] in codes, asked
            assert problem["sentence"][-1] in ".!?…", asked
        case.validate_response(answer, checks=CHECKS)

    ask()


def _can_be_wrong(operation: Any) -> bool:
    """An operation without parameters takes whatever comes."""
    return bool(operation.body) or any(
        list(where) for where in (operation.path_parameters, operation.query, operation.headers)
    )
