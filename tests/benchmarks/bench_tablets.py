"""What eight tablets cost: processor time of the server, and how soon a change is on their screens' line."""

import asyncio
import json
import statistics
import time

import websockets

from assistant.discover import default_game, kit_named
from assistant.robot import Robot
from assistant.web.app import create_app
from assistant.web.door import COOKIE, Pairing
from assistant.web.serve import Server, free_socket

TABLETS = 8
CHANGES = 60
PAUSE_SECONDS = 0.25
"""Four changes a second: more than any player makes."""


async def listen(address: str, cookie: str, heard: dict[int, list[float]], ready: asyncio.Event) -> None:
    headers = {"Cookie": f"{COOKIE}={cookie}"}
    async with websockets.connect(address, additional_headers=headers) as socket:
        async for text in socket:
            message = json.loads(text)
            heard.setdefault(message.get("number", -1), []).append(time.perf_counter())
            ready.set()


async def measure(robot: Robot, address: str, cookie: str) -> tuple[list[float], float, float]:
    heard: dict[int, list[float]] = {}
    ready = [asyncio.Event() for _ in range(TABLETS)]
    tablets = [asyncio.create_task(listen(address, cookie, heard, event)) for event in ready]
    await asyncio.gather(*(event.wait() for event in ready))
    begun, used = time.perf_counter(), time.process_time()
    sent = {}
    for _ in range(CHANGES):
        robot.skip(1)
        sent[robot.snapshot().number] = time.perf_counter()
        await asyncio.sleep(PAUSE_SECONDS)
    wall, cpu = time.perf_counter() - begun, time.process_time() - used
    for tablet in tablets:
        tablet.cancel()
    await asyncio.gather(*tablets, return_exceptions=True)
    delays = [at - sent[number] for number, times in heard.items() if number in sent for at in times]
    return delays, cpu, wall


def eight_tablets() -> tuple[list[float], float]:
    """Seconds until each tablet heard of each change, and the share of one core, listeners included."""
    robot = Robot(kit_named(default_game()), seed=3, pace=0.0, clock=time.time)
    robot.skip(20)
    pairing = Pairing(b"a secret for the benchmark")
    cookie = pairing.admit(pairing.code, "bench")
    assert cookie is not None
    with (
        free_socket(18570, lan=False) as (listener, port),
        Server(create_app(robot, pairing=pairing), listener),
    ):
        delays, cpu, wall = asyncio.run(measure(robot, f"ws://localhost:{port}/api/live", cookie))
    return delays, cpu / wall


def main() -> None:
    delays, share = eight_tablets()
    print(
        f"{TABLETS} tablets, {CHANGES} changes: {share:.1%} of one core (the listeners included), "
        f"a change arrives after {statistics.median(delays) * 1000:.0f} ms, "
        f"{len(delays)} of {TABLETS * CHANGES} snapshots heard, the slowest after {max(delays) * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
