"""Coming to a game that has begun, without a seat: learn what is played, then follow it.

Only the way into the room is needed; the charter is asked for, and whoever plays there tells it,
with the host's signature under it. All that has happened before is then told by ``net/sync.py``.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor

from net.channel import Channel
from net.charter import Charter
from net.course import Player
from net.deck.sealed import VERIFIED
from net.deck.verified import Verified
from net.peer import Peer
from net.replica import replica
from net.room import HOST_ANSWERS, RoomError, known_game
from net.sync import WHAT_TABLE, introduced
from net.table import Table
from net.wire import Refusal

ASK_EVERY = 1.0
"""Seconds between two questions what is played here."""


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
        return await asyncio.wait_for(found, within)
    except TimeoutError:
        raise RoomError("nobody-here") from None
    finally:
        asking.cancel()


def follow(charter: Charter, player: Player | None, verified: Verified = VERIFIED) -> Table:
    """A replica for somebody without a seat: the referee as ``player``, or none for who looks on.

    Raises ``RoomError`` (``"unknown-game"``, ``"bad-deck"``, ``"other-rules"``).
    """
    known_game(charter.game, charter.deck)
    try:
        return replica(charter, player, verified)
    except Refusal as refusal:
        code = "bad-deck" if refusal.code == "other-deck" else "other-rules"
        raise RoomError(code, refusal.code) from refusal


async def look_on(channel: Channel, room: str, workers: Executor | None = None) -> Peer:
    """Enter ``room`` without a seat and follow the game; ``run`` the peer.

    Raises ``RoomError`` (see ``what_table`` and ``follow``) or ``net.transport.TransportError``;
    then the room is left.
    """
    try:
        await channel.open()
        charter = await what_table(channel, room, HOST_ANSWERS)
        return Peer(follow(charter, None), channel, workers=workers)
    except BaseException:
        await channel.close()
        raise
