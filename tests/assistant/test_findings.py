"""A finding appears once, is withdrawn by itself, and can be accepted or dismissed."""

import pytest

from assistant.findings import Findings
from assistant.kit import Finding, Message, Severity
from assistant.snapshot import FindingFate
from tests.assistant.table import Table, played, yu


def finding(key: str = "some.rule", **values: int) -> Finding:
    return Finding(rule="X-1", severity=Severity.VIOLATION, message=Message.of(key, **values))


def fates(findings: Findings) -> list[str]:
    return [shown.fate.value for shown in findings.shown]


def test_a_finding_appears_once_while_it_holds() -> None:
    findings = Findings()
    assert findings.update([("a", finding())], now=1.0)
    assert not findings.update([("a", finding())], now=2.0)
    assert fates(findings) == ["open"]


def test_a_finding_that_no_longer_holds_is_mended() -> None:
    findings = Findings()
    findings.update([("a", finding())], now=1.0)
    findings.update([], now=2.0)
    assert fates(findings) == ["mended"]


def test_the_same_text_is_not_raised_again_within_the_quiet_time() -> None:
    findings = Findings(quiet_s=60)
    findings.update([("a", finding())], now=1.0)
    findings.update([], now=2.0)
    findings.update([("b", finding())], now=30.0)
    assert fates(findings) == ["open"]
    findings.update([], now=31.0)
    findings.update([("c", finding())], now=100.0)
    assert fates(findings) == ["mended", "open"]


def test_numbers_change_without_a_new_finding() -> None:
    findings = Findings()
    findings.update([("gauge", finding(n=3))], now=1.0)
    findings.update([("gauge", finding(n=2))], now=2.0)
    assert len(findings.shown) == 1
    assert findings.shown[0].finding.message == Message.of("some.rule", n=2)


@pytest.mark.parametrize("fate", [FindingFate.ACCEPTED, FindingFate.DISMISSED])
def test_a_settled_finding_stays_settled(fate: FindingFate) -> None:
    findings = Findings()
    findings.update([("a", finding())], now=1.0)
    assert findings.settle(1, fate)
    findings.update([("a", finding())], now=2.0)
    findings.update([], now=3.0)
    findings.update([("a", finding())], now=4.0)
    assert fates(findings) == [fate.value]
    assert not findings.settle(1, FindingFate.DISMISSED), "it is not open any more"


@pytest.mark.parametrize("fate", [FindingFate.ACCEPTED, FindingFate.DISMISSED])
def test_what_was_dismissed_is_said_again_when_it_comes_about_anew_much_later(fate: FindingFate) -> None:
    """Who dismisses the first warning of the Flood wants to hear of the second one."""
    findings = Findings(quiet_s=60)
    findings.update([("flood", finding(n=2))], now=1.0)
    findings.settle(1, fate)
    findings.update([("flood", finding(n=1))], now=50.0)
    findings.update([], now=100.0)
    findings.update([("flood", finding(n=3))], now=150.0)
    assert fates(findings) == [fate.value], "a short while later it is still the same"
    findings.update([], now=151.0)
    findings.update([("flood", finding(n=2))], now=300.0)
    assert fates(findings) == [fate.value, "open"]


def test_the_quiet_time_begins_when_a_finding_is_withdrawn() -> None:
    findings = Findings(quiet_s=60)
    findings.update([("a", finding())], now=1.0)
    findings.update([], now=500.0)
    findings.update([("b", finding())], now=510.0)
    assert fates(findings) == ["open"]


def test_remembered_findings_are_known_again_and_new_ones_count_on() -> None:
    before = Findings()
    before.update([("a", finding("one")), ("b", finding("two", n=4))], now=1.0)
    before.settle(2, FindingFate.DISMISSED)
    findings = Findings()
    findings.remember(before.shown, now=0.0)
    findings.update([("b", finding("two", n=3)), ("c", finding("three"))], now=1.0)
    assert [(shown.id, shown.fate.value) for shown in findings.shown] == [
        (1, "mended"),
        (2, "dismissed"),
        (3, "open"),
    ]


def test_the_flood_is_announced_before_it_moves() -> None:
    """Over whole games: when the Flood moves, a warning about it was open the moment before."""
    moved = 0
    for seed in (1, 2):
        table = Table()
        for action in played("greedy", seed):
            flood = table.state.flood
            warned = {
                shown.finding.rule
                for shown in table.session.snapshot().findings
                if shown.fate.value == "open"
            }
            table.do(yu().format(action))
            table.look()
            if table.state.flood > flood and action.verb.value == "shuffle":
                moved += 1
                assert "Y-G5" in warned
    assert moved


def test_a_finding_can_be_accepted_at_the_table() -> None:
    table = Table.after(23)
    table.wait(table.with_pieces("supply", table.with_pieces("main", clay=-1), clay=1), seconds=6)
    (shown,) = table.violations()
    assert shown.finding.rule == "Y-G9"
    table.session.accept(shown.id)
    assert [entry.fate for entry in table.violations()] == [FindingFate.ACCEPTED]
