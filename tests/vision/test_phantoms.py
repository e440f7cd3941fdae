"""What looks like pieces on a bare table is known again, and pieces that are laid there are seen."""

from dataclasses import replace

from assistant.games.yu import KIT
from vision.marks import Mark
from vision.phantoms import Phantoms
from vision.table import PieceKind, ZoneId

SUPPLY = KIT.bind(KIT.demo_pack()).layout.zone(ZoneId("supply"))
X, Y = SUPPLY.rect.centre
VEIN = Mark(PieceKind("white"), X, Y, 0.5)


def test_a_vein_of_the_table_is_no_piece_once_the_table_was_seen_bare() -> None:
    phantoms = Phantoms()
    assert phantoms.without(SUPPLY.id, [VEIN]) == [VEIN], "nobody knows yet"
    assert phantoms.learn(SUPPLY, [VEIN])
    (again,) = phantoms.without(SUPPLY.id, [replace(VEIN, x=X + 0.002, p=0.6)])
    assert again.p < 0.05


def test_a_piece_on_a_vein_beside_it_or_of_another_kind_is_seen() -> None:
    phantoms = Phantoms()
    phantoms.learn(SUPPLY, [VEIN])
    pieces = [replace(VEIN, p=0.95), replace(VEIN, x=X + 0.02), replace(VEIN, kind=PieceKind("cowrie"))]
    assert phantoms.without(SUPPLY.id, pieces) == pieces


def test_what_is_surely_a_piece_is_no_phantom_wherever_nothing_should_lie() -> None:
    phantoms = Phantoms()
    piece = replace(VEIN, p=0.97)
    assert not phantoms.learn(SUPPLY, [piece])
    assert phantoms.without(SUPPLY.id, [piece]) == [piece]


def test_a_table_that_was_seen_bare_again_is_learnt_anew() -> None:
    phantoms = Phantoms()
    phantoms.learn(SUPPLY, [VEIN])
    phantoms.learn(SUPPLY, [])
    assert phantoms.knows(SUPPLY.id)
    assert phantoms.without(SUPPLY.id, [VEIN]) == [VEIN]
