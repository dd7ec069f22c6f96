"""The referee's way to speak at one table: nothing leaves but from who holds the table's claim.

And no vote leaves before it has been promised (``net/referee/claims.py``), whoever says it: our
replica, or we ourselves when we bring somebody up to date.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator

from net.link.channel import Channel
from net.link.transport import Transport
from net.play.votes import VOTE
from net.play.wire import Message, Refusal, parse, unpack
from net.referee.claims import Claims
from rules.game import Seat

MOST_WAITING = 256
"""Most payloads that wait for a promise to come back; what is said beyond that is lost."""


class Fence(Channel):
    """The channel of ``member`` at ``table``; the link is up while ``claims`` lets us speak there.

    ``note`` writes a vote down, for certain, unless it is. ``look`` is to be called when what
    ``claims`` says may have changed.
    """

    def __init__(
        self,
        transport: Transport,
        room: str,
        key: bytes,
        secret: bytes,
        *,
        table: bytes,
        member: Seat,
        claims: Claims,
        note: Callable[[bytes], None],
    ) -> None:
        self._claims = claims
        self._note = note
        self._table, self._member = table, member
        self._connected = False
        self._waiting: deque[tuple[str, bytes]] = deque()
        super().__init__(transport, room, key, secret)

    def publish(self, kind: str, payload: bytes) -> None:
        """Say it as soon as all that it promises is known to the others, in order; or never."""
        self.look()
        if not self.up or len(self._waiting) >= MOST_WAITING:
            return
        for vote in self._votes(kind, payload):
            place = vote.step, vote.prev
            if not self._claims.promise(self._table, place, tuple(vote.body())):
                return
            self._note(vote.data)
        self._waiting.append((kind, payload))
        self._flush()

    def look(self) -> None:
        """See whether we may speak now; say what has waited for it."""
        up = self._connected and self._claims.speaks(self._table, time.monotonic())
        if not up:
            self._waiting.clear()
        if up != self.up:
            super()._link(up)
        self._flush()

    def _link(self, up: bool) -> None:
        self._connected = up
        self.look()

    def _flush(self) -> None:
        while self._waiting and self._claims.kept(self._table):
            super().publish(*self._waiting.popleft())

    def _votes(self, kind: str, payload: bytes) -> Iterator[Message]:
        """Our own votes in what we are about to say."""
        if kind == "log":
            said: object = [payload]
        else:
            try:
                said = unpack(payload)
            except Refusal:
                return
        for data in said if isinstance(said, list) else ():
            if not isinstance(data, bytes):
                continue
            try:
                message = parse(data)
            except Refusal:
                continue
            if message.seat == self._member and message.kind == VOTE:
                yield message
