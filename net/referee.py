"""The referee: a member without a seat at many tables, over one connection, with one record.

It waits for tables to call it (``net/lobby.py``), follows those whose charter names its key, votes
on who is absent, stands in for them where there is escrow, and brings others up to date. It sees no
card and makes no move. Each event is told as one line.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from net import topics
from net.channel import Channel
from net.charter import Charter, read_charter
from net.course import Player
from net.deck.verified import Verified
from net.digest import SIZE
from net.identity import Identity
from net.journal import JournalError, Ticket
from net.lobby import Call, announcement, read_call
from net.notices import Blamed, Ended, Notice, Returned, Ruled
from net.onlooker import follow, what_table
from net.peer import THREADS, Peer
from net.record import Kept, Notes, Record
from net.resume import restored
from net.room import RoomError
from net.rounds import Void
from net.seating import room_of
from net.stream import Stream
from net.switch import Switch
from net.table import Table
from net.transport import Transport, Will
from net.wire import Refusal

log = logging.getLogger(__name__)

TABLES = 200
"""Most tables at once, unless told otherwise."""

GUESSES = 64
"""Most rooms in which we ask at once what is played there: anybody can call us anywhere."""

ANSWERED_WITHIN = 60.0
"""Seconds for which we ask: the players may still be signing the charter."""

NOT_AGAIN = 60.0
"""Seconds for which a room that we have not followed a call into is not looked at again."""

FLUSH_EVERY = 0.25
"""Seconds between two batches for the record."""

ABANDONED_AFTER = 24 * 3600.0
"""Seconds without a word from anybody after which a table is closed."""


class Referee:
    """The referee called ``identity``; ``transport`` makes its way to the broker, given its will.

    ``tell`` is called with one line for each event; at most ``tables`` are watched at once.
    """

    def __init__(
        self,
        transport: Callable[[Will], Transport],
        identity: Identity,
        record: Record,
        tell: Callable[[str], None],
        *,
        tables: int = TABLES,
    ) -> None:
        self.room = room_of(identity.public)
        self.peers: dict[bytes, Peer] = {}
        """Where we are a member now, by the table's id."""
        self._watched: set[bytes] = set()
        """Where we are a member or about to be one."""
        self._lobby = topics.lobby(self.room)
        self._identity = identity
        self._record = record
        self._write_line = tell
        self._most = tables
        way = transport(Will(self._lobby, b""))
        way.subscribe(topics.heard(self.room, "room"))
        self._switch = Switch(way, self._hear, self._link)
        self._workers = ThreadPoolExecutor(THREADS, "farfadet")
        self._rooms: dict[Call, asyncio.Task[None]] = {}
        """What we do in each room: watch, or ask what is played."""
        self._guesses: OrderedDict[Call, None] = OrderedDict()
        """Where we ask; the oldest first."""
        self._refused: OrderedDict[Call, float] = OrderedDict()
        """Where we were called in vain, and when."""
        self._failure: Exception | None = None

    async def run(self) -> None:
        """Serve until cancelled; then everything is said and written down.

        Raises ``net.transport.TransportError`` if the broker is not there at first, and
        ``sqlite3.Error`` when the record cannot be written any more.
        """
        await self._switch.open()
        try:
            self._switch.publish(self._lobby, announcement(self._identity), retain=True)
            self._record.begin(os.getpid())
            self._tell("serving", key=self._identity.public.hex())
            for kept in self._record.open_tables():
                self._go(Call(kept.room, kept.key), self._watch(kept, "table resumed"))
            while self._failure is None:
                await asyncio.sleep(FLUSH_EVERY)
                self._record.flush()
            raise self._failure
        finally:
            self._switch.publish(self._lobby, b"", retain=True)
            tasks = tuple(self._rooms.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._workers.shutdown(wait=False, cancel_futures=True)
            await self._switch.close()
            self._tell("stopped")

    # Being called.

    def _hear(self, topic: str, payload: bytes) -> None:
        address = topics.parse(topic)
        if address is None or address.room != self.room:
            return
        try:
            called = read_call(self._identity, payload)
        except Refusal:
            return
        now = time.monotonic()
        if called.room == self.room or called in self._rooms:
            return
        if now - self._refused.get(called, -NOT_AGAIN) < NOT_AGAIN:
            return
        if len(self._watched) >= self._most:
            self._refuse(called, "full")
            return
        if len(self._guesses) >= GUESSES:
            oldest, _ = self._guesses.popitem(last=False)
            self._rooms[oldest].cancel()
        self._guesses[called] = None
        self._go(called, self._enter(called))

    def _refuse(self, called: Call, why: str) -> None:
        self._refused[called] = time.monotonic()
        while len(self._refused) > GUESSES:
            self._refused.popitem(last=False)
        self._tell("not followed", room=called.room, why=why)

    def _go(self, called: Call, work: Coroutine[Any, Any, None]) -> None:
        def gone(task: asyncio.Task[None]) -> None:
            self._guesses.pop(called, None)
            del self._rooms[called]
            error = None if task.cancelled() else task.exception()
            if isinstance(error, sqlite3.Error):
                self._failure = error
            elif error is not None:
                log.error("in room %s", called.room, exc_info=error)

        task = self._rooms[called] = asyncio.create_task(work)
        task.add_done_callback(gone)

    async def _enter(self, called: Call) -> None:
        """Learn what is played in a room we were called to, and watch it if it names us."""
        try:
            charter = await self._ask(called)
            if charter.referee != self._identity.public:
                raise RoomError("not-ours")
            if charter.table in self._watched:
                raise RoomError("watched")
            follow(charter, self._player(charter))
            kept = self._record.add(charter, called.key)
            if kept is None:
                raise RoomError("ended")
        except RoomError as error:
            self._refuse(called, error.code)
            return
        self._guesses.pop(called, None)
        await self._watch(kept, "table opened" if kept.open else "end told again")

    async def _ask(self, called: Call) -> Charter:
        channel = self._channel(called.room, called.key)
        try:
            await channel.open()
            return await what_table(channel, called.room, ANSWERED_WITHIN)
        finally:
            await channel.close()

    def _channel(self, room: str, key: bytes) -> Channel:
        return Channel(self._switch.line(room), room, self._identity.public, key)

    # Watching a table.

    def _player(self, charter: Charter) -> Player:
        key = self._identity.key
        secret = Stream(bytes(key), b"referee", charter.table).take(SIZE)
        return Player(len(charter.chairs), key, secret)

    async def _watch(self, kept: Kept, how: str) -> None:
        """Be a member of a table until it has ended, from wherever we were when we left it."""
        self._watched.add(kept.table)
        try:
            await self._take_part(kept, how)
        finally:
            self._watched.discard(kept.table)

    async def _take_part(self, kept: Kept, how: str) -> None:
        charter, verified = read_charter(kept.charter), Verified()
        me = self._player(charter)
        ticket = Ticket(kept.charter, me.seat, bytes(me.key), me.secret)
        entries = self._record.entries(kept)
        loop = asyncio.get_running_loop()
        try:
            table = await loop.run_in_executor(self._workers, restored, ticket, entries, verified)
        except JournalError as error:
            self._end(kept, "refused", None, why=error.code)
            return
        except Exception:
            log.exception("table %s cannot be gone back to", kept.stamp)
            self._end(kept, "failed", None)
            return
        channel = self._channel(kept.room, kept.key)
        peer = Peer(table, channel, workers=self._workers)
        if kept.open:
            notes = Notes(self._record, kept)
            table.memory, verified.learned = notes, notes.checked
            peer.listen(partial(self._note, kept, table))
        self.peers[charter.table] = peer
        self._tell(how, kept, game=charter.game, seats=len(charter.chairs), step=table.step)
        try:
            state = await _outcome(peer, channel)
            if table.memory is not None:
                self._end(kept, state, table)
        finally:
            del self.peers[charter.table]

    def _note(self, kept: Kept, table: Table, notice: Notice) -> None:
        match notice:
            case Ruled(members):
                self._record.ruled(kept, len(table.transcript.rulings))
                self._tell("ruling", kept, step=table.step, absent=_list(members))
            case Returned(members):
                self._tell("returned", kept, step=table.step, members=_list(members))
            case Ended():
                self._end(kept, "finished", table)
            case Blamed():
                self._end(kept, "blamed", table)

    def _end(self, kept: Kept, state: str, table: Table | None, **fields: object) -> None:
        """Write down how it ended; what still comes of it is of no interest."""
        self._record.end(kept, state, table)
        if table is not None:
            table.memory = None
            fields |= {"step": table.step, "messages": len(table.transcript.messages)}
            if table.result is not None:
                fields["scores"] = ",".join(str(score.total) for score in table.result.scores)
            if table.blame is not None:
                fields |= {"seat": table.blame.seat, "code": table.blame.code}
        self._tell({"finished": "result", "blamed": "blame"}.get(state, state), kept, **fields)

    # Telling.

    def _link(self, up: bool) -> None:
        self._tell("link up" if up else "link lost")

    def _tell(self, event: str, kept: Kept | None = None, **fields: object) -> None:
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        table = {} if kept is None else {"table": kept.stamp}
        told = {"at": at, "event": event, **table, **fields}
        self._write_line(" ".join(f"{key}={_value(value)}" for key, value in told.items()))


async def _outcome(peer: Peer, channel: Channel) -> str:
    """Run ``peer`` to one of the ``net.record.ENDINGS``."""
    running = asyncio.create_task(peer.run())
    try:
        while not running.done():
            silence = time.monotonic() - channel.heard
            if silence >= ABANDONED_AFTER:
                return "abandoned"
            await asyncio.wait((running,), timeout=ABANDONED_AFTER - silence)
        running.result()
    except Void:
        return "void"
    except Exception:
        log.exception("a table failed")
        return "failed"
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    return "blamed" if peer.blame is not None else "finished"


def _list(members: frozenset[int]) -> str:
    return ",".join(map(str, sorted(members)))


def _value(value: object) -> str:
    text = str(value)
    plain = text.isprintable() and text != "" and not set(text) & set(' "=')
    return text if plain else json.dumps(text)
