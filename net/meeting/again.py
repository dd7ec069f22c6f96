"""Playing again with the same people: who wants to tells, in the old room, where the new one is.

A *proposal* is signed with its seat's key of the table that has ended, so it comes from somebody
who has played there. It names a room on the same broker and nothing else: nobody can be sent
elsewhere. It is repeated while the new room waits for its guests.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from nacl.signing import SigningKey

from net.link import topics
from net.link.channel import Channel
from net.meeting.invitation import KEY, Invitation
from net.play.charter import Charter
from net.play.wire import Refusal, state, stated, states
from rules.game import Seat

DOMAIN = b"farfadet/1 again\0"
AGAIN = "again"
LONGEST = 512
"""Most bytes of a proposal."""

SAY_EVERY = 2.0
"""Seconds between two proposals."""

LASTS = 3 * SAY_EVERY
"""Seconds after which a proposal that is not repeated is none any more."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The seat that wants to play again, and the ``room`` it has made, with the key to it."""

    seat: Seat
    room: str
    key: bytes


def proposal(charter: Charter, seat: Seat, own: SigningKey, room: str, key: bytes) -> bytes:
    """What the holder of ``own``, in ``seat`` of the table of ``charter``, says."""
    return state(own, DOMAIN, [AGAIN, charter.table, seat, room, key])


def read_proposal(charter: Charter, data: bytes) -> Proposal:
    """The proposal in ``data``; ``Refusal`` unless a seat of that very table has signed it."""
    match stated(data, LONGEST):
        case [str(word), bytes(table), int(seat), str(room), bytes(key)] if (
            word == AGAIN
            and table == charter.table
            and 0 <= seat < len(charter.chairs)
            and len(key) == KEY
            and states(charter.keys[seat], DOMAIN, data)
        ):
            try:
                return Proposal(seat, topics.level(room), key)
            except ValueError:
                raise Refusal("room") from None
    raise Refusal("proposal")


class Reunion:
    """Those who have played together, after the end; ``me`` is our seat there, ``own`` its key.

    ``told`` is the invitation to that table, ``channel`` leads into its room, and is opened and
    closed here.
    """

    def __init__(
        self, channel: Channel, told: Invitation, charter: Charter, me: Seat, own: SigningKey
    ) -> None:
        self.told = told
        self.me = me
        self._channel = channel
        self._charter = charter
        self._own = own
        self._said: bytes | None = None
        self._heard: dict[Seat, tuple[Proposal, float]] = {}
        self._offered: Proposal | None = None
        self._listeners: list[Callable[[], None]] = []
        channel.listen(self._hear, lambda up: None)

    @property
    def offered(self) -> Proposal | None:
        """What somebody else proposes; of several, that of the lowest seat, so that all agree."""
        now = time.monotonic()
        fresh = [said for said, at in self._heard.values() if now - at < LASTS]
        return min(fresh, key=lambda said: said.seat, default=None)

    def way(self, offered: Proposal) -> Invitation:
        """The invitation that ``offered`` is."""
        return replace(self.told, room=offered.room, key=offered.key)

    def propose(self, new: Invitation) -> None:
        """Say from now on that we wait in the room that ``new`` leads to."""
        self._said = proposal(self._charter, self.me, self._own, new.room, new.key)
        self._channel.publish("room", self._said)

    def listen(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` whenever ``offered`` is another."""
        self._listeners.append(callback)

    async def run(self) -> None:
        """Say and hear until cancelled; without a broker there is nobody to be heard.

        Raises ``net.link.transport.TransportError`` if the broker is gone.
        """
        try:
            await self._channel.open()
            while True:
                if self._said is not None:
                    self._channel.publish("room", self._said)
                self._look()
                await asyncio.sleep(SAY_EVERY)
        finally:
            with suppress(Exception):
                await self._channel.close()

    def _hear(self, kind: str, payload: bytes) -> None:
        if kind != "room":
            return
        with suppress(Refusal):
            found = read_proposal(self._charter, payload)
            if found.seat != self.me:
                self._heard[found.seat] = found, time.monotonic()
                self._look()

    def _look(self) -> None:
        if self.offered != self._offered:
            self._offered = self.offered
            for callback in tuple(self._listeners):
                callback()
