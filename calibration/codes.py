"""QR codes: what ours say, and reading whatever codes are in a picture."""

import logging
import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np

from vision.cards import CardId, CardPack
from vision.frame import BgrImage, GrayImage
from vision.pose import Points

_log = logging.getLogger(__name__)

MOST_TEXT: Final = 300
_LARGE_PX: Final = 3840
_SHEET = re.compile(r"floodwatch:sheet\?v=1&kind=(markers|lens)&mm=(\d{1,3})&game=([a-z0-9][a-z0-9-]{0,39})")
_CARD = re.compile(r"FW1:([A-Z0-9][A-Z0-9-]{0,39}):([A-Z0-9][A-Z0-9-]{0,63})")


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetCode:
    """Which of our sheets this is."""

    kind: str
    marker_mm: int
    game: str

    def __str__(self) -> str:
        return f"floodwatch:sheet?v=1&kind={self.kind}&mm={self.marker_mm}&game={self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCode:
    """A label on the sleeve of a card: short and in capitals, so that few and large cells hold it."""

    game: str
    card: str

    def __str__(self) -> str:
        return f"FW1:{self.game}:{self.card}".upper()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenCode:
    text: str
    corners: Points


def parse_code(text: str) -> SheetCode | CardCode | None:
    """What one of our codes says; None for the codes of other programs."""
    if len(text) > MOST_TEXT:
        return None
    sheet = _SHEET.fullmatch(text)
    if sheet is not None:
        mm = int(sheet[2])
        return SheetCode(kind=sheet[1], marker_mm=mm, game=sheet[3]) if 10 <= mm <= 200 else None
    card = _CARD.fullmatch(text)
    return CardCode(game=card[1].lower(), card=card[2].lower()) if card is not None else None


def read_codes(image: BgrImage) -> tuple[SeenCode, ...]:
    """Every QR code that can be read: with zbar, or where that library is missing with OpenCV."""
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    zbar = _zbar()
    return _with_zbar(gray, zbar) if zbar is not None else read_with_opencv(gray)


def find_sheet(image: BgrImage) -> SheetCode | None:
    """The first of our sheets that is in the picture; a small picture is also looked at enlarged."""
    for look in (image, _enlarged(image)):
        said = (parse_code(code.text) for code in read_codes(look))
        found = next((code for code in said if isinstance(code, SheetCode)), None)
        if found is not None:
            return found
    return None


def card_labelled(image: BgrImage, pack: CardPack) -> CardId | None:
    """The card of the pack whose label is in the picture; None where there is none, or of two cards."""
    said = [parse_code(code.text) for code in read_codes(image)]
    cards = {CardId(code.card) for code in said if isinstance(code, CardCode) and code.game == pack.game}
    known = [card for card in cards if card in pack]
    return known[0] if len(known) == 1 else None


def _enlarged(image: BgrImage) -> BgrImage:
    """At most as large as a picture of 4K."""
    scale = max(1.0, min(2.0, _LARGE_PX / image.shape[1]))
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)


def has_zbar() -> bool:
    return _zbar() is not None


@cache
def _zbar() -> Any:
    """pyzbar is only a wrapper: it can be installed without the library that it wraps."""
    try:
        from pyzbar import pyzbar
    except ImportError as problem:
        _log.info("zbar is missing, OpenCV reads QR codes instead: %s", problem)
        return None
    return pyzbar


def _with_zbar(gray: GrayImage, zbar: Any) -> tuple[SeenCode, ...]:
    seen = []
    for found in zbar.decode(gray, symbols=[zbar.ZBarSymbol.QRCODE]):
        corners = np.array([(point.x, point.y) for point in found.polygon], np.float64)
        seen.append(SeenCode(text=found.data.decode("utf-8", "replace"), corners=corners))
    return tuple(seen)


def read_with_opencv(gray: GrayImage) -> tuple[SeenCode, ...]:
    try:
        good, texts, corners, _ = cv2.QRCodeDetector().detectAndDecodeMulti(gray)
    except cv2.error as problem:
        # OpenCV's reader gives up on some codes of other programs with an assertion of its own.
        _log.info("a code could not be read: %s", problem)
        return ()
    if not good or corners is None:
        return ()
    return tuple(
        SeenCode(text=text, corners=np.asarray(quad, np.float64).reshape(-1, 2))
        for text, quad in zip(texts, corners, strict=True)
        if text
    )
