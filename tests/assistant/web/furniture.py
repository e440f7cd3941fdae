"""What a running game may have around it: an adviser, recorded games, a pack of one's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from assistant.advice import Advice, Advised, Chance, Plan, Strength
from assistant.games.yu import KIT
from assistant.kit import Dice, Message
from assistant.record.feed import header_of, record_actions
from assistant.record.store import Store, open_store
from assistant.simulate import play_game
from assistant.web.source import SnapshotSource
from vision.cards import CardFacts, CardPack
from vision.pack import save_pack

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


def record_games(folder: Path, number: int) -> None:
    """So many simulated games, one a day."""
    game = KIT.bind(KIT.demo_pack())
    with open_store(folder) as store:
        for seed in range(number):
            actions = play_game(game, game.policies["greedy"], seed).actions
            header = header_of(game, table="test", started_at=STARTED_AT + seed * DAY, seed=str(seed))
            record_actions(store, game, actions, header).leave()


@contextmanager
def recorded_store(folder: Path, number: int) -> Iterator[Store]:
    record_games(folder, number)
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
