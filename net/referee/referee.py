"""The referee: a member without a seat at many tables, over one connection, with one record.

It waits for tables to call it (``net/referee/calling.py``), follows those whose charter names its
key, votes on who is absent, stands in for them where there is escrow, and brings others up to date.
It sees no card and makes no move. Several processes with the same key share the tables
(``net/referee/claims.py``). Each event is told as one line.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeAlias

from net.link import topics
from net.link.switch import Switch
from net.link.transport import Transport, Will
from net.meeting.onlooker import follow, what_table
from net.meeting.room import RoomError
from net.meeting.seating import room_of
from net.people.identity import Identity
from net.play.charter import Charter
from net.play.peer import THREADS, Peer
from net.play.wire import Refusal
from net.referee import beats
from net.referee.calling import Call, announcement, read_call
from net.referee.claim import INSTANCE, Claim, Seal
from net.referee.claims import Claims, Learned, Lost, Taken
from net.referee.logline import logline
from net.referee.record import Kept, Record
from net.referee.watch import ABANDONED_AFTER, Desk, Watch, votes_of

log = logging.getLogger(__name__)

TABLES = 200
"""Most tables at once, unless told otherwise."""

GUESSES = 64
"""Most rooms in which we ask at once what is played there: anybody can call us anywhere."""

CALLS = 4 * GUESSES
"""Most calls that wait for whoever's turn it is."""

CALL_LASTS = 10.0
"""Seconds after which a call that is not repeated is forgotten."""

ANSWERED_WITHIN = 60.0
"""Seconds for which we ask: the players may still be signing the charter."""

NOT_AGAIN = 60.0
"""Seconds for which a room that we have not followed a call into is not looked at again."""

TICK = 0.25
"""Seconds between two looks at the clock, and two batches for the record."""

Work: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


class Referee:
    """The referee called ``identity``; ``transport`` makes its way to the broker, given its will.

    ``tell`` is called with one line for each event; at most ``tables`` are watched at once.
    ``workers`` run the long work, unless it is to have threads of its own; ``instance`` is the name
    of this process, unless that is to be random.
    """

    def __init__(
        self,
        transport: Callable[[Will], Transport],
        identity: Identity,
        record: Record,
        tell: Callable[[str], None],
        *,
        tables: int = TABLES,
        workers: Executor | None = None,
        instance: bytes | None = None,
    ) -> None:
        self.room = room_of(identity.public)
        seal, instance = Seal(identity), instance or secrets.token_bytes(INSTANCE)
        self.claims = Claims(seal, instance, record.rename(instance), tables)
        self._lobby = topics.lobby(self.room)
        self._identity = identity
        self._record = record
        self._write_line = tell
        self._most = tables
        way = transport(Will(self._lobby, b""))
        for pattern in (topics.heard(self.room, "room"), seal.heard, self._lobby):
            way.subscribe(pattern)
        self._switch = Switch(way, self._hear, self._link)
        self._workers = workers or ThreadPoolExecutor(THREADS, "farfadet")
        self._desk = Desk(identity, record, self.claims, self._switch, self._workers, self._tell)
        self._watches: dict[bytes, Watch] = {}
        """By the table's id."""
        self._rooms: dict[Call, asyncio.Task[None]] = {}
        """What we do in each room: watch, or ask what is played."""
        self._guesses: OrderedDict[Call, None] = OrderedDict()
        """Where we ask; the oldest first."""
        self._calls: OrderedDict[Call, tuple[float, float]] = OrderedDict()
        """Where we may be wanted: when we were first called, and when last."""
        self._refused: OrderedDict[Call, float] = OrderedDict()
        """Where we were called in vain, and when."""
        self._others = 0
        self._serves = False
        self._failure: Exception | None = None

    @property
    def peers(self) -> dict[bytes, Peer]:
        """Where we are a member now, by the table's id."""
        watches = self._watches.items()
        return {table: watch.peer for table, watch in watches if watch.peer is not None}

    async def run(self) -> None:
        """Serve until cancelled; then everything is said and written down.

        Raises ``net.link.transport.TransportError`` if the broker is not there at first, and
        ``sqlite3.Error`` when the record cannot be written any more.
        """
        await self._switch.open()
        try:
            self._announce()
            self._record.begin(os.getpid())
            while self._failure is None:
                self._tick(time.monotonic())
                await asyncio.sleep(TICK)
            raise self._failure
        finally:
            await self._leave()

    async def _leave(self) -> None:
        self._serves = False
        tasks = tuple(self._rooms.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._workers.shutdown(wait=False, cancel_futures=True)
        if not self.claims.beats.living(time.monotonic()):
            self._switch.publish(self._lobby, b"", retain=True)
        self.claims.leave()
        self._act()
        await self._switch.close()
        self._tell("stopped")

    def _tick(self, now: float) -> None:
        self.claims.tick(now)
        if not self._serves and self.claims.beats.steady(now):
            self._serves = True
            self._tell("serving", key=self._identity.public.hex())
            for kept in self._record.open_tables():
                self._resume(kept, now)
        self._act()
        self._answer(now)
        others = len(self.claims.beats.living(now))
        if others != self._others:
            self._others = others
            self._record.share(others)
            self._tell("sharing", others=others)
        self._record.flush()

    def _announce(self) -> None:
        self._switch.publish(self._lobby, announcement(self._identity), retain=True)

    # Sharing.

    def _act(self) -> None:
        """Do what follows from what has been said about claims."""
        while self.claims.outbox:
            self._switch.publish(*self.claims.outbox.popleft())
        while self.claims.changes:
            match self.claims.changes.popleft():
                case Taken(claim):
                    self._take_over(claim)
                case Lost(claim, by):
                    self._hand_over(claim, by)
                case Learned(table):
                    if table in self._watches:
                        self._watches[table].learn()
        for watch in tuple(self._watches.values()):
            watch.look()

    def _take_over(self, claim: Claim) -> None:
        known = self._record.find(claim.table)
        if known is not None and known[0] not in ("open", "handed-over", "abandoned"):
            self.claims.release(claim.table)
            return
        self._record.tally("taken")
        self._tell("taken over", claim.table, term=claim.term)
        called = Call(claim.room, claim.key)
        charter = None if known is None else known[1]
        if called in self._guesses:
            del self._guesses[called]
            self._rooms[called].cancel()
        self._go(called, lambda: self._inherit(called, claim, charter))

    async def _inherit(self, called: Call, claim: Claim, charter: Charter | None) -> None:
        """Watch a table that another process has watched; if need be, ask what is played."""
        try:
            if charter is None:
                charter = await self._ask(called, ABANDONED_AFTER)
                if charter.table != claim.table:
                    raise RoomError("other-table")
                follow(charter, self._desk.player(charter))
        except RoomError as error:
            self.claims.release(claim.table)
            self._refuse(called, error.code)
            return
        kept = self._record.add(charter, called.key)
        if kept is not None:
            await self._watch(kept, "table resumed", listens=True)

    def _hand_over(self, claim: Claim, by: bytes) -> None:
        self._record.tally("handed")
        self._tell("handed over", claim.table, to=by.hex())
        watch = self._watches.get(claim.table)
        if watch is not None:
            watch.hand_over()
        task = self._rooms.get(Call(claim.room, claim.key))
        if task is not None:
            task.cancel()

    def _resume(self, kept: Kept, now: float) -> None:
        """Go back to a table where we were before, unless another process has claimed it."""
        if self.claims.holder(kept.table) is None:
            self.claims.claim(kept.table, kept.room, kept.key, now)
            self._go(
                Call(kept.room, kept.key),
                lambda: self._watch(kept, "table resumed", listens=False),
            )
            return
        charter = self._record.find(kept.table)
        assert charter is not None
        seat = len(charter[1].chairs)
        votes = list(votes_of(self._record.entries(kept), seat))
        promises = {(vote.step, vote.prev): tuple(vote.body()) for vote in votes}
        self._record.end(kept, "handed-over", None, [vote.data for vote in votes])
        self._record.tally("handed")
        self._tell("handed over", kept.table)
        self.claims.tell(kept.table, kept.room, kept.key, promises)

    # Being called.

    def _hear(self, topic: str, payload: bytes) -> None:
        address, now = topics.parse(topic), time.monotonic()
        if address is None or address.room != self.room:
            return
        if address.kind == "here":
            self.claims.hear(payload, now)
            self._act()
        elif address.kind == topics.LOBBY:
            if not payload and self._serves:
                # The will of another process, or our own from a connection that is no more.
                self.claims.beats.doubt(now)
                self._announce()
        else:
            try:
                called = read_call(self._identity, payload)
            except Refusal:
                return
            self._called(called, now)

    def _called(self, called: Call, now: float) -> None:
        if called.room == self.room or called in self._rooms:
            return
        if now - self._refused.get(called, -NOT_AGAIN) < NOT_AGAIN:
            return
        first, _ = self._calls.get(called, (now, now))
        self._calls[called] = first, now
        if len(self._calls) > CALLS:
            self._calls.popitem(last=False)
        self._answer(now)

    def _answer(self, now: float) -> None:
        """Follow the calls for which it is our turn, now that we know of the others."""
        if not self._serves or not self._calls or not self.claims.beats.steady(now):
            return
        # Time for whoever knows the table, and for claims that were made without us.
        settling = beats.SETTLE if self.claims.beats.living(now) else 0.0
        for called, (first, last) in tuple(self._calls.items()):
            if now - last > CALL_LASTS or self.claims.taken(called.room, now):
                del self._calls[called]
            elif len(self._watches) >= self._most:
                del self._calls[called]
                self._refuse(called, "full")
            elif self._record.remembers(called.room) or self.claims.turn(
                called.room, now - first - settling, now
            ):
                del self._calls[called]
                self._guess(called)

    def _guess(self, called: Call) -> None:
        if len(self._guesses) >= GUESSES:
            oldest, _ = self._guesses.popitem(last=False)
            self._rooms[oldest].cancel()
        self._guesses[called] = None
        self._go(called, lambda: self._enter(called))

    def _refuse(self, called: Call, why: str) -> None:
        self._refused[called] = time.monotonic()
        while len(self._refused) > GUESSES:
            self._refused.popitem(last=False)
        self._tell("not followed", room=called.room, why=why)

    def _go(self, called: Call, work: Work) -> None:
        """Do it in a room, in place of what we did there before."""
        before = self._rooms.get(called)

        async def working() -> None:
            # Also if we are cancelled meanwhile: who comes after us waits for us alone.
            cancelled = False
            while before is not None and not before.done():
                before.cancel()
                try:
                    await asyncio.wait((before,))
                except asyncio.CancelledError:
                    cancelled = True
            if cancelled:
                raise asyncio.CancelledError
            await work()

        def gone(task: asyncio.Task[None]) -> None:
            if self._rooms.get(called) is task:
                self._guesses.pop(called, None)
                del self._rooms[called]
            error = None if task.cancelled() else task.exception()
            if isinstance(error, sqlite3.Error):
                self._failure = error
            elif error is not None:
                log.error("in room %s", called.room, exc_info=error)

        task = self._rooms[called] = asyncio.create_task(working())
        task.add_done_callback(gone)

    async def _enter(self, called: Call) -> None:
        """Learn what is played in a room we were called to, and watch it if it names us."""
        try:
            charter = await self._ask(called, ANSWERED_WITHIN)
            if charter.referee != self._identity.public:
                raise RoomError("not-ours")
            if charter.table in self._watches:
                raise RoomError("watched")
            follow(charter, self._desk.player(charter))
            known = self._record.find(charter.table)
            before = "" if known is None else known[0]
            if before in ("void", "refused", "failed"):
                raise RoomError("ended")
            if not self.claims.claim(charter.table, called.room, called.key, time.monotonic()):
                raise RoomError("claimed")
        except RoomError as error:
            # A claim is refused while our own link is bad, too: they will call again.
            if error.code != "claimed":
                self._refuse(called, error.code)
            return
        self._guesses.pop(called, None)
        kept = self._record.add(charter, called.key)
        assert kept is not None
        if kept.open:
            self._record.tally("claimed")
        listens = before == "handed-over" or self.claims.inherited(charter.table)
        how = "table opened" if kept.open else "end told again"
        await self._watch(kept, how, listens=listens and kept.open)

    async def _ask(self, called: Call, within: float) -> Charter:
        channel = self._desk.channel(called.room, called.key)
        try:
            await channel.open()
            return await what_table(channel, called.room, within)
        finally:
            await channel.close()

    async def _watch(self, kept: Kept, how: str, *, listens: bool) -> None:
        watch = self._watches[kept.table] = Watch(self._desk, kept, how, listens=listens)
        try:
            await watch.run()
        finally:
            del self._watches[kept.table]
            if watch.ended:
                self.claims.release(kept.table)
                self._act()

    # Telling.

    def _link(self, up: bool) -> None:
        self.claims.link(up, time.monotonic())
        self._tell("link up" if up else "link lost")

    def _tell(self, event: str, table: bytes | None = None, **fields: object) -> None:
        self._write_line(logline(event, table, **fields))
