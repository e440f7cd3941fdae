"""What a running game may have around it: an adviser, recorded games, a pack of one's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from assistant.advice import Advice, Advised, Chance, Plan, Strength
from assistant.games.yu import KIT
from assistant.kit import Dice, Message
from assistant.record.feed import header_of, record_actions
from assistant.record.store import Store, open_store
from assistant.simulate import play_game
from assistant.web.source import SnapshotSource
from vision.cards import CardFacts, CardId, CardPack
from vision.pack import save_pack
from vision.virtual.drawn import load_table_art
from vision.virtual.faces import card_face

STARTED_AT = 1_760_000_000.0
DAY = 86_400.0


class GreedyAdviser:
    """Says all it knows whatever it is asked for: the server must hold back the rest."""

    def __init__(self, source: SnapshotSource) -> None:
        self._source = source
        self.asked: list[Strength] = []

    def ask(self, strength: Strength) -> Advice:
        self.asked.append(strength)
        game = self._source.game
        state = game.decode(self._source.snapshot().state)
        if game.outcome(state) is not None:
            return Advice(strength=strength, plain=Message.of("record.setup"))
        chosen = [game.policies["greedy"](state, Dice(f"advice {n}")) for n in range(12)]
        actions = list(dict.fromkeys(chosen))[:3]
        others = [action for action in game.legal_actions(state) if action not in actions]
        actions += others[: 3 - len(actions)]
        flood = next((gauge for gauge in game.forecast(state).gauges if gauge.name == "flood"), None)
        because = (flood.message,) if flood else ()
        return Advice(
            strength=strength,
            nudges=because,
            plan=Plan(goals=(game.phase(state),), steps=tuple(game.describe(action) for action in actions)),
            moves=tuple(
                Advised(
                    notation=game.format(action),
                    words=game.describe(action),
                    because=because,
                    win=Chance(p=0.44 - n / 20, low=0.35, high=0.52),
                )
                for n, action in enumerate(actions)
            ),
            win=Chance(p=0.44, low=0.37, high=0.51),
            warnings=(),
        )


def record_games(folder: Path, number: int, moves: int | None = None) -> None:
    """So many simulated games, one a day; whole, or only their first moves."""
    game = KIT.bind(KIT.demo_pack())
    with open_store(folder) as store:
        for seed in range(number):
            actions = play_game(game, game.policies["greedy"], seed).actions
            header = header_of(game, table="test", started_at=STARTED_AT + seed * DAY, seed=str(seed))
            record_actions(store, game, actions[:moves], header).leave()


@contextmanager
def recorded_store(folder: Path, number: int, moves: int | None = None) -> Iterator[Store]:
    record_games(folder, number, moves)
    with open_store(folder) as store:
        yield store


def own_pack(folder: Path, *, unread: str | None = None) -> CardPack:
    """The demo's cards as a pack of the player's own, one of them with a field that nobody has read."""
    pack = KIT.demo_pack()
    cards = tuple(_half_read(card) if card.id == unread else card for card in pack.cards)
    mine = replace(pack, name="Mine", cards=cards)
    save_pack(mine, folder)
    return mine


def _half_read(card: CardFacts) -> CardFacts:
    fields = tuple(replace(part, items=None) if part.name == "red" else part for part in card.fields)
    return replace(card, fields=fields)


def photograph(card: str | None) -> bytes:
    """A card of the demo on a dark table, as a camera would take it; or the table alone."""
    picture = np.full((600, 560, 3), (52, 48, 40), np.uint8)
    if card is not None:
        face = card_face(KIT.demo_pack()[CardId(card)], load_table_art(KIT.folder).anatomy, height_px=460)
        top, left = (70, 130)
        shape = (slice(top, top + face.shape[0]), slice(left, left + face.shape[1]))
        alpha = face[..., 3:].astype(np.float32) / 255
        picture[shape] = np.asarray(face[..., :3] * alpha + picture[shape] * (1 - alpha), np.uint8)
    noise = np.random.default_rng(1).integers(-2, 3, picture.shape)
    return cv2.imencode(".png", np.asarray(np.clip(picture + noise, 0, 255), np.uint8))[1].tobytes()
