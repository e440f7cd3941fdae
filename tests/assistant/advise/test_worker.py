"""The advisor's process takes the newest question, whenever it comes."""

import io
import threading

from assistant.advise.worker import Slot, answer
from tests.assistant.table import Table, yu


class Asking(io.StringIO):
    """Whoever reads an answer asks the next question at once."""

    def __init__(self, slot: Slot) -> None:
        super().__init__()
        self._slot = slot

    def flush(self) -> None:
        self._slot.put({"id": 2})


def test_a_question_right_after_an_answer_ends_the_thoughts_about_the_one_before() -> None:
    slot = Slot()
    out = Asking(slot)
    request = {"id": 1, "state": yu().encode(Table.after(23).state)}
    thinking = threading.Thread(target=answer, args=(yu(), request, slot, out), daemon=True)
    thinking.start()
    thinking.join(20)
    assert not thinking.is_alive(), "it would think about the old question for ever"
    assert len(out.getvalue().splitlines()) == 1
    assert slot.take() == {"id": 2}
