"""Cards that are seen for the first time: drawn, destroyed, revealed, dealt or turned over."""

from functools import cache

from assistant.facedown import Slots
from assistant.games.yu import mixes
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.actions import action as made
from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import no
from assistant.games.yu.resolve import advance_flood, barbarians_in_row
from assistant.games.yu.state import ROW, Phase, Result, State, Step, StepKind
from assistant.kit import Message, Refusal
from vision.cards import CardId

_STEP_OF = {
    Verb.DRAW: (StepKind.DRAW,),
    Verb.DRAW_PILE: (StepKind.DRAW_PILE,),
    Verb.DESTROY: (StepKind.DESTROY,),
    Verb.REVEAL: (StepKind.REVEAL_TOWNSFOLK, StepKind.REVEAL_BARBARIAN),
    Verb.DEAL: (StepKind.DEAL_CANAL,),
    Verb.FLIP: (StepKind.FLIP_HUT,),
}
_RULE_OF = {
    Verb.DRAW: "Y-G4",
    Verb.DRAW_PILE: "Y-A13",
    Verb.DESTROY: "Y-G3",
    Verb.REVEAL: "Y-R1",
    Verb.DEAL: "Y-S5",
    Verb.FLIP: "Y-S6",
}
_SETUP_RULE_OF = {StepKind.REVEAL_TOWNSFOLK: "Y-S3", StepKind.REVEAL_BARBARIAN: "Y-S4"}
_VERB_OF = {step: verb for verb, steps in _STEP_OF.items() for step in steps}
_PILE_OF = {
    StepKind.DRAW: "ready",
    StepKind.DESTROY: "ready",
    StepKind.DRAW_PILE: "draw",
    StepKind.REVEAL_TOWNSFOLK: "draw",
    StepKind.REVEAL_BARBARIAN: "barbarian_draw",
}
_FROM_READY = (StepKind.DRAW, StepKind.DESTROY)


def open_step(state: State, kinds: tuple[StepKind, ...]) -> Step | None:
    """The step of one of these kinds that may be resolved now, if there is one."""
    if state.pending:
        return state.pending[0] if state.pending[0].kind in kinds else None
    if StepKind.DRAW in kinds and Step(StepKind.DRAW) in state.harvest:
        return Step(StepKind.DRAW)
    return None


def sights(state: State) -> list[Action]:
    """Every card that may be seen next; empty where none is due."""
    step = _due(state)
    if step is None:
        return []
    verb, at = _VERB_OF[step.kind], step.argument or 0
    return list(map(_sights_of(verb, at).__getitem__, dict.fromkeys(_cards_of(state, step))))


class _Sights(dict[CardId, Action]):
    """The actions of one verb at one place, made when a card is first asked for."""

    def __init__(self, verb: Verb, at: int) -> None:
        super().__init__()
        self._verb, self._at = verb, at

    def __missing__(self, card: CardId) -> Action:
        self[card] = seen = made(self._verb, card, self._at)
        return seen


_sights_of = cache(_Sights)


def chances(state: State) -> tuple[tuple[Action, float], ...]:
    """The cards that may be seen next, with their probabilities."""
    step = _due(state)
    if step is None:
        return ()
    verb, at = _VERB_OF[step.kind], step.argument or 0
    if step.kind in _PILE_OF:
        cards = mixes.outcomes(state.mixes, getattr(state, _PILE_OF[step.kind]))
    else:
        unseen = _cards_of(state, step)
        cards = tuple((card, unseen.count(card) / len(unseen)) for card in dict.fromkeys(unseen))
    return tuple([(made(verb, card, at), chance) for card, chance in cards])


def _due(state: State) -> Step | None:
    """The step that waits for a card, if there is one."""
    step = state.pending[0] if state.pending else open_step(state, (StepKind.DRAW,))
    return step if step is not None and step.kind in _VERB_OF else None


def _cards_of(state: State, step: Step) -> tuple[CardId, ...]:
    """The cards among which the next one is."""
    if step.kind is StepKind.DEAL_CANAL:
        return state.canal_groups[(step.argument - 1) // 2]
    if step.kind is StepKind.FLIP_HUT:
        return state.hut_cards
    pile: Slots = getattr(state, _PILE_OF[step.kind])
    if len(pile) == 1:
        return state.mixes[pile[0][0]]
    return tuple([card for mix, _ in pile for card in state.mixes[mix]])


def shuffle_due(state: State) -> bool:
    """Y-G5: a card is needed, Ready is empty and Exhausted is not."""
    return not state.ready and bool(state.exhausted) and open_step(state, _FROM_READY) is not None


def refuse_shuffle(_copy: Copy, state: State, _action: Action) -> Refusal | None:
    if shuffle_due(state):
        return None
    if state.ready:
        return no("Y-G5", "shuffle-early", cards=Message.of("yu.amount.card", n=_size(state)))
    return no("Y-G5", "shuffle-unneeded")


def do_shuffle(_copy: Copy, state: State, _action: Action) -> State:
    """Y-G5: Exhausted becomes the new Ready pile, and the Flood moves on."""
    new_mixes, ready = mixes.shuffled(state.mixes, state.exhausted)
    return advance_flood(state.but(mixes=new_mixes, ready=ready, exhausted=()))


def refuse_sight(_copy: Copy, state: State, action: Action) -> Refusal | None:
    """A card can be seen only where one is due, and only if it may lie there."""
    rule = _RULE_OF[action.verb]
    step = open_step(state, _STEP_OF[action.verb])
    if step is not None and state.phase is Phase.SETUP:
        rule = _SETUP_RULE_OF.get(step.kind, rule)
    if step is None:
        return no(rule, "no-card-due", verb=Message.of(f"yu.verb.{action.verb.value}"))
    if step.kind in _FROM_READY and not state.ready:
        return no("Y-G5", "shuffle-first")
    if step.argument is not None and step.argument != action.at:
        return no(rule, "other-space", space=step.argument, found=action.at)
    assert action.card is not None
    if not _may_be(state, step, action.card):
        return no("Y-S5" if action.verb is Verb.DEAL else "Y-C5", "card-elsewhere", card=action.card)
    return None


def _may_be(state: State, step: Step, card: CardId) -> bool:
    if step.kind is StepKind.DEAL_CANAL:
        return card == mixes.UNREAD or card in state.canal_groups[(step.argument - 1) // 2]
    if step.kind is StepKind.FLIP_HUT:
        return card == mixes.UNREAD or card in state.hut_cards
    if step.kind is StepKind.REVEAL_BARBARIAN:
        return mixes.possible(state.mixes, state.barbarian_draw, card)
    pile = state.ready if step.kind in _FROM_READY else state.draw
    return mixes.possible(state.mixes, pile, card)


def _size(state: State) -> int:
    return sum(places for _, places in state.ready)


def _without_draw(state: State, kind: StepKind) -> dict[str, object]:
    """The fields of the state once its open step is done."""
    if state.pending:
        return {"pending": state.pending[1:]}
    place = state.harvest.index(Step(kind))
    return {"harvest": state.harvest[:place] + state.harvest[place + 1 :]}


def do_draw(_copy: Copy, state: State, action: Action) -> State:
    assert action.card is not None
    new_mixes, ready, card = mixes.take(state.mixes, state.ready, action.card)
    return state.but(
        mixes=new_mixes,
        ready=ready,
        hand=tuple(sorted((*state.hand, card))),
        **_without_draw(state, StepKind.DRAW),
    )


def do_destroy(_copy: Copy, state: State, action: Action) -> State:
    """Y-G3: the top card of Ready goes to the Townsfolk Discard, never anywhere else."""
    assert action.card is not None
    new_mixes, ready, card = mixes.take(state.mixes, state.ready, action.card)
    return state.but(mixes=new_mixes, ready=ready, discard=(*state.discard, card), pending=state.pending[1:])


def do_draw_pile(_copy: Copy, state: State, action: Action) -> State:
    assert action.card is not None
    new_mixes, draw, card = mixes.take(state.mixes, state.draw, action.card)
    hand = tuple(sorted((*state.hand, card)))
    return state.but(mixes=new_mixes, draw=draw, hand=hand, pending=state.pending[1:])


def do_reveal(copy: Copy, state: State, action: Action) -> State:
    """Fills one row space; the seventh Barbarian ends the game at once (Y-R1)."""
    assert action.card is not None
    barbarian = state.pending[0].kind is StepKind.REVEAL_BARBARIAN
    pile = "barbarian_draw" if barbarian else "draw"
    letter = mixes.BARBARIAN if barbarian else mixes.TOWNSFOLK
    new_mixes, left, card = mixes.take(state.mixes, getattr(state, pile), action.card, letter)
    row = (*state.row[: action.at - 1], card, *state.row[action.at :])
    state = state.but(**{"mixes": new_mixes, "row": row, "pending": state.pending[1:], pile: left})
    if state.phase is not Phase.SETUP and len(barbarians_in_row(copy, row)) == ROW:
        return state.but(result=Result.BARBARIANS)
    return state


def do_deal(_copy: Copy, state: State, action: Action) -> State:
    """Y-S5: one Canal card of its group on its river space; the Barge comes onto the first (Y-S7)."""
    assert action.card is not None
    group = (action.at - 1) // 2
    left = _without_one(state.canal_groups[group], action.card)
    card = mixes.token(mixes.CANAL, group) if action.card == mixes.UNREAD else action.card
    return state.but(
        canal=(*state.canal[: action.at - 1], card, *state.canal[action.at :]),
        canal_groups=(*state.canal_groups[:group], left, *state.canal_groups[group + 1 :]),
        pending=state.pending[1:],
        barge=1,
    )


def do_flip(copy: Copy, state: State, action: Action) -> State:
    """Y-A11: the Hut card is turned over, resolved left to right, and put away."""
    assert action.card is not None
    card = mixes.token(mixes.HUT, 0) if action.card == mixes.UNREAD else action.card
    return state.but(
        hut_cards=_without_one(state.hut_cards, action.card),
        box=(*state.box, card),
        pending=copy.hut_of(action.card) + state.pending[1:],
    )


def _without_one(cards: tuple[CardId, ...], card: CardId) -> tuple[CardId, ...]:
    """An unread card may be any of them, so all stay possible."""
    if card not in cards:
        return cards
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
