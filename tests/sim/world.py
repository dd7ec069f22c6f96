"""A simulated world: replicas of one table, a network that misbehaves, one clock, one seed.

Nothing here waits or runs in parallel: events are taken from a heap in the order of their times,
so a world is a pure function of its arguments, and a failure is replayed from its seed.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random

import rules
from net.play import wire
from net.play.digest import number
from net.play.peer import LINGER
from net.play.stream import Stream
from rules.bots import bot
from rules.form import fingerprint
from rules.game import Seat
from tests.sim.nodes import Node, agreed

TICK = 0.25
THINK = 0.4
"""A player chooses within this many seconds."""

STORMS_EVERY = 5.0
"""Seconds between two looks at whether the network falls apart."""

CLEARS = 1500.0
"""Seconds after which the weather is calm for good, so that whatever can end does."""

LIMIT = 10
"""Seconds of patience in worlds that have a limit."""


@dataclass(frozen=True)
class Weather:
    """How the world misbehaves: chances from 0 to 1, delays in seconds.

    ``crash`` is the chance that a process dies when a message reaches it; it stays ``down`` for at
    most that many seconds. ``part`` is the chance that, in five seconds, the network falls apart
    into two; ``apart`` is for how long at most.
    """

    drop: float = 0.0
    duplicate: float = 0.0
    alter: float = 0.0
    replay: float = 0.0
    crash: float = 0.0
    down: float = 0.0
    part: float = 0.0
    apart: float = 0.0
    fastest: float = 0.005
    slowest: float = 0.02


CALM = Weather()
STORM = Weather(drop=0.15, duplicate=0.15, fastest=0.001, slowest=0.8)
CRASHES = Weather(drop=0.05, crash=0.01, slowest=0.2)
HOSTILE = Weather(drop=0.05, duplicate=0.1, alter=0.15, replay=0.3, slowest=0.3)
ABSENCES = Weather(drop=0.05, crash=0.002, down=60.0, part=0.1, apart=40.0, slowest=0.3)

Tamper = Callable[["World", Seat, wire.Message], dict[Seat, list[bytes]] | None]
"""What a cheating seat sends to each other seat in place of its message (``None``: the message)."""


class World:
    """``seats`` replicas of one table, its bots, and the network between them.

    ``limit`` and ``escrow`` are the charter's; a ``referee`` and ``spectators`` are nodes after the
    seats'. The seats in ``leavers`` leave for good, some time after the game has begun.
    """

    def __init__(
        self,
        seed: int,
        seats: int,
        weather: Weather = CALM,
        game: str = "taverne",
        tampers: dict[Seat, Tamper] | None = None,
        levels: Sequence[str] = ("random",),
        *,
        limit: int = 0,
        referee: bool = False,
        escrow: bool = False,
        spectators: int = 0,
        leavers: Sequence[Seat] = (),
        names: Sequence[str] = (),
    ) -> None:
        self.seed = seed
        self.source = Random(seed)
        self.weather = weather
        self.tampers = tampers or {}
        self.now = 0.0
        self.delivered = 0
        self.faults: Counter[str] = Counter()
        self.cut: set[Seat] = set()
        """Nodes of whom nothing arrives anywhere any more."""
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._seen: list[bytes] = []
        self._all_over: float | None = None
        """Since when all have come to an end."""
        loaded = rules.load(game)
        self.charter, self.players = agreed(
            seed, seats, loaded, limit=limit, referee=referee, escrow=escrow, names=names
        )
        self.nodes = [Node(self.charter, player) for player in self.players]
        self.choosers = [
            bot(levels[seat % len(levels)], Stream(b"bot", number(seed), number(seat)))
            for seat in range(seats)
        ]
        self._strict = not (limit or leavers or weather.part or weather.down)
        self._thinking: set[Seat] = set()
        self.sides: set[Seat] = set()
        """The nodes of one part, when the network has fallen apart."""
        for at in range(len(self.nodes)):
            self._settle(at)
            self._later(self.source.uniform(0, TICK), partial(self._tick, at))
        for _ in range(spectators):
            self._later(self.source.uniform(0, 30.0), self._look_on)
        for seat in leavers:
            self._later(self.source.uniform(0.1, 6.0), partial(self.leave, seat))
        if weather.part:
            self._later(STORMS_EVERY, self._storm)
        self._later(CLEARS, self._clear)

    # What happens to processes and to the network.

    def crash(self, at: Seat) -> None:
        """A process dies, perhaps with the whole machine, and is started again."""
        self.faults["crash"] += 1
        node = self.nodes[at]
        node.die(self.source)
        if self.weather.down:
            self._later(self.source.uniform(0, self.weather.down), partial(self._restart, at))
        else:
            self._restart(at)

    def leave(self, at: Seat) -> None:
        """A process dies for good."""
        self.faults["leave"] += 1
        self.nodes[at].alive = False
        self.cut.add(at)

    def _restart(self, at: Seat) -> None:
        node = self.nodes[at]
        if at not in self.cut:
            node.alive = True
            node.start()
            self._settle(at)

    def _look_on(self) -> None:
        self.nodes.append(Node(self.charter, None))
        self._tick(len(self.nodes) - 1)

    def _storm(self) -> None:
        if not self.sides and self.source.random() < self.weather.part:
            self.faults["part"] += 1
            some = self.source.randint(1, len(self.nodes) - 1)
            self.sides = set(self.source.sample(range(len(self.nodes)), some))
            self._later(self.source.uniform(1.0, self.weather.apart), self.sides.clear)
        self._later(STORMS_EVERY, self._storm)

    def _clear(self) -> None:
        self.weather = CALM
        self.sides.clear()

    # Running it.

    def run(self, limit: float = 900.0) -> None:
        """Let time pass until every honest seat is done, somebody is convicted, or ``limit``."""
        while self._heap and self.now < limit and not self.done:
            self.now, _, action = heapq.heappop(self._heap)
            action()

    @property
    def honest(self) -> list[Node]:
        """The replicas of those who do not cheat and have not left."""
        return [
            node
            for at, node in enumerate(self.nodes)
            if at not in self.tampers and at not in self.cut
        ]

    @property
    def done(self) -> bool:
        """Whether every honest replica has come to an end, and to the same one.

        Whoever has seen another end hears better while the others linger, as peers do.
        """
        tables = [node.table for node in self.honest]
        if not all(table.over or table.blame for table in tables):
            self._all_over = None
            return False
        if self._all_over is None:
            self._all_over = self.now
        same = len({table.transcript.head for table in tables}) == 1
        return same or self.now - self._all_over > LINGER

    def send(self, kind: str, payload: bytes, to: Seat) -> None:
        """Put ``payload`` on the network; what becomes of it is the weather's choice."""
        weather, source = self.weather, self.source
        self._seen.append(payload)
        if source.random() < weather.drop:
            self.faults["drop"] += 1
            return
        copies = 1
        if source.random() < weather.duplicate:
            self.faults["duplicate"] += 1
            copies = 2
        for _ in range(copies):
            self._carry(kind, payload, to)
        if source.random() < weather.alter:
            self.faults["alter"] += 1
            at, bit = source.randrange(len(payload)), 1 << source.randrange(8)
            altered = payload[:at] + bytes([payload[at] ^ bit]) + payload[at + 1 :]
            self._carry(kind, altered, to)
        if source.random() < weather.replay:
            self.faults["replay"] += 1
            self._carry(source.choice(("log", "sync")), source.choice(self._seen), to)

    def _carry(self, kind: str, payload: bytes, to: Seat) -> None:
        delay = self.source.uniform(self.weather.fastest, self.weather.slowest)
        self._later(delay, partial(self._deliver, kind, payload, to))

    def _deliver(self, kind: str, payload: bytes, to: Seat) -> None:
        node = self.nodes[to]
        if not node.alive:
            return
        self.delivered += 1
        if self.source.random() < self.weather.crash and to not in self.tampers:
            self.crash(to)
            if not self.nodes[to].alive:
                return
        if kind == "log":
            node.table.receive(payload)
        else:
            for answer in node.sync.receive(payload, self.now):
                self._publish("sync", answer, to)
        self._settle(to)

    def _tick(self, at: Seat) -> None:
        node = self.nodes[at]
        if node.alive:
            if node.table.owing & node.sync.away(self.now):
                node.patience.go_on()
            for payload in node.tick(self.now):
                self._publish("sync", payload, at)
            self._settle(at)
        if at not in self.cut:
            self._later(TICK, partial(self._tick, at))

    def _publish(self, kind: str, payload: bytes, sender: Seat) -> None:
        if sender in self.cut:
            return
        for at in range(len(self.nodes)):
            if at != sender and (at in self.sides) == (sender in self.sides):
                self.send(kind, payload, at)

    def _settle(self, at: Seat) -> None:
        """Let a replica finish all it can do at this moment."""
        node = self.nodes[at]
        table = node.table
        while table.jobs or table.outbox:
            table.work()
            while table.outbox:
                self._say(at, table.outbox.popleft())
        while table.notices:
            node.patience.told(table.notices.popleft())
        self._note(at)
        if table.moves() and at not in self._thinking:
            self._thinking.add(at)
            self._later(self.source.uniform(0, THINK), partial(self._choose, at))

    def _say(self, at: Seat, data: bytes) -> None:
        tamper = self.tampers.get(at)
        message = wire.parse(data)
        instead = tamper(self, at, message) if tamper and message.seat == at else None
        if instead is None:
            self._publish("log", data, at)
            return
        for to, payloads in instead.items():
            for payload in payloads:
                self.send("log", payload, to)

    def _choose(self, at: Seat) -> None:
        self._thinking.discard(at)
        node = self.nodes[at]
        table = node.table
        if node.alive and table.moves():
            table.choose(self.choosers[at](table.game, table.state, at, table.sight))
            node.patience.chose()
            self._settle(at)

    def _note(self, at: Seat) -> None:
        """Remember transcript and state after each step; compare, where nobody can be absent."""
        node = self.nodes[at]
        transcript = node.table.transcript
        now, seen = node.table.step, len(node.marks)
        if seen > now or (seen and node.marks[-1][0] != transcript.head_at(seen)):
            # It has gone through some of it again.
            for step, (head, _) in enumerate(node.marks, 1):
                if step > now or head not in (b"", transcript.head_at(step)):
                    del node.marks[step - 1 :]
                    break
        if len(node.marks) == now:
            return
        while len(node.marks) < now - 1:
            node.marks.append((b"", b""))
        mark = (transcript.head, fingerprint(node.table.state))
        node.marks.append(mark)
        if not self._strict or node not in self.honest:
            return
        for other in self.honest:
            if len(other.marks) >= now:
                theirs = other.marks[now - 1]
                # A seat that shows different things to different peers forks their transcripts for
                # the step it takes to find out; their states never differ.
                same = theirs[1] == mark[1] and (theirs[0] == mark[0] or bool(self.tampers))
                assert same or theirs == (b"", b""), f"seed {self.seed}: replicas differ"

    def _later(self, delay: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._heap, (self.now + delay, next(self._order), action))
