"""What a process loads once, and plays once, before it starts the programs that tests kill."""

from tests.assistant import watch_until_killed
from tests.assistant.record import write_until_killed

watch_until_killed.moves()
write_until_killed.moves()
