"""Processes that share a referee's key, on paper: one broker, no time but that of the test."""

from __future__ import annotations

from collections import deque

from nacl.signing import SigningKey

from net.people.identity import Identity
from net.play.digest import digest, number
from net.referee.beats import SETTLE
from net.referee.claim import Seal
from net.referee.claims import Change, Claims

WHO = Identity("Arbitre", SigningKey(b"r" * 32))
SEAL = Seal(WHO)
KEY = bytes(16)
TICK = 0.25
PLACE = (7, bytes(32))


class Stage:
    """Processes that hear each other through one broker, at once and in one order.

    Those in ``cut`` are connected and hear nothing, and nobody hears them.
    """

    def __init__(self, count: int, *, most: int = 200) -> None:
        self.now = 0.0
        self.retained: dict[str, bytes] = {}
        self.cut: set[int] = set()
        self.changes: list[tuple[int, Change]] = []
        self.tables: set[int] = set()
        """That have been claimed."""
        self.all: list[Claims | None] = []
        self.names: list[bytes] = []
        self._mine: dict[Claims, dict[str, bytes]] = {}
        """What each has retained, to be said again when it is back."""
        self._most = most
        self._said: deque[tuple[str, bytes, bool]] = deque()
        for at in range(count):
            self.start(at)

    def start(self, at: int, former: bytes | None = None) -> None:
        """A process begins."""
        name = bytes([at, len(self.names)]) * 4
        self.names.append(name)
        claims = Claims(SEAL, name, former, self._most)
        self.all[at:] = [claims, *self.all[at + 1 :]]
        self._mine[claims] = {}
        claims.link(True, self.now)
        for payload in tuple(self.retained.values()):
            claims.hear(payload, self.now)

    def former(self, at: int) -> bytes:
        """What a process was last called."""
        return next(name for name in reversed(self.names) if name[0] == at)

    def kill(self, at: int) -> None:
        """It is there no more."""
        self.all[at] = None

    def back(self, at: int) -> None:
        """It is connected anew."""
        self.cut.discard(at)
        self[at].link(True, self.now)
        for payload in tuple(self.retained.values()):
            self[at].hear(payload, self.now)
        self._said += [(topic, payload, True) for topic, payload in self._mine[self[at]].items()]

    def __getitem__(self, at: int) -> Claims:
        claims = self.all[at]
        assert claims is not None
        return claims

    @property
    def there(self) -> list[int]:
        """The processes that run."""
        return [at for at, claims in enumerate(self.all) if claims is not None]

    def deliver(self) -> None:
        """All that is waiting to be said is heard by all."""
        while True:
            for at in self.there:
                while self[at].outbox:
                    word = self[at].outbox.popleft()
                    if word[2]:
                        self._mine[self[at]][word[0]] = word[1]
                    if at not in self.cut:
                        self._said.append(word)
                while self[at].changes:
                    self.changes.append((at, self[at].changes.popleft()))
            if not self._said:
                return
            topic, payload, retain = self._said.popleft()
            if retain:
                self.retained[topic] = payload
            for at in self.there:
                if at not in self.cut:
                    self[at].hear(payload, self.now)

    def run(self, seconds: float) -> None:
        """Let time pass; never do two speak at one table."""
        until = self.now + seconds
        while self.now < until:
            self.now += TICK
            for at in self.there:
                self[at].tick(self.now)
            self.deliver()
            for table in self.tables:
                assert len(self.speakers(table)) <= 1

    def claim(self, at: int, *tables: int) -> list[bool]:
        """A process claims tables."""
        self.tables.update(tables)
        return [self[at].claim(name(t), room(t), KEY, self.now) for t in tables]

    def speakers(self, table: int) -> list[int]:
        """Who may speak at a table."""
        return [at for at in self.there if self[at].speaks(name(table), self.now)]

    def told(self, kind: type[Change]) -> list[int]:
        """The processes to which something of this kind happened, in order."""
        return [at for at, change in self.changes if isinstance(change, kind)]


def name(table: int) -> bytes:
    """The id of a table."""
    return digest(b"test table", number(table))


def room(table: int) -> str:
    """Its room."""
    return f"ROOM{table}"


def begun(count: int, *, most: int = 200) -> Stage:
    """Processes that know of each other."""
    stage = Stage(count, most=most)
    stage.run(2 * SETTLE)
    return stage
