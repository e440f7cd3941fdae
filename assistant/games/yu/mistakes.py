"""What people get wrong: each rule that could have been broken just now, with the table it leaves behind.

The list follows the forgettable steps of the rules (Flood and shuffles, destroyed cards, Harvest, payments,
Canal and Barge, bribes, new Barbarians, the row, sites, the hand, tucked cards, pieces). A mistake is made
out of a legal action where possible: the same move with a gift that is taken away again afterwards.
"""

from collections.abc import Iterable, Iterator

from assistant.facedown import Cards
from assistant.games.yu import luck, mixes, rules
from assistant.games.yu.actions import Action, Verb
from assistant.games.yu.copy import Copy
from assistant.games.yu.judge import amount
from assistant.games.yu.luck import shuffle_due
from assistant.games.yu.pieces import PIECES
from assistant.games.yu.resolve import barbarians_in_row, left_most, row_with_room, settle, steps_of_refresh
from assistant.games.yu.state import OFF_BOARD, ROW, SECTIONS, Phase, State, Step, StepKind
from assistant.games.yu.unpaid import forgotten_gains, unpaid_moves
from assistant.games.yu.words import listed
from assistant.kit import Message, Mistake, Severity, Value
from vision.cards import CardId
from vision.table import ZoneId

Mistakes = Iterator[Mistake[State]]


def mistakes(copy: Copy, state: State) -> tuple[Mistake[State], ...]:
    if state.result is not None or state.phase is Phase.SETUP:
        return ()
    found = (
        *_flood(state),
        *_destroyed(copy, state),
        *_harvest_left(copy, state),
        *unpaid_moves(copy, state),
        *forgotten_gains(copy, state),
        *_second_canal(copy, state),
        *_barge_left(copy, state),
        *_bribed_removed(copy, state),
        *_wrong_number(copy, state),
        *_row_slid(copy, state),
        *_wrong_pile(copy, state),
        *_hand_kept(copy, state),
        *_tucked_moved(state),
        *_pieces(state),
        *_not_resolved(copy, state),
    )
    return found


def _mistake(
    rule: str,
    key: str,
    state: State,
    *zones: str,
    doubt: float = 0.0,
    severity: Severity = Severity.VIOLATION,
    **values: Value,
) -> Mistake[State]:
    return Mistake(
        rule=rule,
        message=Message.of(f"yu.mistake.{key}", **values),
        state=state,
        zones=tuple(ZoneId(zone) for zone in zones),
        doubt=doubt,
        severity=severity,
    )


def _flood(state: State) -> Mistakes:
    """Y-G5, Y-G8: the Flood moves with the shuffle of Exhausted, never otherwise and never without."""
    if shuffle_due(state):
        new_mixes, ready = mixes.shuffled(state.mixes, state.exhausted)
        still = state.but(mixes=new_mixes, ready=ready, exhausted=())
        yield _mistake("Y-G5", "flood-forgotten", still, f"river-{min(6, state.flood)}")
    elif not state.ready and state.exhausted:
        new_mixes, ready = mixes.shuffled(state.mixes, state.exhausted)
        early = state.but(mixes=new_mixes, ready=ready, exhausted=(), flood=state.flood + 1)
        yield _mistake("Y-G5", "shuffle-early", early, "ready", "exhausted")
    if state.flood < SECTIONS:
        moved = state.but(flood=state.flood + 1)
        from_draw = not state.discard and state.phase in (Phase.REFRESH, Phase.HARVEST)
        rule, key = ("Y-G8", "flood-with-draw-pile") if from_draw else ("Y-G5", "flood-early")
        yield _mistake(rule, key, moved, f"river-{moved.flood}")


def _destroyed(copy: Copy, state: State) -> Mistakes:
    """Y-G3: destroyed is the top card of Ready, and it goes to the Townsfolk Discard."""
    if not (state.pending and state.pending[0].kind is StepKind.DESTROY):
        return
    if state.ready:
        # the step alone, without what follows by itself: a Refresh would discard other cards
        after = luck.do_destroy(copy, state, Action(Verb.DESTROY, mixes.UNREAD))
        wrong = after.but(discard=state.discard, exhausted=(*state.exhausted, after.discard[-1]))
        yield _mistake("Y-G3", "destroyed-on-exhausted", settle(copy, wrong), "exhausted", "discard")
    for card in dict.fromkeys(state.hand):
        hand = _without(state.hand, card)
        gone = state.but(hand=hand, discard=(*state.discard, card), pending=state.pending[1:])
        yield _mistake("Y-G3", "destroyed-from-hand", settle(copy, gone), "hand", "ready")


def _harvest_left(copy: Copy, state: State) -> Mistakes:
    """Y-H1, Y-H2, Y-G4: the Harvest was left, or part of it, before all of it was taken."""
    left = state.harvest
    if state.phase is not Phase.HARVEST or state.pending or not left:
        return
    if Step(StepKind.RETURN) in left:
        rest = tuple(step for step in left if step.kind is not StepKind.RETURN)
        yield _mistake("Y-H2", "workers-left", settle(copy, state.but(harvest=rest)), *_circles(state))
        yield _mistake(
            "Y-H2", "workers-to-main", settle(copy, _returned_wrongly(state, rest)), *_circles(state)
        )
    for step in dict.fromkeys(left):
        if step.kind in (StepKind.GAIN, StepKind.CHOOSE):
            rest = tuple(other for other in left if other != step)
            missed = _said((step,) * left.count(step))
            yield _mistake(
                "Y-H1", "harvest-missed", settle(copy, state.but(harvest=rest)), "supply", what=missed
            )
    draws = sum(step.kind is StepKind.DRAW for step in left)
    if draws:
        rest = tuple(step for step in left if step.kind is not StepKind.DRAW)
        cards = Message.of("yu.amount.draw", n=draws)
        yield _mistake("Y-G4", "harvest-missed", settle(copy, state.but(harvest=rest)), "hand", what=cards)
    if len(set(left)) > 1:
        rule = "Y-H2" if Step(StepKind.RETURN) in left else "Y-H1"
        gone = settle(copy, state.but(harvest=()))
        yield _mistake(rule, "harvest-missed", gone, "supply", what=_said(left), doubt=1.0)


def _returned_wrongly(state: State, rest: tuple[Step, ...]) -> State:
    main = list(state.main)
    for worker in state.circles:
        if worker is not None:
            main[worker] += 1
    return state.but(harvest=rest, circles=(None,) * len(state.circles), main=tuple(main))


def _circles(state: State) -> list[str]:
    return [f"circle-{number}" for number, worker in enumerate(state.circles, 1) if worker is not None]


def _said(steps: Iterable[Step]) -> Message:
    """What these steps would have given, in words."""
    counts: dict[Message, int] = {}
    for step in steps:
        key = PIECES[step.argument] if step.kind is StepKind.GAIN else _STEP_WORDS.get(step.kind)
        if step.kind is StepKind.CHOOSE:
            key = (
                "clay-or-wood"
                if len(step.argument) == 2
                else "coloured"
                if len(step.argument) == 4
                else "any"
            )
        name = Message.of("yu.step.return") if key is None else Message.of(f"yu.amount.{key}", n=0)
        counts[name] = counts.get(name, 0) + 1
    return listed([name if not name.values else Message.of(name.key, n=n) for name, n in counts.items()])


_STEP_WORDS = {
    StepKind.DRAW: "draw",
    StepKind.DRAW_PILE: "draw-pile",
    StepKind.DESTROY: "destroy",
    StepKind.EXHAUST: "exhaust",
    StepKind.REVEAL_BARBARIAN: "barbarian",
}


def _second_canal(copy: Copy, state: State) -> Mistakes:
    """Y-A5: one section a round."""
    if state.phase is not Phase.ACTIONS or state.pending or not state.built_this_round:
        return
    left = left_most(state)
    if left is None or state.barge != OFF_BOARD:
        return
    with_barge = state.but(barge=left)
    for action in rules.legal_actions(copy, with_barge):
        if action.verb is Verb.CANAL:
            after = rules.apply(copy, with_barge, action)
            yield _mistake("Y-A5", "second-canal", after, f"canal-{left}", space=left)


def _barge_left(copy: Copy, state: State) -> Mistakes:
    """Y-B1: the Barge goes back before the attacks."""
    if state.phase is Phase.RETURN_BARGE and state.barge == OFF_BOARD and not state.pending:
        attackers = tuple(barbarians_in_row(copy, state.row))
        gone_on = settle(copy, state.but(phase=Phase.ATTACKS, attackers=attackers))
        yield _mistake("Y-B1", "barge-left", gone_on, "barge-rest", space=left_most(state) or 0)


def _bribed_removed(copy: Copy, state: State) -> Mistakes:
    """Y-P2: a bribed Barbarian, or one that did its damage, stays in the row."""
    if state.phase is not Phase.ATTACKS or state.pending:
        return
    for action in rules.legal_actions(copy, state):
        if action.verb is Verb.BRIBE:
            # With somebody else still to attack, nothing slides before the card is taken away.
            waiting = state.but(attackers=(*state.attackers, 0))
            paid = rules.apply(copy, waiting, action)
            card = paid.row[action.at - 1]
            assert card is not None
            gone = paid.but(
                row=(*paid.row[: action.at - 1], None, *paid.row[action.at :]),
                barbarian_discard=(*paid.barbarian_discard, card),
                attackers=paid.attackers[:-1],
            )
            yield _mistake("Y-P2", "bribed-removed", settle(copy, gone), f"row-{action.at}", space=action.at)


def _wrong_number(copy: Copy, state: State) -> Mistakes:
    """Y-R2: as many new Barbarians as the tags say that can be seen now."""
    if state.phase is not Phase.REFRESH:
        return
    due = sum(step.kind is StepKind.REVEAL_BARBARIAN for step in state.pending)
    fresh = bool(due) and state.pending[0] == Step(StepKind.REVEAL_BARBARIAN, ROW)
    others = {due - 1, due + 1} if fresh else {0} if due else set()
    room = ROW - len(barbarians_in_row(copy, state.row))
    for number in sorted(others):
        if 0 <= number <= room:
            row, gone = row_with_room(copy, state.row, number)
            wrong = state.but(row=row, discard=state.discard + gone, pending=steps_of_refresh(row, number))
            yield _mistake("Y-R2", "wrong-number", settle(copy, wrong), "row-7", due=due, found=number)


def _row_slid(copy: Copy, state: State) -> Mistakes:
    """Y-A14: nothing slides before the Refresh."""
    if state.phase is not Phase.ACTIONS:
        return
    row, _ = row_with_room(copy, state.row, 0)
    if row != state.row:
        moved = [f"row-{n}" for n, (old, new) in enumerate(zip(state.row, row, strict=True), 1) if old != new]
        yield _mistake("Y-A14", "row-slid", state.but(row=row), *moved)


def _wrong_pile(copy: Copy, state: State) -> Mistakes:
    """Y-A2, Y-A8: who takes the gains of a discarded or dismissed card puts it on the Discard.

    The other way round, a played or recruited card on the Discard, looks like a gain not taken.
    """
    if state.phase is not Phase.ACTIONS or state.pending:
        return
    for action in rules.legal_actions(copy, state):
        if action.verb is Verb.DISCARD and action.card is not None:
            person = copy.townsfolk_of(action.card)
            rule, gains = "Y-A2", person.both[len(person.brown) :]
        elif action.verb is Verb.DISMISS:
            rule, gains = "Y-A8", copy.townsfolk_of(state.row[action.at - 1] or mixes.UNREAD).brown
        else:
            continue
        after = rules.apply(copy, state, action)
        if after.discard and not after.pending and any(step.kind is StepKind.GAIN for step in gains):
            card = after.discard[-1]
            wrong = after.but(discard=after.discard[:-1], exhausted=(*after.exhausted, card))
            right = Message.of("yu.word.discard")
            yield _mistake(rule, "wrong-pile", wrong, "exhausted", "discard", card=card, right=right)


def _hand_kept(copy: Copy, state: State) -> Mistakes:
    """The actions end with an empty hand."""
    if state.phase is Phase.ACTIONS and not state.pending and state.hand:
        cards = Message.of("yu.amount.card", n=len(state.hand))
        ended = settle(copy, state.but(phase=Phase.RETURN_BARGE))
        yield _mistake("Y-A1", "hand-kept", ended, "hand", cards=cards)


def _tucked_moved(state: State) -> Mistakes:
    """Y-A3: a tucked card stays where it is all game."""
    for slot, card in enumerate(state.tucked, 1):
        if card is None:
            continue
        zone = f"tuck-{slot}"
        taken = state.but(tucked=_slot(state, slot, None))
        back = taken.but(hand=tuple(sorted((*state.hand, card))))
        yield _mistake("Y-A3", "tucked-taken", back, zone, slot=slot)
        for pile in ("exhausted", "discard"):
            moved = taken.but(**{pile: (*getattr(state, pile), card)})
            yield _mistake("Y-A3", "tucked-taken", moved, zone, slot=slot)
        for other in dict.fromkeys(state.hand):
            swapped = state.but(tucked=_slot(state, slot, other), hand=_without(state.hand, other))
            for pile in ("exhausted", "discard"):
                replaced = swapped.but(**{pile: (*getattr(state, pile), card)})
                yield _mistake("Y-A3", "tucked-replaced", replaced, zone, slot=slot)
            hand = tuple(sorted((*swapped.hand, card)))
            yield _mistake("Y-A3", "tucked-replaced", swapped.but(hand=hand), zone, slot=slot)


def _slot(state: State, slot: int, card: CardId | None) -> tuple[CardId | None, ...]:
    return (*state.tucked[: slot - 1], card, *state.tucked[slot:])


def _without(cards: Cards, card: CardId) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _pieces(state: State) -> Mistakes:
    """Y-G9: pieces taken that nothing gives, or given back although nothing asked for them."""
    rule = "Y-H1" if state.phase is Phase.HARVEST else "Y-G9"
    for piece in range(len(PIECES)):
        owed = sum(_gives(step, piece) for step in (*state.pending, *state.harvest))
        for number in (1, 2):
            if state.main[piece] >= number > owed:
                more = _moved_pieces(state, piece, number)
                what = amount(piece, number)
                yield _mistake(rule, "piece-too-many", more, "supply", what=what, doubt=number - 1.0)
        if state.supply[piece]:
            yield _mistake(
                "Y-C4",
                "piece-too-few",
                _moved_pieces(state, piece, -1),
                "supply",
                what=amount(piece, 1),
                doubt=4.0,
                severity=Severity.NOTE,
            )


def _gives(step: Step, piece: int) -> bool:
    if step.kind is StepKind.GAIN:
        return bool(step.argument == piece)
    return step.kind is StepKind.CHOOSE and piece in step.argument


def _moved_pieces(state: State, piece: int, number: int) -> State:
    supply, main = list(state.supply), list(state.main)
    supply[piece] += number
    main[piece] -= number
    return state.but(supply=tuple(supply), main=tuple(main))


def _not_resolved(copy: Copy, state: State) -> Mistakes:
    """Something that was due was passed over, and the game went on."""
    if not state.pending or state.pending[0].kind is StepKind.STORY:
        return
    step = state.pending[0]
    rule = {StepKind.DRAW: "Y-G4", StepKind.DESTROY: "Y-G3", StepKind.FLIP_HUT: "Y-A11"}.get(
        step.kind, "Y-G7"
    )
    same = 0
    while same < len(state.pending) and state.pending[same].kind is step.kind:
        same += 1
    what = Message.of(f"yu.step.{step.kind.value}")
    for number in sorted({1, same}):
        passed = settle(copy, state.but(pending=state.pending[number:]))
        yield _mistake(rule, "not-resolved", passed, what=what, doubt=5.0)
