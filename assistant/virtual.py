"""A game laid on the virtual table and looked at by the program's own eye: only pixels pass between them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assistant.kit import Dice, Game, GameKit, Mistake, Severity
from assistant.reconstruct import Line, Step, StepKind, candidates
from assistant.retell import acted, only_names
from calibration.colours import Recolour
from calibration.icons import OwnIcons
from calibration.profile import LearntColour
from vision.identify import Identifier
from vision.locate import find_spread
from vision.networks import Networks
from vision.observe import Eye, Finder
from vision.pieces import PieceReader
from vision.places import Label, PlaceReader
from vision.pose import Lens, Pose
from vision.register import Means, Registration, fit_pose
from vision.standing import Bodies
from vision.table import Rect, TableLayout, TableView, ZoneKind
from vision.virtual.drawn import TableArt, drawn_scene, load_table_art
from vision.virtual.scene import Scene
from vision.virtual.scene_style import SceneStyle
from vision.whole import reader_of
from vision.witness import Witness

Visible = tuple[Any, ...]


def eye_of(
    kit: GameKit,
    game: Game[Any, Any],
    find: Finder,
    networks: Networks | None = None,
    own: OwnIcons | None = None,
    colours: Sequence[LearntColour] = (),
    witness: Witness | None = None,
    label: Label | None = None,
) -> Eye:
    """The eye for a game's cards and pieces, on the board that `find` finds.

    `own` says how this player's copy is printed, `colours` how its pieces look in their light, `witness` how
    the cards look that were enrolled, `label` reads those on sleeves.
    """
    networks = (networks or Networks()).with_own(kit.folder)
    art: TableArt = load_table_art(kit.folder)
    reword = None if own is None else own.weighed
    reader = reader_of(art.anatomy, networks, kit.pack_rules, game.pack, reword)
    identifier = Identifier(game.pack, reader.item_kinds, anatomy=art.anatomy)
    return Eye(
        layout=game.layout.on_table(),
        find=find,
        places=PlaceReader(game.layout, reader, identifier, find_spread, witness, label),
        pieces=PieceReader(networks, recolour_of(art, colours)),
        bodies=Bodies({kind: shape.bulk() for kind, shape in art.shapes.items()}),
    )


def recolour_of(art: TableArt, colours: Sequence[LearntColour]) -> Recolour | None:
    """Undoes the light of a table whose pieces were tapped; None where too few were."""
    usual = {}
    for kind, shape in art.shapes.items():
        blue, green, red = shape.colour
        usual[kind] = (255 * red, 255 * green, 255 * blue)
    recolour = Recolour.fitted(colours, usual)
    return None if recolour.changes_nothing else recolour


def scene_of(kit: GameKit, game: Game[Any, Any], style: SceneStyle) -> Scene:
    return drawn_scene(game.layout.on_table(), game.pack, load_table_art(kit.folder), style)


def calibrated(board: Rect, scene: Scene) -> Finder:
    """Where the board lies for this camera, for a player who has calibrated both."""
    places = np.array([(x, y) for x in np.linspace(board.x0, board.x1, 6) for y in (board.y0, board.y1)])
    pixels = scene.camera.project(np.column_stack([places, np.zeros(len(places))]))
    lens = Lens(width=scene.camera.width, height=scene.camera.height)
    pose: Pose = fit_pose(places, pixels, lens, fit_curve=True)
    found = Registration(means=Means.CORNERS, pose=pose, error_px=0.5, support=4)
    return lambda _frame, _near: found


def set_up(game: Game[Any, Any], dice: Dice) -> Any:
    """The position after the set-up: as long as nothing but luck decides."""
    state = game.initial()
    while (chances := game.chance(state)) and len(chances) == len(game.legal_actions(state)):
        state = game.apply(state, dice.weighted(chances))
    return state


def slip_of(game: Game[Any, Any], state: Any, dice: Dice) -> tuple[Mistake[Any], frozenset[str]] | None:
    """A mistake that can be told from every legal move, and the rules of all that look the same.

    Rules are drawn first, so that those that can be broken in many ways are not broken all the time.
    """
    layout = game.layout
    legal = {visible(layout, game.view(game.apply(state, action))) for action in game.legal_actions(state)}
    legal.add(visible(layout, game.view(state)))
    looks: dict[Visible, list[Mistake[Any]]] = {}
    for mistake in game.watch.mistakes(state):
        look = visible(layout, game.view(mistake.state))
        if look not in legal and mistake.severity is Severity.VIOLATION and mistake.doubt < 1.0:
            looks.setdefault(look, []).append(mistake)
    by_rule: dict[str, list[list[Mistake[Any]]]] = {}
    for same in looks.values():
        by_rule.setdefault(same[0].rule, []).append(same)
    if not by_rule:
        return None
    chosen = dice.choice(tuple(by_rule[dice.choice(tuple(sorted(by_rule)))]))
    rules = frozenset(mistake.rule for mistake in chosen)
    return replace(chosen[0], state=_read_out(game, chosen[0].state, dice)), rules


def like_two_moves(game: Game[Any, Any], state: Any, mistake: Mistake[Any]) -> bool:
    """Whether two legal moves leave the table just as this mistake does: then nobody can tell by looking."""
    look = visible(game.layout, game.view(mistake.state))
    for action in game.legal_actions(state):
        between = game.apply(state, action)
        for then in game.legal_actions(between):
            if visible(game.layout, game.view(game.apply(between, then))) == look:
                return True
    return False


def _read_out(game: Game[Any, Any], state: Any, dice: Dice) -> Any:
    """Cards that a mistake turns up are real ones, though the rules need not know which."""
    every = frozenset(card.id for card in game.pack.cards)
    while True:
        here = Line(None, None, state, game.view(state), 0.0)
        named = [
            following.state
            for action, belief in candidates(game, state, every)
            if (following := acted(game, here, Step(kind=StepKind.ACTION, action=action), belief)) is not None
            and only_names(following)
        ]
        if not named:
            return state
        state = dice.choice(tuple(named))


def visible(layout: TableLayout, view: TableView) -> Visible:
    """What a position looks like: of a pile its top and height, the cards of a spread in any order."""
    piles = {zone.id for zone in layout.zones if zone.kind is ZoneKind.PILE}
    held = {zone.id for zone in layout.zones if zone.held}
    return tuple(
        (zone.cards[-1:], len(zone.cards), zone.pieces)
        if zone.zone in piles
        else (tuple(sorted(zone.cards, key=repr)), zone.pieces)
        for zone in view.zones
        if zone.zone not in held
    )
