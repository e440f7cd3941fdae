"""Two drawings for docs/: how true the told chances are, and how strength grows with time."""

import math
from collections.abc import Mapping, Sequence

from tests.benchmarks.shares import Bin, wilson

SIDE = 360
EDGE = 52
COLOURS = ("#1f6f8b", "#b5542c")
_FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
    'font-family="sans-serif" font-size="12">'
    '<rect width="{size}" height="{size}" fill="#fff"/>'
)


def _x(share: float) -> float:
    return EDGE + share * SIDE


def _y(share: float) -> float:
    return EDGE + (1 - share) * SIDE


def _framed(title: str, across: str, up: str, ticks: Sequence[tuple[float, str]], inside: list[str]) -> str:
    size = SIDE + 2 * EDGE
    middle = EDGE + SIDE / 2
    lines = [_FRAME.format(size=size)]
    lines.append(f'<text x="{middle}" y="24" text-anchor="middle" font-size="14">{title}</text>')
    lines.append(f'<text x="{middle}" y="{size - 8}" text-anchor="middle">{across}</text>')
    lines.append(f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">{up}</text>')
    for share in (0, 0.25, 0.5, 0.75, 1):
        lines.append(f'<path d="M{EDGE} {_y(share)}h{SIDE}" stroke="#ddd"/>')
        lines.append(f'<text x="{EDGE - 6}" y="{_y(share) + 4}" text-anchor="end">{share:.0%}</text>')
    for share, text in ticks:
        lines.append(f'<text x="{_x(share):.1f}" y="{EDGE + SIDE + 18}" text-anchor="middle">{text}</text>')
    return "\n".join([*lines, *inside, "</svg>"]) + "\n"


def _point(x: float, y: float, low: float, high: float, colour: str, radius: float = 4.0) -> str:
    whisker = f'<path d="M{x:.1f} {_y(low):.1f}V{_y(high):.1f}" stroke="{colour}" stroke-width="1.5"/>'
    return f'{whisker}<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}"/>'


def reliability_plot(bins: Sequence[Bin], what: str) -> str:
    """Points on the diagonal: what was told came true as often as was said. Larger: more decisions."""
    inside = [f'<path d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}" stroke="#999" stroke-dasharray="4 4"/>']
    most = max((part.number for part in bins), default=1)
    for part in bins:
        low, high = wilson(round(part.came_true * part.number), part.number)
        radius = 3 + 6 * math.sqrt(part.number / most)
        inside.append(_point(_x(part.said), _y(part.came_true), low, high, COLOURS[0], radius))
    ticks = [(share, f"{share:.0%}") for share in (0, 0.25, 0.5, 0.75, 1)]
    return _framed(f"Told and come true ({what})", "told chance to win", "games won", ticks, inside)


def strength_plot(
    players: Mapping[str, Mapping[str, tuple[int, int]]], greedy: tuple[int, int] | None
) -> str:
    """Games won over the time for one decision, with 95 % intervals."""
    budgets = sorted({_budget(name) for ways in players.values() for name in ways}) or [100]
    first, last = math.log(budgets[0]) - 0.3, math.log(budgets[-1]) + 0.3

    def across(budget: int) -> float:
        return (math.log(budget) - first) / (last - first)

    inside: list[str] = []
    if greedy and greedy[1]:
        y = _y(greedy[0] / greedy[1])
        inside.append(f'<path d="M{EDGE} {y:.1f}h{SIDE}" stroke="#999" stroke-dasharray="4 4"/>')
        inside.append(f'<text x="{EDGE + SIDE}" y="{y - 4:.1f}" text-anchor="end" fill="#666">greedy</text>')
    for (who, ways), colour in zip(players.items(), COLOURS, strict=True):
        points = sorted((_budget(name), won, games) for name, (won, games) in ways.items())
        path = " ".join(f"{_x(across(ms)):.1f},{_y(won / games):.1f}" for ms, won, games in points)
        inside.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for ms, won, games in points:
            inside.append(_point(_x(across(ms)), _y(won / games), *wilson(won, games), colour))
        if points:
            ms, won, games = points[-1]
            place = f'x="{_x(across(ms)):.1f}" y="{_y(won / games) - 10:.1f}"'
            inside.append(f'<text {place} text-anchor="end" fill="{colour}">{who}</text>')
    ticks = [(across(ms), f"{ms} ms" if ms < 1000 else f"{ms // 1000} s") for ms in budgets]
    return _framed("Strength and time", "processor time for a decision", "games won", ticks, inside)


def _budget(player: str) -> int:
    return int(player.partition("-")[2])
