"""The trained networks as eyes for photographs, and a whole table read at once where its board is known."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from vision.anatomy import load_anatomy
from vision.blend import blended_counts
from vision.cards import CardId, CardKind, CardPack
from vision.frame import BgrImage
from vision.identify import Identifier
from vision.locate import find_spread
from vision.locate_banner import hangings_of
from vision.near import NEAR, NearPiece, NearReader
from vision.networks import MODELS, Networks
from vision.observation import CountSighting, Sight, ZoneSighting
from vision.pack import PackRules
from vision.photo_cards import Named, Opinion, PhotoCard
from vision.photo_pieces import agreeing
from vision.pieces import PIXELS_PER_UNIT, SINGLE, PieceReader, counted, pieces_of
from vision.places import PlacePicture, PlaceReader
from vision.pose import Pose
from vision.reader import CardCut, Reader
from vision.rectify import rectify
from vision.second_look import named_with_care
from vision.table import TableLayout, Zone, ZoneKind
from vision.whole import reader_of

_SIZES = (1.0, 0.94, 0.88)
"""How large a place for a piece is seen at each look: no second frame will show it a little aside, and
where corners are given by hand, one look in doubt is luck."""


class NetworkEyes:
    """Looks at cut out cards and reads them; on a board also the pieces."""

    def __init__(
        self, reader: Reader, identifier: Identifier, pieces: PieceReader, near: NearReader | None = None
    ) -> None:
        self.reader = reader
        self.identifier = identifier
        self.pieces = pieces
        self.hangings = hangings_of(reader.anatomy)
        self._near = near

    def with_pieces(
        self, image: BgrImage, cards: Sequence[PhotoCard]
    ) -> tuple[tuple[PhotoCard, ...], tuple[NearPiece, ...]]:
        """Every piece in a photograph beside the cards found in it; of both only what goes together."""
        if self._near is None:
            return tuple(cards), ()
        return agreeing(cards, self._near.find(image))

    def look(self, cuts: Sequence[BgrImage]) -> list[Opinion]:
        opinions = []
        for look in self.reader.look(cuts):
            kind, p = look.front()
            opinions.append(
                Opinion(
                    front=sum(share for _, share in look.fronts),
                    back=sum(share for _, share in look.backs),
                    kind=kind,
                    kind_p=p,
                    upside_down=look.upside_down,
                    corners=tuple((float(x), float(y)) for x, y in look.corners),
                )
            )
        return opinions

    def read(
        self, cuts: Sequence[BgrImage], kinds: Sequence[CardKind], also: Sequence[Mapping[CardId, float]]
    ) -> list[Named]:
        cards = [CardCut(image=cut, kind=kind) for cut, kind in zip(cuts, kinds, strict=True)]
        read = self.reader.read(cards)
        names = named_with_care(self.reader, self.identifier, cards, read, lambda k, _named: also[k])
        return [Named(reading=card.reading, guesses=named) for card, named in zip(read, names, strict=True)]


def read_zones(
    image: BgrImage, pose: Pose, layout: TableLayout, eyes: NetworkEyes
) -> tuple[ZoneSighting, ...]:
    """What lies and stands in every zone that is in the picture."""
    zones = [zone for zone in layout.zones if pose.in_view(zone.rect, margin_px=-8.0)]
    places = PlaceReader(layout, eyes.reader, eyes.identifier, spread=find_spread, once=True)
    for_cards = [zone for zone in zones if zone.cards]
    pictures = [
        PlacePicture(
            zone=zone,
            picture=rectify(image, pose, places.area(zone), places.pixels_per_unit),
            frame=image,
        )
        for zone in for_cards
    ]
    read = places.read(pictures, pose) if pictures else ()
    cards = dict(zip((zone.id for zone in for_cards), read, strict=True))
    return tuple(
        ZoneSighting(
            zone=zone.id,
            sight=Sight.SEEN,
            cards=cards.get(zone.id, ()),
            pieces=_pieces(image, pose, zone, layout, eyes.pieces) if zone.pieces else (),
        )
        for zone in zones
    )


def _pieces(
    image: BgrImage, pose: Pose, zone: Zone, layout: TableLayout, pieces: PieceReader
) -> tuple[CountSighting, ...]:
    seen: tuple[CountSighting, ...] = ()
    for look, size in enumerate(_SIZES):
        # at a heap its reader looks at other sizes by itself
        scale = PIXELS_PER_UNIT * (size if zone.kind is ZoneKind.SPOT else 1.0)
        picture = rectify(image, pose, pieces.area(zone), scale)
        marks = pieces_of(zone, pieces.marks_in(zone, picture, look), layout.zones)
        seen = blended_counts(seen, counted(zone, marks), look)
    return seen


def has_networks() -> bool:
    """Whether this copy of the program came with its trained networks."""
    return (MODELS / "manifest.toml").is_file()


def network_eyes(anatomy: Path, rules: PackRules, pack: CardPack) -> NetworkEyes:
    """Eyes for the cards of one pack. Raises NetworkError where the weights are damaged."""
    networks = Networks().with_own(anatomy.parent)
    reader = reader_of(load_anatomy(anatomy), networks, rules, pack)
    # A game with pieces of its own has no reader for near views of them.
    knows = NEAR in networks and networks.answers(NEAR) == networks.answers(SINGLE)
    near = NearReader(networks) if knows else None
    return NetworkEyes(reader, Identifier(pack, reader.item_kinds), PieceReader(networks), near)
