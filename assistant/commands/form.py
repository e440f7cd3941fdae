"""The form of a card in the terminal: shown as it was read, confirmed by Enter, corrected field by field."""

import re
from dataclasses import replace
from enum import Enum

from rich.markup import escape

from assistant.commands.terminal import Terminal
from calibration.enrol import Form
from vision.cards import CardFacts, CardField, CardId, CardPack, Source, parse_items
from vision.errors import PackError
from vision.pack import PackRules, format_pack, parse_pack

_ID = re.compile(r"(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*")


class Leave(Enum):
    """How a form may be left without a card."""

    SKIP = "s"
    END = "q"


def asked(terminal: Terminal, form: Form, rules: PackRules) -> CardFacts | Leave:
    """The card as the player leaves it."""
    facts = form.confirmed()
    while True:
        terminal.out.print(f"[bold]{escape(facts.id)}[/]  {escape(_line(facts))}")
        if form.unsure:
            terminal.out.print(
                escape(terminal.say("enrol.unsure", fields=", ".join(form.unsure))), style="yellow"
            )
        terminal.remarks.print(terminal.say("enrol.prompt"), style="dim", soft_wrap=True)
        try:
            answer = terminal.out.input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            return Leave.END
        if not answer:
            return facts
        if answer in (Leave.SKIP.value, Leave.END.value):
            return Leave(answer)
        changed = corrected(facts, answer, rules)
        if isinstance(changed, str):
            problem = changed or terminal.say("calibrate.unknown-answer", answer=answer)
            terminal.out.print(escape(problem), style="yellow")
        else:
            facts = changed


def corrected(facts: CardFacts, answer: str, rules: PackRules) -> CardFacts | str:
    """`red = wood`, `stone = 12` or `id = elder-2`; else why not, and empty where it means nothing."""
    name, equals, value = (part.strip() for part in answer.partition("="))
    known = rules.kinds.get(facts.kind)
    if not equals:
        return ""
    if name == "stone":
        if not (value.isascii() and value.isdigit()):
            return ""
        changed = replace(facts, stone=int(value[:6]))
    elif name == "id":
        slug = value.lower().replace(" ", "-")
        if not _ID.fullmatch(slug):
            return ""
        changed = replace(facts, id=CardId(slug))
    elif known is not None and name in known.fields:
        try:
            items = parse_items(value)
        except ValueError as problem:
            return str(problem)
        values = {part.name: part for part in facts.fields}
        values[name] = CardField(name=name, items=items, source=Source.CONFIRMED)
        changed = replace(facts, fields=tuple(values.values()))
    else:
        return ""
    return _problem(changed, rules) or changed


def _problem(facts: CardFacts, rules: PackRules) -> str:
    """Why no pack could hold this card; empty where one can."""
    try:
        parse_pack(format_pack(CardPack(game=rules.game, name="form", cards=(facts,))), rules, origin="")
    except PackError as problem:
        # Which line of a pack it would be says nothing to who fills in a form.
        return "\n".join(line.partition(": ")[2] or line for line in problem.problems)
    return ""


def _line(facts: CardFacts) -> str:
    parts = [
        f"{part.name}: {'?' if part.items is None else ' '.join(map(str, part.items)) or '–'}"
        for part in facts.fields
    ]
    stone = "?" if facts.stone is None else str(facts.stone)
    return " · ".join((facts.kind, *parts, f"stone {stone}"))
