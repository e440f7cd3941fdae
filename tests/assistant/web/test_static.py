"""The page's files: every word that they ask for exists, nothing is fetched from elsewhere, all is kept offline."""

import re
from pathlib import Path

import pytest

from assistant.web.app import STATIC
from assistant.web.scene import page_words
from assistant.web.symbols import symbol_sheet
from assistant.wording import Wording

SCRIPTS = sorted(STATIC.glob("*.js"))
PUT_TOGETHER = {
    *("seen", "thought", "hidden", "unsure", "told"),
    *("note", "warning", "violation", "accepted", "dismissed", "mended"),
    *("live", "stale", "offline", "camera-live", "camera-stale", "camera-lost"),
    *("light", "dark", "system", "sound-off", "sound-chime", "sound-voice"),
    *("all-right", "careful", "wrong", "danger"),
}
"""Words whose names the page puts together from a state."""


def asked_for() -> set[str]:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    words = set(re.findall(r'data-word="([a-z-]+)"', page))
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        words |= set(re.findall(r"\bwords\.([a-z]+)\b", re.sub(r"scene\.words\.\w+", "", text)))
        words |= set(re.findall(r'(?<!scene\.)words\["([a-z-]+)"\]', text))
    return words - {"language", "languages"} | PUT_TOGETHER


def test_every_word_that_the_page_asks_for_exists() -> None:
    assert asked_for() - page_words(Wording("en")).keys() == set()


def test_every_word_that_exists_is_asked_for() -> None:
    assert page_words(Wording("en")).keys() - asked_for() - {"language"} == set()


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.*")), ids=lambda path: path.name)
def test_nothing_is_fetched_from_another_host(path: Path) -> None:
    if path.suffix == ".png":
        return
    elsewhere = re.findall(r"https?://[^\s\"')]+", path.read_text(encoding="utf-8"))
    assert set(elsewhere) <= {"http://www.w3.org/2000/svg"}


def test_every_script_is_kept_for_a_reload_without_a_server() -> None:
    worker = (STATIC / "worker.js").read_text(encoding="utf-8")
    for script in SCRIPTS:
        if script.name != "worker.js":
            assert f'"{script.stem}"' in worker, script.name


def test_every_script_says_in_its_first_line_what_it_is_for() -> None:
    for script in SCRIPTS:
        assert script.read_text(encoding="utf-8").startswith("/** "), script.name


def test_the_symbols_are_one_sheet_without_words() -> None:
    sheet = symbol_sheet()
    assert sheet.count("<symbol ") == sheet.count("</symbol>") > 20
    assert "<title>" not in sheet
    assert 'id="symbol-flood"' in sheet
