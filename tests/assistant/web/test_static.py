"""The page's files: every word they ask for exists, nothing comes from elsewhere, all is kept offline."""

import re
from pathlib import Path

import pytest

from assistant.web.app import STATIC
from assistant.web.scene import page_words, words_of
from assistant.web.symbols import symbol_sheet
from assistant.web.wizard import WORDS as WIZARD_WORDS
from assistant.wording import Wording
from vision.cards import Source

SCRIPTS = sorted(STATIC.glob("*.js"))
PHONE = STATIC / "phone.js"
WIZARD = STATIC / "wizard.js"
"""Both have words of their own: they are other pages. The wizard is of no use without its server."""
PUT_TOGETHER = {
    *("seen", "thought", "hidden", "unsure", "told"),
    *("note", "warning", "violation", "accepted", "dismissed", "mended"),
    *("live", "stale", "offline", "camera-live", "camera-stale", "camera-lost"),
    *("light", "dark", "system", "sound-off", "sound-chime", "sound-voice"),
    *("all-right", "careful", "wrong", "danger"),
    *("tab-table", "tab-camera", "tab-log", "tab-games", "tab-cards", "tab-setup"),
    *("layer-zones", "layer-cards", "layer-hands", "meter-good", "meter-bad"),
    *("games-in-round", "games-in-rounds", "games-in-move", "games-in-moves"),
    *("form-html", "form-text", "form-csv", "form-json", "form-mp4"),
    *("hint-off", "hint-nudge", "hint-plan", "hint-best"),
    *("card-confirmed", "card-known", "card-gaps", "setup-good", "setup-look"),
    *(f"source-{source.value}" for source in Source),
}
"""Words whose names the page puts together from a state."""


def asked_for() -> set[str]:
    scripts = [script for script in SCRIPTS if script not in (PHONE, WIZARD)]
    return asked_by(STATIC / "index.html", scripts) | PUT_TOGETHER


def asked_by(page: Path, scripts: list[Path]) -> set[str]:
    words = set(re.findall(r'data-word="([a-z-]+)"', page.read_text(encoding="utf-8")))
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        words |= set(re.findall(r"\bwords\.([a-z]+)\b", re.sub(r"scene\.words\.\w+", "", text)))
        words |= set(re.findall(r'(?<!scene\.)words\["([a-z-]+)"\]', text))
    return words - {"language", "languages"}


def test_the_phones_page_asks_for_its_own_words_and_for_all_of_them() -> None:
    put_together = {"denied", "none", "busy"}
    asked = asked_by(STATIC / "camera.html", [PHONE]) | put_together
    assert asked == words_of(Wording("en"), "web.phone.").keys()


def test_the_wizard_asks_for_its_own_words_and_for_all_of_them() -> None:
    assert asked_by(STATIC / "wizard.html", [WIZARD]) == set(WIZARD_WORDS)


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
        if script != WIZARD and script.name != "worker.js":
            assert f'"{script.stem}"' in worker, script.name


def test_every_script_says_in_its_first_line_what_it_is_for() -> None:
    for script in SCRIPTS:
        assert script.read_text(encoding="utf-8").startswith("/** "), script.name


def test_the_symbols_are_one_sheet_without_words() -> None:
    sheet = symbol_sheet()
    assert sheet.count("<symbol ") == sheet.count("</symbol>") > 20
    assert "<title>" not in sheet
    assert 'id="symbol-flood"' in sheet
