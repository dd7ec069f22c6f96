"""A world of referees with one key: tables, a broker that delays and forgets, processes that die.

All of it runs on a clock that jumps (``tests/net/virtual.py``), and follows from one seed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

import rules
from net.link import topics
from net.link.channel import Channel
from net.link.memory import Hub, MemoryTransport
from net.link.transport import Transport, Will
from net.meeting.seating import room_of
from net.people.identity import Identity
from net.play import wire
from net.play.digest import digest, number
from net.play.peer import Peer
from net.play.replica import replica
from net.play.stream import Stream
from net.play.votes import VOTE
from net.play.wire import Refusal
from net.referee.claim import INSTANCE
from net.referee.record import Record
from net.referee.referee import Referee
from rules.bots import bot
from tests.net.virtual import Inline
from tests.sim.nodes import agreed

FASTEST, SLOWEST = 0.01, 0.3
"""Seconds that a message takes to the broker, or from there."""

THINK = 0.2, 1.0
"""Seconds that a player takes to choose."""


class Ears(Hub):
    """A hub that remembers all that was published in the rooms of tables."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[str, bytes]] = []

    def post(self, topic: str, payload: bytes, retain: bool) -> None:
        """Take a message."""
        if not retain:
            self.said.append((topic, payload))
        super().post(topic, payload, retain)


class Pipe:
    """One direction of a connection: what goes in comes out later, in order."""

    def __init__(self, source: Random) -> None:
        self._source = source
        self._ready = 0.0
        self._broken = 0

    def put(self, action: Callable[[], None]) -> None:
        """Do it when what was put before is done, unless it is broken by then."""
        loop, broken = asyncio.get_running_loop(), self._broken
        self._ready = max(self._ready, loop.time() + self._source.uniform(FASTEST, SLOWEST))
        loop.call_at(self._ready, lambda: action() if broken == self._broken else None)

    def stall(self, seconds: float) -> None:
        """Let nothing through for a while."""
        self._ready = max(self._ready, asyncio.get_running_loop().time() + seconds)

    async def empty(self) -> None:
        """Wait until all is out."""
        await asyncio.sleep(max(0.0, self._ready - asyncio.get_running_loop().time()))

    def burst(self) -> None:
        """What is inside is lost."""
        self._broken += 1


class Wire(MemoryTransport):
    """A connection that takes time, and can be stalled, cut and killed."""

    def __init__(self, hub: Hub, source: Random, will: Will | None = None) -> None:
        super().__init__(hub, will)
        self._dead = False
        self._out, self._in = Pipe(source), Pipe(source)

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Send it, soon."""
        if retain:
            # What is retained outlives the connection.
            self._mine[topic] = payload
        if self._hub.joined(self):
            self._out.put(lambda: self._publish(topic, payload, retain))

    def hear(self, topic: str, payload: bytes) -> None:
        """Take a message from the hub, soon."""
        self._in.put(lambda: super(Wire, self).hear(topic, payload))

    async def close(self) -> None:
        """Say goodbye, once all that was said is out."""
        if self._hub.joined(self):
            await self._out.empty()
        await super().close()

    def stall(self, seconds: float) -> None:
        """Nothing gets through for a while, and then all of it; nobody is told."""
        self._out.stall(seconds)
        self._in.stall(seconds)

    def lose(self) -> None:
        """The way is lost, with all that is on it."""
        self._out.burst()
        self._in.burst()
        if self._hub.joined(self):
            super().lose()

    def die(self) -> None:
        """The process is killed: it says nothing more and hears nothing more."""
        self._dead = True
        self.listen(lambda topic, payload: None, lambda up: None)
        self.lose()

    def regain(self) -> None:
        """The way is open again."""
        if not self._dead and not self._hub.joined(self):
            super().regain()

    def _publish(self, topic: str, payload: bytes, retain: bool) -> None:
        if self._hub.joined(self):
            super().publish(topic, payload, retain)


class Process:
    """A referee's process with a record of its own, which can be killed and started again."""

    def __init__(self, world: World, path: Path) -> None:
        self.lines: list[str] = []
        self.alive = False
        self.path = path
        self.room = room_of(world.identity.public)
        self._world = world

    async def start(self) -> None:
        """Start it, unless it runs."""
        if self.alive:
            return
        self.alive = True
        self._record = Record(self.path)
        self.referee = Referee(
            self._way,
            self._world.identity,
            self._record,
            self.lines.append,
            workers=self._world.workers,
            instance=self._world.source.randbytes(INSTANCE),
        )
        self._running = asyncio.create_task(self.referee.run())

    async def kill(self) -> None:
        """End it as kill -9 does: with no word, and no time to write anything down."""
        if self.alive:
            self.wire.die()
            self._record._waiting.clear()
            await self._end()

    async def terminate(self) -> None:
        """End it in peace; what it says last may still take its time."""
        if self.alive:
            await self._end()

    async def _end(self) -> None:
        self.alive = False
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        self._record.close()

    def told(self, event: str) -> list[str]:
        """The lines about ``event``."""
        quoted = f'"{event}"' if " " in event else event
        return [line for line in self.lines if f"event={quoted} " in f"{line} "]

    def speaks(self, table: bytes) -> bool:
        """Whether it takes itself for the one that speaks there."""
        now = asyncio.get_running_loop().time()
        return self.alive and self.referee.claims.speaks(table, now)

    def _way(self, will: Will) -> Transport:
        self.wire = Wire(self._world.hub, self._world.source, will)
        return self.wire


class World:
    """``processes`` referees and ``tables`` of ``seats`` bots, in ``folder``."""

    def __init__(
        self, seed: int, folder: Path, *, processes: int, tables: int = 1, seats: int = 3
    ) -> None:
        self.source = Random(seed)
        self.hub = Ears()
        self.workers = Inline()
        _, players = agreed(seed, seats, rules.load("gobelin"), referee=True)
        self.identity = Identity("Arbitre", players[-1].key)
        self.processes = [Process(self, folder / f"{at}.db") for at in range(processes)]
        self.tables = [Party(self, seed + at, seats) for at in range(tables)]

    def watch(self, seconds: float = 0.05) -> asyncio.Task[None]:
        """Look, all the time, that no two processes speak at one table."""

        async def looking() -> None:
            while True:
                for party in self.tables:
                    speakers = [process.speaks(party.table) for process in self.processes]
                    assert sum(speakers) <= 1
                await asyncio.sleep(seconds)

        return asyncio.create_task(looking())

    def regain(self) -> None:
        """All who are there are connected again."""
        for process in self.processes:
            if process.alive:
                process.wire.regain()
        for party in self.tables:
            for way in party.wires:
                way.regain()

    def speaker(self, party: Party) -> Process | None:
        """Who speaks at a table."""
        return next((p for p in self.processes if p.speaks(party.table)), None)

    async def close(self) -> None:
        """End all."""
        for process in self.processes:
            await process.kill()
        for party in self.tables:
            await party.close()


class Party:
    """One table: its bots, and what was said there."""

    def __init__(self, world: World, seed: int, seats: int) -> None:
        game = rules.load("gobelin")
        charter, self._players = agreed(seed, seats, game, limit=10, referee=True, escrow=True)
        # All tables have the same referee.
        self.charter = replace(charter, referee=world.identity.public)
        self.table = self.charter.table
        self.key = Random(seed).randbytes(16)
        self._world = world
        self.wires = [Wire(world.hub, world.source) for _ in range(seats)]
        self.peers: list[Peer] = []
        self.running: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """Let the bots play."""
        for at, way in enumerate(self.wires):
            table = replica(self.charter, self._players[at])
            public = self.charter.keys[at]
            channel = Channel(way, self.charter.room, public, self.key)
            peer = Peer(table, channel, workers=self._world.workers)
            self.peers.append(peer)
            self.running.append(asyncio.create_task(self._play(peer, at)))

    async def _play(self, peer: Peer, at: int) -> None:
        """Choose at random, after some thought, to the end."""
        choose = bot("random", Stream(b"bot", number(at), self.table))
        running = asyncio.create_task(peer.run())
        try:
            while not running.done():
                await asyncio.sleep(self._world.source.uniform(*THINK))
                if peer.moves():
                    peer.choose(choose(peer.game, peer.state, at, peer.sight))
            running.result()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    def over(self, at: int) -> bool:
        """Whether the game is over for this seat."""
        return self.running[at].done() or self.peers[at].table.over

    async def close(self) -> None:
        """Everybody leaves."""
        for task in self.running:
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)

    def votes(self) -> dict[tuple[int, bytes], set[tuple[int, ...]]]:
        """All histories of votes that were said in the referee's name, by place."""
        found: dict[tuple[int, bytes], set[tuple[int, ...]]] = {}
        for message in self._messages():
            if message.kind == VOTE and message.seat == len(self.charter.chairs):
                assert message.signed_by(self._world.identity.public)
                history = tuple(message.body())
                found.setdefault((message.step, message.prev), set()).add(history)
        return found

    def _messages(self) -> Iterator[wire.Message]:
        box = SecretBox(digest(b"farfadet sealed", self.key))
        for topic, payload in self._world.hub.said:
            address = topics.parse(topic)
            if address is None or address.room != self.charter.room:
                continue
            with suppress(CryptoError, Refusal):
                opened = box.decrypt(payload)
                said = [opened] if address.kind == "log" else wire.unpack(opened)
                for data in said if isinstance(said, list) else ():
                    if isinstance(data, bytes):
                        with suppress(Refusal):
                            yield wire.parse(data)
