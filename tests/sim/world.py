"""A simulated world: replicas of one table, a network that misbehaves, one clock, one seed.

Nothing here waits or runs in parallel: events are taken from a heap in the order of their times,
so a world is a pure function of its arguments, and a failure is replayed from its seed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random

from nacl.signing import SigningKey

import rules
from net import wire
from net.charter import Chair, Charter, claim, nonce_hash
from net.course import Player
from net.digest import number
from net.journal import Chosen, Entry, Heard, Ticket
from net.resume import restored
from net.stream import Stream
from net.sync import Sync
from net.table import Table
from rules.bots import bot
from rules.form import fingerprint, plain
from rules.game import Game, Move, Seat

TICK = 0.25
THINK = 0.4
"""A player chooses within this many seconds."""


@dataclass(frozen=True)
class Weather:
    """How the world misbehaves: chances from 0 to 1, delays in seconds.

    ``crash`` is the chance that a process dies when a message reaches it.
    """

    drop: float = 0.0
    duplicate: float = 0.0
    alter: float = 0.0
    replay: float = 0.0
    crash: float = 0.0
    fastest: float = 0.005
    slowest: float = 0.02


CALM = Weather()
STORM = Weather(drop=0.15, duplicate=0.15, fastest=0.001, slowest=0.8)
CRASHES = Weather(drop=0.05, crash=0.01, slowest=0.2)
HOSTILE = Weather(drop=0.05, duplicate=0.1, alter=0.15, replay=0.3, slowest=0.3)

Tamper = Callable[["World", Seat, wire.Message], dict[Seat, list[bytes]] | None]
"""What a cheating seat sends to each other seat in place of its message (``None``: the message)."""


@dataclass
class Node:
    """One seat's replica and what has been seen of it."""

    table: Table
    sync: Sync
    ticket: Ticket
    entries: list[Entry] = field(default_factory=list)
    """Its journal."""
    synced: int = 0
    """How many entries are on disk for certain."""
    marks: list[tuple[bytes, bytes]] = field(default_factory=list)

    def heard(self, message: bytes) -> None:
        """Note a message down."""
        self.entries.append(Heard(message))

    def chosen(self, step: int, move: Move) -> None:
        """Note a choice down, for certain."""
        self.entries.append(Chosen(step, plain(move)))
        self.synced = len(self.entries)


def agreed(seed: int, seats: int, game: Game) -> tuple[Charter, list[Player]]:
    """A charter and its players, the same for the same seed."""
    source = Random(f"charter {seed}")
    room = f"SIM{seed}"
    players, chairs = [], []
    for seat in range(seats):
        key, identity = SigningKey(source.randbytes(32)), SigningKey(source.randbytes(32))
        nonce, name = source.randbytes(32), f"seat {seat}"
        public = bytes(key.verify_key)
        signature = identity.sign(claim(room, public, name, nonce_hash(nonce))).signature
        chairs.append(Chair(bytes(identity.verify_key), public, name, nonce, signature))
        players.append(Player(seat, key, source.randbytes(32)))
    return Charter(room, game.name, game.version, game.deck, tuple(chairs)), players


class World:
    """``seats`` replicas of one table, its bots, and the network between them."""

    def __init__(
        self,
        seed: int,
        seats: int,
        weather: Weather = CALM,
        game: str = "taverne",
        tampers: dict[Seat, Tamper] | None = None,
        levels: Sequence[str] = ("random",),
    ) -> None:
        self.seed = seed
        self.source = Random(seed)
        self.weather = weather
        self.tampers = tampers or {}
        self.now = 0.0
        self.delivered = 0
        self.faults = {"drop": 0, "duplicate": 0, "alter": 0, "replay": 0, "crash": 0}
        self.cut: set[Seat] = set()
        """Seats of whom nothing arrives anywhere any more."""
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._seen: list[bytes] = []
        loaded = rules.load(game)
        self.charter, self.players = agreed(seed, seats, loaded)
        self.nodes = [self._node(player) for player in self.players]
        self.choosers = [
            bot(levels[seat % len(levels)], Stream(b"bot", number(seed), number(seat)))
            for seat in range(seats)
        ]
        self._thinking: set[Seat] = set()
        for seat in range(seats):
            self._settle(seat)
            self._later(self.source.uniform(0, TICK), partial(self._tick, seat))

    def _node(self, player: Player) -> Node:
        ticket = Ticket(self.charter.data(), player.seat, bytes(player.key), player.secret)
        table = restored(ticket, ())
        node = Node(table, Sync(table), ticket)
        table.memory = node
        return node

    def crash(self, seat: Seat) -> None:
        """The process of ``seat`` dies, perhaps with the whole machine, and is started again."""
        self.faults["crash"] += 1
        node = self.nodes[seat]
        # What was written after the last choice may or may not have reached the disk.
        del node.entries[self.source.randint(node.synced, len(node.entries)) :]
        node.table = restored(node.ticket, node.entries)
        node.table.memory = node
        node.sync = Sync(node.table)
        node.sync.hurry()
        del node.marks[node.table.step :]

    def run(self, limit: float = 600.0) -> None:
        """Let time pass until every honest seat is done, somebody is convicted, or ``limit``."""
        while self._heap and self.now < limit and not self.done:
            self.now, _, action = heapq.heappop(self._heap)
            action()

    @property
    def honest(self) -> list[Node]:
        """The replicas of the seats that do not cheat."""
        return [node for seat, node in enumerate(self.nodes) if seat not in self.tampers]

    @property
    def done(self) -> bool:
        """Whether every honest replica has come to an end."""
        return all(node.table.over or node.table.blame for node in self.honest)

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
        self.delivered += 1
        if self.source.random() < self.weather.crash and to not in self.tampers:
            self.crash(to)
        node = self.nodes[to]
        if kind == "log":
            node.table.receive(payload)
        else:
            for answer in node.sync.receive(payload, self.now):
                self._publish("sync", answer, to)
        self._settle(to)

    def _tick(self, seat: Seat) -> None:
        for payload in self.nodes[seat].sync.tick(self.now):
            self._publish("sync", payload, seat)
        self._later(TICK, partial(self._tick, seat))

    def _publish(self, kind: str, payload: bytes, sender: Seat) -> None:
        if sender in self.cut:
            return
        for seat in range(len(self.nodes)):
            if seat != sender:
                self.send(kind, payload, seat)

    def _settle(self, seat: Seat) -> None:
        """Let a replica finish all it can do at this moment."""
        table = self.nodes[seat].table
        while table.jobs or table.outbox:
            table.work()
            while table.outbox:
                self._say(seat, table.outbox.popleft())
        self._note(seat)
        if table.moves() and seat not in self._thinking:
            self._thinking.add(seat)
            self._later(self.source.uniform(0, THINK), partial(self._choose, seat))

    def _say(self, seat: Seat, data: bytes) -> None:
        tamper = self.tampers.get(seat)
        message = wire.parse(data)
        instead = tamper(self, seat, message) if tamper and message.seat == seat else None
        if instead is None:
            self._publish("log", data, seat)
            return
        for to, payloads in instead.items():
            for payload in payloads:
                self.send("log", payload, to)

    def _choose(self, seat: Seat) -> None:
        self._thinking.discard(seat)
        table = self.nodes[seat].table
        if table.moves():
            table.choose(self.choosers[seat](table.game, table.state, seat, table.sight))
            self._settle(seat)

    def _note(self, seat: Seat) -> None:
        """Remember transcript and state after each step, and compare with the other replicas."""
        node = self.nodes[seat]
        if len(node.marks) == node.table.step:
            return
        mark = (node.table.transcript.head, fingerprint(node.table.state))
        while len(node.marks) < node.table.step - 1:
            node.marks.append((b"", b""))
        node.marks.append(mark)
        for other in self.honest:
            if node in self.honest and len(other.marks) >= node.table.step:
                theirs = other.marks[node.table.step - 1]
                # A seat that shows different things to different peers forks their transcripts for
                # the step it takes to find out; their states never differ.
                same = theirs[1] == mark[1] and (theirs[0] == mark[0] or bool(self.tampers))
                assert same or theirs == (b"", b""), f"seed {self.seed}: replicas differ"

    def _later(self, delay: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._heap, (self.now + delay, next(self._order), action))
