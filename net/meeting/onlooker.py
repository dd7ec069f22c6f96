"""Coming to a table without a seat: learn what is played, then follow it from its first step.

Only the way into the room is needed; the charter is asked for, and whoever plays there tells it,
with the host's signature under it. All that has happened before is then told by
``net/play/sync.py``.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path

from nacl.signing import SigningKey

from net.deck.sealed import VERIFIED
from net.deck.verified import Verified
from net.link.channel import Channel
from net.link.transport import Transport
from net.meeting.gathering import Gathering
from net.meeting.invitation import Invitation
from net.meeting.room import HOST_ANSWERS, HOST_SILENT, SEATED_WITHIN, RoomError, known_game
from net.meeting.seating import Seating
from net.people.identity import Identity
from net.people.talk import Talk
from net.play.charter import Charter
from net.play.course import Player
from net.play.digest import SIZE
from net.play.peer import TICK, Peer
from net.play.replica import replica
from net.play.sync import WHAT_TABLE, introduced
from net.play.table import Table
from net.play.wire import Refusal

ASK_EVERY = 1.0
"""Seconds between two questions what is played here."""

BEGUN_WITHIN = SEATED_WITHIN + 10.0
"""Seconds from the last seat taken to the first step of the game, at most."""


async def what_table(channel: Channel, room: str, within: float) -> Charter:
    """The charter of the game that is played in ``room``, asked for through the open ``channel``.

    Raises ``RoomError("nobody-here")`` if nobody tells it ``within`` so many seconds.
    """
    found: asyncio.Future[Charter] = asyncio.get_running_loop().create_future()

    def hear(kind: str, payload: bytes) -> None:
        if kind == "sync" and not found.done():
            try:
                found.set_result(introduced(payload, room))
            except Refusal:
                return

    async def ask() -> None:
        while True:
            channel.publish("sync", WHAT_TABLE)
            await asyncio.sleep(ASK_EVERY)

    channel.listen(hear, lambda up: None)
    asking = asyncio.create_task(ask())
    try:
        # Not ``wait_for``: that of Python 3.11 may swallow a cancellation.
        async with asyncio.timeout(within):
            return await found
    except TimeoutError:
        raise RoomError("nobody-here") from None
    finally:
        asking.cancel()


def follow(charter: Charter, player: Player | None, verified: Verified = VERIFIED) -> Table:
    """A replica for somebody without a seat: the referee as ``player``, or none for who looks on.

    Raises ``RoomError`` (``"unknown-game"``, ``"bad-deck"``, ``"other-rules"``).
    """
    known_game(charter.game, charter.deck, charter.rules)
    try:
        return replica(charter, player, verified)
    except Refusal as refusal:
        code = "bad-deck" if refusal.code == "other-deck" else "other-rules"
        raise RoomError(code, refusal.code) from refusal


class Lookout(Gathering):
    """A table as somebody without a seat comes to it: who sits down there, and then the game.

    ``name`` is what we are called in the talk. Who sees the game to its end has its transcript in
    ``folder``, like every seat.
    """

    def __init__(
        self, transport: Transport, invitation: Invitation, name: str, folder: Path | None = None
    ) -> None:
        key = SigningKey.generate()
        # It listens and never says anything: nobody here asks for a seat.
        super().__init__(Seating(invitation.room, Identity.fresh(""), key, bytes(SIZE)), invitation)
        self.words: str | None = None
        """Nothing to compare: these words are for those who play."""
        self._folder = folder
        self._charter: Charter | None = None
        self._asked = -ASK_EVERY
        self._since = time.monotonic()
        public = bytes(key.verify_key)
        self._channel = Channel(transport, invitation.room, public, invitation.key)
        self.talk = Talk(self._channel, invitation.room, key, name)
        self._channel.listen(self._hear, self._link)

    @property
    def looking_on(self) -> bool:
        """Whether we will have no seat here."""
        return True

    @property
    def begun(self) -> bool:
        """Whether ``wait`` has nothing to wait for."""
        return self._charter is not None

    async def open(self) -> None:
        """Enter; returns when we know what will be, or is, played here.

        Raises ``net.link.transport.TransportError`` or ``RoomError`` (``"nobody-here"``,
        ``"wrong-key"``, and see ``follow``); either way the room is left.
        """
        limit = time.monotonic() + HOST_ANSWERS
        try:
            await self._channel.open()
            while self._charter is None and self._seating.plan is None:
                if time.monotonic() > limit:
                    raise RoomError("wrong-key" if self._channel.locked else "nobody-here")
                await self._pause()
            if self._charter is None:
                known_game(self.plan.game, self.plan.deck, self.plan.rules)
        except BaseException:
            await self._channel.close()
            raise

    async def wait(self) -> Peer:
        """The game, once it has begun; ``run`` the peer. Cancel this to leave the room.

        Raises ``RoomError`` (``"host-left"``, ``"not-seated"``, and see ``follow``).
        """
        closed: float | None = None
        try:
            while self._charter is None:
                now = time.monotonic()
                if self.plan.closed:
                    closed = closed or now
                    if now - closed > BEGUN_WITHIN:
                        raise RoomError("not-seated")
                elif self._channel.up and now - self._last_word > HOST_SILENT:
                    raise RoomError("host-left")
                await self._pause()
            table = follow(self._charter, None)
        except BaseException:
            await self._channel.close()
            raise
        return Peer(table, self._channel, folder=self._folder, talk=self.talk)

    @property
    def _last_word(self) -> float:
        return max(self._seating.host_heard, self._since)

    async def _pause(self) -> None:
        """Ask what is played, unless it is clear that nothing is yet."""
        plan, now = self._seating.plan, time.monotonic()
        if (plan is None or plan.closed) and now - self._asked >= ASK_EVERY:
            self._asked = now
            self._channel.publish("sync", WHAT_TABLE)
        await asyncio.sleep(TICK / 5)

    def _hear(self, kind: str, payload: bytes) -> None:
        if kind == "sync" and self._charter is None:
            with suppress(Refusal):
                self._charter = introduced(payload, self._told.room)
        elif kind == "room":
            before = self._seating.plan
            self._seating.receive(payload, time.monotonic())
            if self._seating.plan != before:
                self.talk.sit(self.chairs)
                self._tell()

    def _link(self, up: bool) -> None:
        self._since = time.monotonic()
