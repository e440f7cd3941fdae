"""No rule is without its tests: one that shows it holds, and one that is refused where that can be."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RULES = tomllib.loads((HERE / "rule_ids.toml").read_text("utf-8"))
PAGE = HERE.parents[4] / "shared" / "rules" / "yro.md"
ENGINE = HERE.parents[3] / "assistant" / "games" / "yro"


def marked(mark: str) -> set[str]:
    """The rule ids that tests carry under a mark, read from their source."""
    return {
        str(argument.value)
        for path in HERE.glob("test_*.py")
        for test in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
        for call in test.decorator_list
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == mark
        for argument in call.args
        if isinstance(argument, ast.Constant)
    }


def test_every_rule_id_has_its_tests() -> None:
    assert sorted(set(RULES) - marked("holds")) == []
    refusable = {name for name, rule in RULES.items() if rule["refusable"]}
    assert sorted(refusable - marked("refuses")) == []


def test_tests_carry_only_rule_ids_that_exist() -> None:
    assert sorted((marked("holds") | marked("refuses")) - set(RULES)) == []


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
