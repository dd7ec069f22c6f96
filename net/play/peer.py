"""A seat at work: one table, one channel to the others, threads for long work, a file at the end.

Everything happens in one asyncio loop; only jobs run in threads. Whoever looks on (a screen, a bot)
listens for notices and calls ``choose``.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from net.link.channel import Channel
from net.meeting.seating import Echo, Seating
from net.people.talk import Talk
from net.play.journal import Journal
from net.play.notices import Away, Link, Notice, Past
from net.play.patience import Patience
from net.play.rounds import Fault, Job, Void
from net.play.sync import Sync
from net.play.table import Table
from net.play.transcript import file_name
from rules.bots import Chooser
from rules.game import Game, Move, Request, Result, Seat, Sight, State

log = logging.getLogger(__name__)

TICK = 0.25
"""Seconds between two looks at the clock."""

THREADS = 2
"""Threads for long work: one for our own shuffle, one for checking; more only fight for the GIL."""

CALL_EVERY = 3.0
"""Seconds between two calls for a referee that has not been heard yet."""

LINGER = 5.0
"""Seconds to stay after the end for seats that have not seen it yet."""


class Peer:
    """One seat's sitting at a table; what a screen needs to show it and to play.

    ``folder`` is where the transcript is saved when the table ends, if anywhere; ``journal`` is
    where the table notes down what it must not forget, until then. ``seating`` goes on talking
    until every seat has signed the charter; ``crew`` are peers of this process that run
    while this one does (the bots of a local table); ``workers`` runs the long work, if several
    peers are to share the threads for it (the one with the crew ends them). ``talk`` is the chat
    here, if there is any.
    """

    def __init__(
        self,
        table: Table,
        channel: Channel,
        *,
        folder: Path | None = None,
        journal: Journal | None = None,
        seating: Seating | Echo | None = None,
        crew: Sequence[Peer] = (),
        workers: Executor | None = None,
        talk: Talk | None = None,
    ) -> None:
        self.table = table
        self.talk = talk
        if talk is not None:
            talk.sit([(chair.key, chair.name) for chair in table.charter.chairs])
        self.saved: Path | None = None
        self._channel = channel
        self.past = tuple(notice for notice in table.notices if isinstance(notice, Past))
        """What had happened at the table before this process came (back) to it."""
        table.notices.clear()
        table.memory = journal
        self._folder = folder
        self._journal = journal
        self._seating = seating
        self._crew = crew
        self._workers = workers or ThreadPoolExecutor(THREADS, "farfadet")
        self._borrows_workers = workers is not None and not crew
        self._failure: Exception | None = None
        self._sync = Sync(table)
        self._listeners: list[Callable[[Notice], None]] = []
        self._wake = asyncio.Event()
        self._jobs: set[asyncio.Task[None]] = set()
        self._link_up = False
        self.away: frozenset[Seat] = frozenset()
        """The members that have not been heard for a while."""
        self._patience = Patience(table)
        self._called = 0.0
        self._stand_in: Chooser | None = None
        # Whoever sat down first is speaking already.
        channel.listen(self._hear, self._link)

    # What a screen looks at.

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.table.game

    @property
    def state(self) -> State:
        """The game's public state."""
        return self.table.state

    @property
    def request(self) -> Request | None:
        """What the game needs now; ``None`` before it starts and after somebody was convicted."""
        return self.table.request

    @property
    def me(self) -> Seat | None:
        """Our seat."""
        return self.table.me

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names: text from the network, not yet made harmless."""
        return self.table.charter.names

    @property
    def sight(self) -> Sight:
        """The faces our seat has seen."""
        return self.table.sight

    @property
    def owing(self) -> frozenset[Seat]:
        """The seats whose part of the open step is still missing."""
        return self.table.owing

    @property
    def asked(self) -> frozenset[Seat]:
        """The seats that are asked for a choice in the open step, and have not made it."""
        return self.table.asked

    @property
    def members(self) -> frozenset[Seat]:
        """All seats, and the referee if there is one: who votes on absences."""
        return self.table.roster.members

    @property
    def chosen(self) -> Move | None:
        """The move we have made in the open choice."""
        return self.table.chosen

    @property
    def blame(self) -> tuple[Seat, str] | None:
        """Who stopped the table by breaking the protocol, and how."""
        blame = self.table.blame
        return None if blame is None else (blame.seat, blame.code)

    @property
    def result(self) -> Result | None:
        """The result, once every seat has signed it."""
        return self.table.result if self.table.over else None

    @property
    def step(self) -> int:
        """How many steps are complete."""
        return self.table.step

    @property
    def furthest(self) -> int:
        """The highest step that another member has said to be open for it."""
        return self._sync.furthest

    @property
    def messages(self) -> int:
        """How many signed messages the transcript has."""
        return len(self.table.transcript.messages)

    @property
    def absent(self) -> frozenset[Seat]:
        """The members that have been ruled absent: nobody waits for them."""
        return self.table.roster.absent

    @property
    def patience(self) -> float | None:
        """Seconds until those who are asked to choose can be ruled absent; ``None``: no limit."""
        return self._patience.left(time.monotonic())

    @property
    def impatient(self) -> bool:
        """Whether our player wants to go on, in this step, without those who are away."""
        return self._patience.impatient

    @property
    def stays_out(self) -> bool:
        """Whether, being absent, we come back only when our player says so."""
        return self._patience.stays_out

    def moves(self) -> tuple[Move, ...]:
        """What we may choose now; nothing if nothing is asked of us or we have chosen."""
        return self.table.moves()

    def choose(self, move: Move) -> None:
        """Make our move, for good. Raises ``rules.game.Illegal``, changing nothing."""
        self.table.choose(move)
        self._patience.chose()
        self._drain()

    def delegate(self, choose: Chooser | None) -> None:
        """Let a program make our choices from now on; with ``None`` our player does again."""
        self._stand_in = choose
        self._drain()

    @property
    def delegated(self) -> bool:
        """Whether a program makes our choices."""
        return self._stand_in is not None

    def go_on(self) -> None:
        """Want to go on without those who are away and owe something; the others must agree."""
        self._patience.go_on()

    def come_back(self) -> None:
        """Be waited for again, after having been ruled absent; it is done at the next roll."""
        self._patience.come_back()
        self._drain()

    def listen(self, callback: Callable[[Notice], None]) -> None:
        """Call ``callback`` with every notice from now on, in the loop that runs this peer."""
        self._listeners.append(callback)

    # What makes it run.

    async def run(self) -> None:
        """Play until the table has ended and every seat knows; cancel it to leave before.

        Raises ``net.link.transport.TransportError`` if the broker does not want us,
        ``net.play.rounds.Void`` if the game cannot go on and nobody can be convicted, and whatever
        else a job has raised.
        """
        crew = [asyncio.create_task(peer.run()) for peer in self._crew]
        try:
            # Who goes back to a table may come before its broker does.
            await self._channel.reach()
            self._link_up = True
            # Who comes late has much to be told.
            self._sync.hurry()
            await self._run()
        finally:
            self._save()
            for task in (*crew, *self._jobs):
                task.cancel()
            await asyncio.gather(*crew, *self._jobs, return_exceptions=True)
            if not self._borrows_workers:
                self._workers.shutdown(wait=False, cancel_futures=True)
            await self._channel.close()
            if self._journal is not None:
                self._end_journal(self._journal)

    def _end_journal(self, journal: Journal) -> None:
        """Keep it if the game can be gone on with; what has ended needs no secrets any more."""
        table = self.table
        if table.over or table.blame is not None or table.void is not None:
            journal.discard()
        else:
            journal.close()

    async def _run(self) -> None:
        ended: float | None = None
        while True:
            now = time.monotonic()
            self._tick(now)
            if self._failure is not None:
                raise self._failure
            if self.table.void is not None:
                raise Void(self.table.void)
            if self.table.over or self.table.blame is not None:
                if ended is None:
                    ended = now
                    self._channel.take_down()
                    self._save()
                    self._sync.hurry()
                    self._tick(now)
                if self._sync.all_done or now - ended > LINGER:
                    return
            self._wake.clear()
            # Not ``wait_for``: that of Python 3.11 may swallow a cancellation.
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await self._wake.wait()

    def _tick(self, now: float) -> None:
        self._channel.tick()
        for payload in self._sync.tick(now):
            self._channel.publish("sync", payload)
        if self._seating is not None:
            for payload in self._seating.tick(now):
                self._channel.publish("room", payload)
            if self.table.step > 0:
                self._seating = None
        away = self._sync.away(now) if self._link_up else self.away
        if away != self.away:
            self.away = away
            self._tell(Away(away))
        if self._link_up:
            self._patience.tick(now, self.away)
            self._call_referee(now)
        self._drain()

    def _call_referee(self, now: float) -> None:
        """Let the referee know the way here, until it has been heard, and when it is silent."""
        charter = self.table.charter
        referee = len(charter.chairs)
        if not charter.referee or self.me == referee:
            return
        if self._sync.met(referee) and referee not in self.away:
            return
        if self.me is not None and not self.table.over and now - self._called > CALL_EVERY:
            self._called = now
            self._channel.call(charter.referee)

    def _hear(self, kind: str, payload: bytes) -> None:
        now = time.monotonic()
        if kind == "log":
            self.table.receive(payload)
        elif kind == "sync":
            for answer in self._sync.receive(payload, now):
                self._channel.publish("sync", answer)
        elif kind == "room" and self._seating is not None:
            self._seating.receive(payload, now)
        self._drain()
        if self.table.diverged or self.table.over or self.table.blame is not None:
            self._wake.set()

    def _link(self, up: bool) -> None:
        self._link_up = up
        if up:
            self._patience.meet_again()
            self._sync.meet_again()
            self._sync.hurry()
            for message in self.table.mine():
                self._channel.publish("log", message)
            self._wake.set()
        self._tell(Link(up))

    def _drain(self) -> None:
        while self.table.outbox:
            self._channel.publish("log", self.table.outbox.popleft())
        while self.table.jobs:
            task = asyncio.create_task(self._work(self.table.jobs.popleft()))
            self._jobs.add(task)
            task.add_done_callback(self._jobs.discard)
        while self.table.notices:
            self._tell(self.table.notices.popleft())
        if self._stand_in is not None and self.me is not None and self.moves():
            self.choose(self._stand_in(self.game, self.state, self.me, self.sight))

    async def _work(self, job: Job) -> None:
        outcome: object
        try:
            outcome = await asyncio.get_running_loop().run_in_executor(self._workers, job.run)
        except Fault as fault:
            outcome = fault
        except Exception as error:
            self._failure = error
            self._wake.set()
            return
        self.table.finished(job, outcome)
        self._drain()
        self._wake.set()

    def _tell(self, notice: Notice) -> None:
        self._patience.told(notice)
        for callback in tuple(self._listeners):
            callback(notice)

    def _save(self) -> None:
        if self._folder is None or self.table.step == 0:
            return
        # Half of what others are playing is of no use, and may be in the way of their own file.
        if self.me is None and not self.table.over:
            return
        path = self._folder / file_name(self.game.name, self.table.table)
        try:
            self.table.transcript.save(path)
        except OSError as error:
            log.warning("transcript not saved: %s", error)
            return
        self.saved = path
