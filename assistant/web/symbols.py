"""The item symbols of the vision room as one SVG sheet: fetched once, used everywhere on the page."""

import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

_ROOT = re.compile(r"<svg\b([^>]*)>(.*)</svg>", re.DOTALL)
_TITLE = re.compile(r"<title>.*?</title>\s*", re.DOTALL)
_VIEW_BOX = re.compile(r'viewBox="([^"]+)"')


@cache
def symbol_sheet() -> str:
    """`<symbol id="symbol-red">` for every drawing."""
    symbols = symbols_in(resources.files("vision") / "symbols")
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


def symbols_in(folder: Traversable) -> str:
    """The drawings of one folder; none where there is no such folder."""
    if not folder.is_dir():
        return ""
    drawings = sorted(
        (path for path in folder.iterdir() if path.name.endswith(".svg")), key=lambda path: path.name
    )
    return "".join(
        _symbol(path.name.removesuffix(".svg"), path.read_text(encoding="utf-8")) for path in drawings
    )


def _symbol(name: str, text: str) -> str:
    root = _ROOT.search(text)
    box = _VIEW_BOX.search(text)
    if root is None or box is None:
        raise ValueError(f"expected an SVG drawing with a viewBox in {name}.svg")
    # The page names every symbol itself, in the player's language.
    body = _TITLE.sub("", root.group(2))
    body = re.sub(r"\s*\n\s*", "", body)
    return (
        f'<symbol id="symbol-{name}" viewBox="{box.group(1)}" '
        f'stroke-linecap="round" stroke-linejoin="round">{body}</symbol>'
    )
