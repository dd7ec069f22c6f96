"""The referee at one table, from when it has claimed it to the end, or until another has.

If another process has spoken there before, it first listens, as somebody without a seat, until it
knows what the seats know; what they have of its own votes, and what was promised in claims, it has
voted. Only then, and while the claim holds, it takes part.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Protocol

from net.deck.verified import Verified
from net.link.channel import Channel
from net.link.switch import Switch
from net.meeting.onlooker import follow
from net.people.identity import KEY, Identity
from net.play.charter import Charter, read_charter
from net.play.course import Player
from net.play.digest import SIZE
from net.play.journal import Entry, Heard, JournalError, Ticket
from net.play.notices import Blamed, Ended, Notice, Returned, Ruled
from net.play.peer import TICK, Peer
from net.play.resume import restored
from net.play.rounds import Void
from net.play.stream import Stream
from net.play.table import Table
from net.play.votes import VOTE
from net.play.wire import Message, compose, parse
from net.referee.claim import Promises, fits
from net.referee.claims import Claims
from net.referee.fence import Fence
from net.referee.logline import listed
from net.referee.record import Kept, Notes, Record

log = logging.getLogger(__name__)

ABANDONED_AFTER = 24 * 3600.0
"""Seconds without a word from anybody after which a table is closed."""

QUIET = 1.0
"""Seconds without news after which we know what the seats know: longer than they take to answer."""

LISTENING = 30.0
"""Seconds after which we do not believe any more that there are steps nobody has shown us."""


class Tell(Protocol):
    """Called with an event, the table's id, and more to be told of it."""

    def __call__(self, event: str, table: bytes | None = None, **fields: object) -> None:
        """Tell it."""


@dataclass(frozen=True)
class Desk:
    """What a referee has for all its tables."""

    identity: Identity
    record: Record
    claims: Claims
    switch: Switch
    workers: Executor
    tell: Tell

    def player(self, charter: Charter) -> Player:
        """Our place at a table: every process that has our key comes to the same secret."""
        key = self.identity.key
        secret = Stream(bytes(key), b"referee", charter.table).take(SIZE)
        return Player(len(charter.chairs), key, secret)

    def channel(self, room: str, secret: bytes) -> Channel:
        """A way to hear all that is said in a room, our own words included, as nobody."""
        return Channel(self.switch.line(room), room, secrets.token_bytes(KEY), secret)


class Watch:
    """The watch at the table ``kept``, which is claimed.

    ``listens`` is whether somebody else may have spoken for us there; ``how`` is what to tell.
    """

    def __init__(self, desk: Desk, kept: Kept, how: str, *, listens: bool) -> None:
        self.peer: Peer | None = None
        """While we take part."""
        self.table = kept.table
        self._desk = desk
        self._kept = kept
        self._how = how
        self._listens = listens
        self._charter = read_charter(kept.charter)
        self._player = desk.player(self._charter)
        self._verified = Verified()
        self._open = kept.open
        self._fence: Fence | None = None
        self._again = asyncio.Event()
        self._looked = asyncio.Event()

    async def run(self) -> None:
        """Be a member until the table has ended, from wherever we were when we left it."""
        if self._listens and (ending := await self._listen()) is not None:
            self._end(ending, None)
            return
        while not self._desk.claims.speaks(self.table, time.monotonic()):
            self._looked.clear()
            await self._looked.wait()
        while await self._take_part():
            self._desk.tell("going through it again", self.table)

    @property
    def ended(self) -> bool:
        """Whether nothing is watched for here any more."""
        return not self._open

    def look(self) -> None:
        """Something may have changed in the claims."""
        self._looked.set()
        if self._fence is not None:
            self._fence.look()

    def learn(self) -> None:
        """More is promised here than we know of: we take part anew, with that in mind."""
        self._again.set()

    def hand_over(self) -> None:
        """The table is watched elsewhere; whoever runs us is to cancel that."""
        if self._open:
            self._open = False
            if self.peer is not None:
                self.peer.table.memory = None
            entries = self._desk.record.entries(self._kept)
            votes = [message.data for message in votes_of(entries, self._player.seat)]
            self._desk.record.end(self._kept, "handed-over", None, votes)

    async def _listen(self) -> str | None:
        """Follow without a word until we are up to date; how it ends, if we cannot go on."""
        table = follow(self._charter, None, self._verified)
        channel = self._desk.channel(self._kept.room, self._kept.key)
        peer = Peer(table, channel, workers=self._desk.workers)
        notes = News(self._desk.record, self._kept)
        table.memory, self._verified.learned = notes, notes.checked
        following = asyncio.create_task(outcome(peer, channel))
        begun = time.monotonic()

        def behind(now: float) -> bool:
            more = max(peer.furthest, notes.furthest) > table.step and now - begun < LISTENING
            return table.step == 0 or more or now - notes.at < QUIET

        try:
            while behind(time.monotonic()):
                done, _ = await asyncio.wait((following,), timeout=TICK)
                if done:
                    ending = following.result()
                    return ending if ending in ("abandoned", "failed") else None
            return None
        finally:
            table.memory = None
            await _stop(following)

    async def _take_part(self) -> bool:
        """Take part until it has ended; whether we are to do so anew."""
        desk, record = self._desk, self._desk.record
        self._again.clear()
        entries, promises = record.entries(self._kept), desk.claims.promises(self.table)
        notes = Vows(record, self._kept, entries)
        for vote in composed(self._player, self.table, promises):
            notes.promised(vote.data)
        loop = asyncio.get_running_loop()
        try:
            table = await loop.run_in_executor(desk.workers, self._restored, entries, promises)
        except JournalError as error:
            self._end("refused", None, why=error.code)
            return False
        except Exception:
            log.exception("table %s cannot be gone back to", self._kept.stamp)
            self._end("failed", None)
            return False
        fence = self._fence = Fence(
            desk.switch.line(self._kept.room),
            self._kept.room,
            desk.identity.public,
            self._kept.key,
            table=self.table,
            member=self._player.seat,
            claims=desk.claims,
            note=notes.promised,
        )
        peer = self.peer = Peer(table, fence, workers=desk.workers)
        if self._open:
            table.memory, self._verified.learned = notes, notes.checked
            peer.listen(self._note)
        seats = len(self._charter.chairs)
        desk.tell(self._how, self.table, game=self._charter.game, seats=seats, step=table.step)
        taking_part = asyncio.create_task(outcome(peer, fence))
        learning = asyncio.create_task(self._again.wait())
        try:
            await asyncio.wait((taking_part, learning), return_when=asyncio.FIRST_COMPLETED)
            if not taking_part.done():
                return True
            self._end(taking_part.result(), table)
            return False
        finally:
            self.peer = self._fence = None
            table.memory = None
            await _stop(learning, taking_part)

    def _restored(self, entries: Sequence[Entry], promises: Promises) -> Table:
        seat, key = self._player.seat, self._player.key
        promised = [vote.data for vote in composed(self._player, self.table, promises)]
        broken = {
            vote.data
            for vote in votes_of(entries, seat)
            if not fits(vote.body(), promises.get((vote.step, vote.prev), ()))
        }
        kept = [e for e in entries if not (isinstance(e, Heard) and e.message in broken)]
        ticket = Ticket(self._kept.charter, seat, bytes(key), self._player.secret)
        return restored(ticket, [*map(Heard, promised), *kept], self._verified)

    def _note(self, notice: Notice) -> None:
        assert self.peer is not None
        table = self.peer.table
        match notice:
            case Ruled(members):
                self._desk.record.ruled(self._kept, len(table.transcript.rulings))
                self._desk.tell("ruling", self.table, step=table.step, absent=listed(members))
            case Returned(members):
                self._desk.tell("returned", self.table, step=table.step, members=listed(members))
            case Ended():
                self._end("finished", table)
            case Blamed():
                self._end("blamed", table)

    def _end(self, state: str, table: Table | None, **fields: object) -> None:
        """Write down how it ended; what still comes of it is of no interest."""
        if not self._open:
            return
        self._open = False
        self._desk.record.end(self._kept, state, table)
        if table is not None:
            table.memory = None
            fields |= {"step": table.step, "messages": len(table.transcript.messages)}
            if table.result is not None:
                fields["scores"] = ",".join(str(score.total) for score in table.result.scores)
            if table.blame is not None:
                fields |= {"seat": table.blame.seat, "code": table.blame.code}
        event = {"finished": "result", "blamed": "blame"}.get(state, state)
        self._desk.tell(event, self.table, **fields)


class News(Notes):
    """A table's memory that knows when there was news last: ``at``, by the monotonic clock.

    ``furthest`` is the highest step that a message was for.
    """

    def __init__(self, record: Record, kept: Kept) -> None:
        super().__init__(record, kept)
        self.at = time.monotonic()
        self.furthest = 0

    def heard(self, message: bytes) -> None:
        """Soon on disk."""
        super().heard(message)
        self.at = time.monotonic()
        self.furthest = max(self.furthest, parse(message).step)


class Vows(Notes):
    """A table's memory that writes down once what is promised, after these ``entries``.

    Of a table that has ended, only its transcript is kept.
    """

    def __init__(self, record: Record, kept: Kept, entries: Iterable[Entry]) -> None:
        super().__init__(record, kept)
        self._open = kept.open
        self._written = {entry.message for entry in entries if isinstance(entry, Heard)}

    def promised(self, message: bytes) -> None:
        """On disk when this returns."""
        if self._open and message not in self._written:
            super().promised(message)
            self._written.add(message)


async def outcome(peer: Peer, channel: Channel) -> str:
    """Run ``peer`` to one of the ``net.referee.record.ENDINGS``."""
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
        await _stop(running)
    return "blamed" if peer.blame is not None else "finished"


def votes_of(entries: Iterable[Entry], member: int) -> Iterator[Message]:
    """The votes of ``member`` in a journal."""
    for entry in entries:
        message = parse(entry.message) if isinstance(entry, Heard) else None
        if message is not None and message.kind == VOTE and message.seat == member:
            yield message


def composed(player: Player, table: bytes, promises: Promises) -> Iterator[Message]:
    """The votes that were promised: signing the same again gives the same bytes."""
    for (step, prev), history in promises.items():
        seq, body = len(history) - 1, list(history)
        yield compose(player.key, table, player.seat, seq, step, prev, VOTE, body)


async def _stop(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
