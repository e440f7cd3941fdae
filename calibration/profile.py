"""The profile of one table: how its camera sees the board, and what the player said about it."""

from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.errors import ProfileError
from vision.pose import Lens
from vision.table import PieceKind, Rect, TableLayout, ZoneId

VERSION: Final = 1
LARGEST_BYTES: Final = 256 * 1024
_MOST_MARKERS = 16
_MOST_ENTRIES = 200

Corners: TypeAlias = tuple[tuple[float, float], ...]
"""Top left, top right, bottom right, bottom left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerPlace:
    """A printed marker that stays beside the board; its corners in board units, from its own top left."""

    id: int
    corners: Corners


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedZone:
    zone: ZoneId
    rect: Rect


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntColour:
    """How pieces of one kind look on this table, as red, green and blue from 0 to 255."""

    piece: PieceKind
    rgb: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmedFact:
    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Plain values only: the picture of the board is kept in a file of its own beside it."""

    table: str
    game: str
    camera: str | None = None
    """What to give to `vision.source.open_source`."""
    lens: Lens | None = None
    """None until the board was found for the first time."""
    corners: Corners | None = None
    """Where the board's corners were in pixels when the profile was made."""
    markers: tuple[MarkerPlace, ...] = ()
    has_board_picture: bool = False
    zones: tuple[MovedZone, ...] = ()
    colours: tuple[LearntColour, ...] = ()
    facts: tuple[ConfirmedFact, ...] = ()
    cards_only: bool = False
    """The player's pieces lie out of view."""
    passed: tuple[str, ...] = ()
    """The steps of the wizard that are behind the player, so that it can be left and resumed."""

    @property
    def is_registered(self) -> bool:
        return self.lens is not None and self.corners is not None

    def confirmed(self) -> dict[str, str]:
        """The player's own word about their board."""
        return {fact.key: fact.value for fact in self.facts}


def fitted_layout(layout: TableLayout, profile: Profile) -> TableLayout:
    """The layout with the zones where this player has them and sees them; zones that may not move stay."""
    moved = {zone.zone: zone.rect for zone in profile.zones}
    zones = tuple(
        replace(zone, rect=moved[zone.id]) if zone.movable and zone.id in moved else zone
        for zone in layout.zones
    )
    fitted = replace(layout, zones=zones)
    return fitted.cards_only() if profile.cards_only else fitted


def format_profile(profile: Profile) -> str:
    """The text of a profile. Reading it again gives an equal profile."""
    return _as_file(profile).model_dump_json(indent=1) + "\n"


def parse_profile(text: str | bytes, origin: str = "profile.json") -> Profile:
    """Raises ProfileError with one sentence about the first thing that is wrong."""
    if len(text) > LARGEST_BYTES:
        raise ProfileError(f"{origin} is too large: expected at most {LARGEST_BYTES // 1024} KiB.")
    try:
        version = _OnlyVersion.model_validate_json(text).version
        if version != VERSION:
            raise ProfileError(
                f"{origin} is of version {version}, this program reads version {VERSION}: "
                "run floodwatch calibrate again, or use the program that wrote it."
            )
        return _as_profile(_ProfileFile.model_validate_json(text))
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "its text"
        raise ProfileError(f"{origin} is no profile of a table: {where}: {first['msg']}.") from None
    except ValueError as problem:
        raise ProfileError(f"{origin} is no profile of a table: {problem}.") from None


# --- the file -------------------------------------------------------------------------------------------

_Share = Annotated[float, Field(ge=-20.0, le=20.0)]
_Pixel = Annotated[float, Field(ge=-100_000.0, le=100_000.0)]
_Name = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[a-z0-9][a-z0-9._-]*$")]
_Four = Field(min_length=4, max_length=4)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class _OnlyVersion(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    version: int


class _LensFile(_Strict):
    width: int = Field(ge=16, le=20_000)
    height: int = Field(ge=16, le=20_000)
    curve: float = Field(ge=-0.6, le=0.25)


class _MarkerFile(_Strict):
    id: int = Field(ge=0, le=49)
    corners: list[tuple[_Share, _Share]] = _Four


class _ProfileFile(_Strict):
    version: Literal[1]
    table: _Name
    game: _Name
    camera: str | None = Field(None, max_length=1000)
    lens: _LensFile | None = None
    corners: list[tuple[_Pixel, _Pixel]] | None = Field(None, min_length=4, max_length=4)
    markers: list[_MarkerFile] = Field([], max_length=_MOST_MARKERS)
    has_board_picture: bool = False
    zones: dict[_Name, tuple[_Share, _Share, _Share, _Share]] = Field({}, max_length=_MOST_ENTRIES)
    colours: dict[_Name, tuple[float, float, float]] = Field({}, max_length=_MOST_ENTRIES)
    facts: dict[_Name, Annotated[str, Field(max_length=200)]] = Field({}, max_length=_MOST_ENTRIES)
    cards_only: bool = False
    passed: list[_Name] = Field([], max_length=_MOST_ENTRIES)


def _as_file(profile: Profile) -> _ProfileFile:
    lens = profile.lens
    return _ProfileFile(
        version=VERSION,
        table=profile.table,
        game=profile.game,
        camera=profile.camera,
        lens=None if lens is None else _LensFile(width=lens.width, height=lens.height, curve=lens.curve),
        corners=None if profile.corners is None else list(profile.corners),
        markers=[_MarkerFile(id=place.id, corners=list(place.corners)) for place in profile.markers],
        has_board_picture=profile.has_board_picture,
        zones={
            moved.zone: (moved.rect.x0, moved.rect.y0, moved.rect.x1, moved.rect.y1)
            for moved in profile.zones
        },
        colours={colour.piece: colour.rgb for colour in profile.colours},
        facts={fact.key: fact.value for fact in profile.facts},
        cards_only=profile.cards_only,
        passed=list(profile.passed),
    )


def _as_profile(file: _ProfileFile) -> Profile:
    ids = [marker.id for marker in file.markers]
    if len(set(ids)) != len(ids):
        raise ValueError("two markers have the same number")
    lens = file.lens
    return Profile(
        table=file.table,
        game=file.game,
        camera=file.camera,
        lens=None if lens is None else Lens(width=lens.width, height=lens.height, curve=lens.curve),
        corners=None if file.corners is None else tuple(file.corners),
        markers=tuple(MarkerPlace(id=place.id, corners=tuple(place.corners)) for place in file.markers),
        has_board_picture=file.has_board_picture,
        zones=tuple(MovedZone(zone=ZoneId(key), rect=Rect(*rect)) for key, rect in file.zones.items()),
        colours=tuple(LearntColour(piece=PieceKind(key), rgb=rgb) for key, rgb in file.colours.items()),
        facts=tuple(ConfirmedFact(key=key, value=value) for key, value in file.facts.items()),
        cards_only=file.cards_only,
        passed=tuple(file.passed),
    )
