"""A view for pages that have none of their own: as large as the table needs, however many play."""

from typing import Any, TypeVar

from vision.table import Rect, TableLayout

MARGIN = 0.03
"""Around a table that is shown whole, in board widths."""

Box = tuple[float, float, float, float]
D = TypeVar("D", bound=Any)


def fitted(drawing: D, layout: TableLayout) -> D:
    """The drawing with a view for each arrangement that has none: around all that is shown."""
    changes = {name: _fitted(getattr(drawing, name), layout) for name in ("wide", "tall")}
    return drawing.model_copy(update=changes)  # type: ignore[no-any-return]


def _fitted(arrangement: Any, layout: TableLayout) -> Any:
    if arrangement.view is not None:
        return arrangement
    shown = [zone for zone in layout.zones if zone.id not in arrangement.hidden]
    boxes = [_box(layout.board), *(arrangement.zones.get(zone.id, _box(zone.rect)) for zone in shown)]
    x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    x1, y1 = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    view: Box = (x0 - MARGIN, y0 - MARGIN, x1 - x0 + 2 * MARGIN, y1 - y0 + 2 * MARGIN)
    return arrangement.model_copy(update={"view": view})


def _box(rect: Rect) -> Box:
    return (rect.x0, rect.y0, rect.width, rect.height)
