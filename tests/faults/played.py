"""A program that others kill, stop and ask: a game on the virtual table with its record and its page.

It goes as fast as the machine lets it, but on the table's own clock: a busy machine plays the same game.
"""

import os
import sys
import tempfile
from pathlib import Path

from assistant.errors import FloodwatchError
from assistant.record.store import open_store
from assistant.web.app import create_app
from assistant.web.door import Pairing
from assistant.web.serve import hosts_of, serving
from tests.faults.program import Evening, Furniture

PORT = 18900
"""Or the next free one."""
REST_S = 1.5


def main(seed: int) -> None:
    with open_store(os.environ["FLOODWATCH_DATA"]) as store, tempfile.TemporaryDirectory() as folder:
        evening = Evening(Furniture(), store, Path(folder), seed)
        shared, pairing = evening.recorded.shared, Pairing(os.urandom(16))
        app = create_app(
            shared, pairing=pairing, hosts=hosts_of(lan=False), camera=shared.camera, records=store
        )
        with serving(app, PORT, lan=False) as served:
            print(f"{served.addresses[0]}#code={pairing.code}", flush=True)
            play(evening)


def play(evening: Evening) -> None:
    evening.rest_until_understood(20)
    while True:
        if not evening.move():
            evening.begin_anew()
        evening.rest_until_understood(20)
        evening.rest(REST_S)


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]))
    except FloodwatchError as problem:
        raise SystemExit(str(problem)) from problem
