"""No rule is without its tests: one that shows it holds, and one that is refused where that can be."""

import re
import tomllib
from pathlib import Path

import pytest

from assistant.games.yro import KIT
from assistant.web.drawing import drawing_of
from assistant.wording import Wording, languages
from tests.assistant.games.rule_marks import marked

HERE = Path(__file__).parent
RULES = tomllib.loads((HERE / "rule_ids.toml").read_text("utf-8"))
PAGE = HERE.parents[4] / "shared" / "rules" / "yro.md"
ENGINE = HERE.parents[3] / "assistant" / "games" / "yro"


def test_every_rule_id_has_its_tests() -> None:
    assert sorted(set(RULES) - marked(HERE, "holds")) == []
    refusable = {name for name, rule in RULES.items() if rule["refusable"]}
    assert sorted(refusable - marked(HERE, "refuses")) == []


def test_tests_carry_only_rule_ids_that_exist() -> None:
    assert sorted((marked(HERE, "holds") | marked(HERE, "refuses")) - set(RULES)) == []


def test_the_engine_refuses_only_by_rules_that_the_list_calls_refusable() -> None:
    modules = [path.read_text("utf-8") for path in ENGINE.glob("*.py")]
    spoken = {name for text in modules for name in re.findall(r'\bno\(\s*"(R-[A-Z]+\d)"', text)}
    unlisted = {name for name in spoken if not RULES.get(name, {}).get("refusable")}
    assert spoken
    assert sorted(unlisted) == []


@pytest.mark.skipif(not PAGE.exists(), reason="the rules page is not part of this checkout")
def test_the_list_has_every_rule_of_the_page() -> None:
    on_page = set(re.findall(r"\bR-[A-Z]+\d\b", PAGE.read_text("utf-8")))
    assert on_page == set(RULES)


def test_every_rule_is_told_in_words_with_its_place_in_the_rulebook() -> None:
    sections = drawing_of(KIT.folder).rulebook
    assert sorted(rule for rules in sections.values() for rule in rules) == sorted(RULES)
    for language in languages():
        keys = Wording(language, [KIT.messages]).keys
        assert {key for key in keys if key.startswith("yro.rule.")} == {f"yro.rule.{rule}" for rule in RULES}
        assert {key for key in keys if key.startswith("yro.book.")} == {f"yro.book.{one}" for one in sections}
