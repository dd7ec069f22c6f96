"""What one referee process carries: 4-seat tables of bots over Mosquitto, with and without it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.meeting.room import Newcomer, Room, invite
from net.meeting.seating import Offer
from net.people.identity import Identity
from net.play.notices import Happened, Notice
from net.play.peer import Peer
from net.play.stream import Stream
from net.referee.calling import find_referee
from rules import load
from rules.bots import bot
from rules.game import Chosen
from tests.services import Mosquitto, find

SEATS = 4
MOST = 32
"""Most tables to try."""

PLAYING = 15.0
"""Seconds that the tables of one step play."""

THINK = 2.0
"""A bot chooses within this many seconds: faster than people do."""


class Clock:
    """Of each secret round at a table: the time from the last choice to the event, at the host.

    Nobody chooses until all tables are ready and the game is ``open``.
    """

    def __init__(self) -> None:
        self.rounds: list[float] = []
        self.ready = asyncio.Event()
        self._open = False
        self._chosen = 0.0
        self._players: list[Callable[[], None]] = []

    def chose(self) -> None:
        """Somebody has chosen."""
        self._chosen = time.perf_counter()

    def told(self, notice: Notice) -> None:
        """The host is told something."""
        event = notice.event if isinstance(notice, Happened) else None
        if isinstance(event, Chosen) and len(event.moves) == SEATS:
            self.rounds.append(1000 * (time.perf_counter() - self._chosen))

    def asked(self, play: Callable[[], None]) -> None:
        """Somebody is asked to choose: it is to ``play``, if it may."""
        if self._open:
            play()
        else:
            self._players.append(play)
            self.ready.set()

    def begin(self) -> None:
        """Let them choose."""
        self._open = True
        for play in self._players:
            play()


class Process:
    """A referee process on ``broker``, with all it has in ``folder``."""

    def __init__(self, broker: str, folder: Path) -> None:
        self.log = folder / "log"
        command = [sys.executable, "-m", "tui.cli", "referee", "--broker", broker]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--data", str(folder)],
                env={**os.environ, "FARFADET_HOME": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def told(self, event: str, times: int) -> None:
        """Wait until it has told so much."""
        while self.log.read_text().count(f"event={event}") < times:
            assert self._process.poll() is None, self.log.read_text()
            await asyncio.sleep(0.01)

    @property
    def memory(self) -> float:
        """Resident, in megabytes."""
        command = ["ps", "-o", "rss=", "-p", str(self._process.pid)]
        return int(subprocess.run(command, capture_output=True, check=True).stdout) / 1024

    def end(self, number: int) -> None:
        """Send it a signal and wait."""
        self._process.send_signal(number)
        self._process.wait()


@contextmanager
def referee(broker: str, folder: Path) -> Iterator[Process]:
    """A referee while the block lasts."""
    process = Process(broker, folder)
    try:
        yield process
    finally:
        process.end(signal.SIGTERM)


def seat(peer: Peer, clock: Clock, number: int) -> None:
    """Let a bot that takes its time play for ``peer``."""
    choose, pause = bot("random", Stream(b"bench", bytes([number % 256]))), Random(number)
    loop = asyncio.get_running_loop()
    asked = -1

    def play() -> None:
        if peer.moves():
            assert peer.me is not None
            clock.chose()
            peer.choose(choose(peer.game, peer.state, peer.me, peer.sight))

    def think() -> None:
        loop.call_later(pause.uniform(0, THINK), play)

    def told(_: Notice) -> None:
        nonlocal asked
        if peer.moves() and asked != peer.step:
            asked = peer.step
            clock.asked(think)

    peer.listen(told)


async def table(broker: Broker, number: int, key: bytes, clock: Clock) -> None:
    """One table, until it is over or cancelled."""
    offer = Offer(load("taverne"), SEATS, 3600, key, bool(key))
    host, *others = (Newcomer.fresh(Identity.fresh(str(at))) for at in range(SEATS))
    told = invite(host.key, broker.host, broker.port)

    async def sit(newcomer: Newcomer, at: int) -> None:
        hosting = offer if newcomer is host else None
        room = Room(MqttTransport(broker), told, newcomer, None, hosting)
        await room.open()
        peer = await room.wait()
        if hosting is not None:
            peer.listen(clock.told)
        seat(peer, clock, SEATS * number + at)
        await peer.run()

    await asyncio.gather(*(sit(newcomer, at) for at, newcomer in enumerate((host, *others))))


async def played(url: str, count: int, process: Process | None) -> float:
    """Milliseconds of the median secret round of ``count`` tables at once."""
    broker, key = Broker.parse(url), b""
    if process is not None:
        await process.told("serving", 1)
        found = await find_referee(MqttTransport(broker))
        assert found is not None
        key = found.key
    clocks = [Clock() for _ in range(count)]
    running = [
        asyncio.create_task(table(broker, number, key, clock))
        for number, clock in enumerate(clocks)
    ]
    try:
        await asyncio.gather(*(clock.ready.wait() for clock in clocks))
        if process is not None:
            await process.told('"table opened"', count)
        for clock in clocks:
            clock.begin()
        await asyncio.sleep(PLAYING)
    finally:
        # One after the other: to say goodbye all at once takes longer than a goodbye may.
        for task in running:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
    return median(found for clock in clocks for found in clock.rounds)


async def step(url: str, count: int) -> dict[str, float]:
    """One number of tables: rounds with and without a referee, what it takes, how it comes back."""
    without = await played(url, count, None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with referee(url, folder) as process:
            await process.told("serving", 1)
            empty = process.memory
            watched = await played(url, count, process)
            grown = process.memory - empty
            process.end(signal.SIGKILL)
        process.log.unlink()
        begin = time.perf_counter()
        with referee(url, folder) as again:
            await again.told("serving", 1)
            started = time.perf_counter() - begin
            await again.told('"table resumed"', count)
            back = time.perf_counter() - begin
    return {
        "tables": count,
        "round_without_ms": round(without, 2),
        "round_ms": round(watched, 2),
        "memory_a_table_mb": round(grown / count, 2),
        "start_s": round(started, 2),
        "all_tables_back_s": round(back, 2),
    }


async def figures() -> dict[str, Any]:
    """Steps of 1, 2, 4, ... tables until the median round takes twice as long with a referee."""
    if find("mosquitto") is None:
        return {"missing": "mosquitto"}
    steps: list[dict[str, float]] = []
    async with AsyncExitStack() as stack:
        service = Mosquitto(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        await service.start()
        stack.push_async_callback(service.stop)
        count = 1
        while count <= MOST:
            steps.append(await step(service.url, count))
            if steps[-1]["round_ms"] >= 2 * steps[-1]["round_without_ms"]:
                break
            count *= 2
    carried = [
        found["tables"] for found in steps if found["round_ms"] < 2 * found["round_without_ms"]
    ]
    return {"tables_carried": max(carried, default=0), "steps": steps}
