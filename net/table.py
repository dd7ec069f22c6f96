"""The table: one replica of a game among peers. Bytes in, bytes out; no I/O, no clock.

The game is a script of rounds (``net/course.py``); each round is one step, in which some seats owe
one signed message each. A step closes when all are in and valid: its messages enter the transcript
in the order of seats, and the script goes on. So every replica that receives the same messages, in
whatever order, goes through the same states.

What comes out waits in three queues for whoever runs the table (``net/peer.py``): ``outbox`` (our
messages for the others), ``jobs`` (long work to run in a thread, then ``finished``), ``notices``.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from net import wire
from net.charter import Charter
from net.course import Course, Deck, Player
from net.notices import Blamed, Contributed, Ended, Happened, Notice, Progress
from net.rounds import Contributions, Fault, Gate, Here, Job, Round, Script, Start, Void
from net.transcript import Transcript
from net.wire import Message, Refusal
from rules.game import Foul, Game, Illegal, Move, Request, Result, Seat, Sight, State

AHEAD = 32
"""How many steps ahead of ours a message may be and still be kept for later."""


class Memory(Protocol):
    """Where a table notes down what its seat must not forget in a crash (``net/journal.py``)."""

    def heard(self, message: bytes) -> None:
        """A message, ours or another seat's, has been taken in."""

    def chosen(self, step: int, move: Move) -> None:
        """We have chosen: on disk when this returns, since what we publish next depends on it."""


class Table:
    """A replica of the game agreed in ``charter``; without ``player`` it only follows."""

    def __init__(self, charter: Charter, game: Game, deck: Deck, player: Player | None) -> None:
        charter.check(game)
        self.charter = charter
        self.game = game
        self.table = charter.table
        self.player = player
        self.memory: Memory | None = None
        self.transcript = Transcript(charter.data(), self.table)
        self.blame: Blamed | None = None
        self.over = False
        self.void: str | None = None
        self.chosen: Move | None = None
        self.evidence: tuple[bytes, ...] = ()
        self.outbox: deque[bytes] = deque()
        self.jobs: deque[Job] = deque()
        self.notices: deque[Notice] = deque()
        self.refused: Counter[str] = Counter()
        self.diverged: set[Seat] = set()
        self._deck = deck
        self._seats = tuple(range(len(charter.chairs)))
        self._counts = [0] * len(self._seats)
        self._said: dict[tuple[Seat, int], bytes] = {}
        self._early: dict[int, dict[Seat, Message]] = {}
        self._decided: dict[int, Move] = {}
        self._round: Round | None = None
        self._gate: Gate | None = None
        self._messages: dict[Seat, Message] = {}
        self._parsed: dict[Seat, Any] = {}
        self._owners: dict[Job, tuple[Seat, int]] = {}
        self._done: set[Job] = set()
        self._making: Job | None = None
        self._progress: dict[str, int] = {}
        self._course = Course(game, len(charter.chairs), deck, player, self._happened)
        self._script: Script[None] | None = self._course.script()
        self._ask(next(self._script))
        self._go_on()

    # What a player may look at.

    @property
    def me(self) -> Seat | None:
        """Our seat, or ``None`` if we only follow."""
        return self.player.seat if self.player else None

    @property
    def state(self) -> State:
        """The game's public state."""
        return self._course.state

    @property
    def request(self) -> Request | None:
        """What the game needs now; ``None`` before it starts and when the table has stopped."""
        return None if self.blame is not None else self._course.request

    @property
    def result(self) -> Result | None:
        """The result, when the game has ended (and ``over``, when all have signed it)."""
        return self._course.result

    @property
    def step(self) -> int:
        """The number of the open step: how many are complete."""
        return len(self.transcript.steps)

    @property
    def sight(self) -> Sight:
        """The faces our seat has seen."""
        return self._deck.sight

    @property
    def owing(self) -> frozenset[Seat]:
        """The seats whose part of the open step is not here yet."""
        if self._round is None:
            return frozenset()
        return frozenset(self._round.seats) - self._messages.keys()

    def moves(self) -> tuple[Move, ...]:
        """What we may choose now; nothing if nothing is asked of us, or we have chosen."""
        if self._round is None or self._round.answer is None or self.me not in self.owing:
            return ()
        assert self.me is not None
        return self.game.moves(self.state, self.me, self.sight)

    # What goes in.

    def choose(self, move: Move) -> None:
        """Make our move; it is sealed and sent, for good. Raises ``Illegal``, changing nothing."""
        moves = self.moves()
        if not moves:
            raise Illegal("not-asked")
        if move not in moves:
            assert self.me is not None
            self.game.check(self.state, self.me, move)
            raise Illegal("not-offered")
        assert self._round is not None
        assert self._round.answer is not None
        self.chosen = move
        if self.memory is not None:
            self.memory.chosen(self.step, move)
        self._say(self._round.answer(self._here(), move))
        self._go_on()

    def receive(self, data: bytes) -> None:
        """Take bytes from anywhere: a message of this table has its effect, all else none."""
        try:
            self.take(data)
        except Refusal as refusal:
            self.refused[refusal.code] += 1

    def take(self, data: bytes) -> None:
        """Take one message; raises ``Refusal`` if it is none, or has no effect (any more)."""
        message = wire.parse(data)
        if message.table != self.table:
            raise Refusal("other-table")
        if message.seat >= len(self._seats):
            raise Refusal("no-such-seat")
        if message.step > self.step + AHEAD:
            raise Refusal("far-ahead")
        known = self._said.get((message.seat, message.step))
        if known == data:
            raise Refusal("known")
        if not message.signed_by(self.charter.chairs[message.seat].key):
            raise Refusal("signature")
        if self.blame is not None:
            raise Refusal("stopped")
        if self.over:
            # A loser must not spoil a finished game by contradicting itself afterwards.
            raise Refusal("too-late")
        if known is not None:
            self._convict(message.seat, "two-messages", (known, data))
        elif message.step < self.step:
            raise Refusal("too-late")
        elif message.step > self.step or self._round is None:
            self._said[message.seat, message.step] = data
            self._early.setdefault(message.step, {})[message.seat] = message
            self._note(data)
        else:
            self._contribute(message)
            self._note(data)
            self._go_on()

    def remember(self, said: Iterable[bytes], decided: dict[int, Move]) -> None:
        """Before anything else: what our seat said before a crash, and what it chose by step.

        What was said is not made again, however long that would take; choices are, as they were.
        """
        self._decided = decided
        for message in map(wire.parse, said):
            if message.step > self.step and message.step not in decided:
                self._said[message.seat, message.step] = message.data
                self._early.setdefault(message.step, {})[message.seat] = message

    def finished(self, job: Job, outcome: object) -> None:
        """A job has returned ``outcome``, or raised it if it is a ``Fault``."""
        seat, step = self._owners.pop(job)
        if self.blame is not None:
            return
        if isinstance(outcome, Fault):
            self._convict(seat, outcome.code, (self._said[seat, step],))
            return
        self._count(job, done=1)
        if job is self._making:
            self._making = None
            self._progress.pop(job.name, None)
            if step == self.step and self.me in self.owing:
                self._say(outcome)
        else:
            self._done.add(job)
        self._go_on()

    def work(self) -> None:
        """Do all long work here and now, where nobody minds waiting: audits and simulations."""
        while self.jobs:
            job = self.jobs.popleft()
            try:
                outcome: object = job.run()
            except Fault as fault:
                outcome = fault
            self.finished(job, outcome)

    # What the others may need from us.

    def held(self) -> frozenset[Seat]:
        """The seats whose message of the open step we have."""
        return frozenset(self._messages) | frozenset(self._early.get(self.step, ()))

    def mine(self) -> Iterator[bytes]:
        """Our own newest messages, which somebody may have missed when the link went."""
        newest = self.transcript.steps[-1] if self.transcript.steps else ()
        for message in (*map(wire.parse, newest), *self._messages.values()):
            if message.seat == self.me:
                yield message.data

    def since(self, step: int, without: frozenset[Seat]) -> Iterator[Message]:
        """The messages we have from ``step`` on; of that step, none of the seats ``without``."""
        for number in range(step, self.step):
            for message in map(wire.parse, self.transcript.steps[number]):
                if number > step or message.seat not in without:
                    yield message
        for seat, message in self._messages.items():
            if self.step > step or seat not in without:
                yield message
        yield from map(wire.parse, self.evidence)

    # The machine that runs the script.

    def _go_on(self) -> None:
        while self._script is not None:
            answer: Contributions = {}
            if self._round is not None:
                if self.owing:
                    return
                answer = self._close()
            elif self._gate is not None:
                jobs = {job for _, job in self._gate.jobs}
                if not jobs <= self._done:
                    return
                self._done -= jobs
                self._gate = None
                for job in jobs:
                    self._progress.pop(job.name, None)
            try:
                self._ask(self._script.send(answer))
            except StopIteration:
                self._script = None
                self.over = True
                assert self.result is not None
                self.notices.append(Ended(self.result))
            except Foul as foul:
                self._convict(foul.seat, foul.code)
            except Void as void:
                self._script = None
                self.void = void.code

    def _ask(self, asked: Round | Start | Gate) -> None:
        if isinstance(asked, Start | Gate):
            for seat, job in asked.jobs:
                self._begin(job, seat)
            if isinstance(asked, Gate):
                self._gate = asked
            return
        self._round = asked
        if asked.answer is not None and self.step in self._decided and self.me in asked.seats:
            self.chosen = self._decided[self.step]
            self._say(asked.answer(self._here(), self.chosen))
            self._early.get(self.step, {}).pop(self.me, None)
        # Somebody may hand us what we said ourselves before we were restarted.
        said = self.me in self._early.get(self.step, {})
        if self.me is not None and self.me in asked.seats and asked.make is not None and not said:
            made = asked.make(self._here())
            if isinstance(made, Job):
                self._making = made
                self._begin(made, self.me)
            else:
                self._say(made)
        for message in self._early.pop(self.step, {}).values():
            if self.blame is None:
                try:
                    self._contribute(message)
                except Refusal as refusal:
                    self.refused[refusal.code] += 1

    def _happened(self, notice: Happened) -> None:
        self.chosen = None
        self.notices.append(notice)

    def _here(self) -> Here:
        return Here(self.table, self.step, self.transcript.head)

    def _close(self) -> Contributions:
        assert self._round is not None
        seats = self._round.seats
        self.transcript.close(self._messages[seat].data for seat in seats)
        parsed = {seat: self._parsed[seat] for seat in seats}
        for seat in seats:
            self._counts[seat] += 1
        self._messages.clear()
        self._parsed.clear()
        self._round = None
        return parsed

    def _begin(self, job: Job, seat: Seat) -> None:
        if job not in self._owners and job not in self._done:
            # A job checks what its seat has just said, or makes what we are about to say.
            step = self.step if self._round else self.step - 1
            self._owners[job] = seat, step
            self.jobs.append(job)
            self._count(job)

    def _count(self, job: Job, done: int = 0) -> None:
        total = self._progress.get(job.name, 0) + done
        self._progress[job.name] = total
        self.notices.append(Progress(job.name, total, job.of))

    def _say(self, body: Any) -> None:
        assert self.player is not None
        assert self._round is not None
        seat, kind = self.player.seat, self._round.kind
        message = wire.compose(
            self.player.key,
            self.table,
            seat,
            self._counts[seat],
            self.step,
            self.transcript.head,
            kind,
            body,
        )
        self._said[seat, self.step] = message.data
        self._contribute(message)
        self._note(message.data)
        self.outbox.append(message.data)

    def _note(self, data: bytes) -> None:
        if self.memory is not None:
            self.memory.heard(data)

    def _contribute(self, message: Message) -> None:
        """Count a signed message of the open step in; ``Refusal`` if it is not one."""
        assert self._round is not None
        seat = message.seat
        self._said[seat, self.step] = message.data
        if message.prev != self.transcript.head:
            self.diverged.add(seat)
            raise Refusal("other-past")
        if seat not in self._round.seats:
            raise Refusal("not-asked")
        try:
            if message.kind != self._round.kind:
                raise Fault("wrong-kind", message.kind)
            if message.seq != self._counts[seat]:
                raise Fault("wrong-count", message.seq)
            try:
                body = message.body()
            except Refusal as refusal:
                raise Fault("bad-body") from refusal
            self._parsed[seat] = self._round.check(self._here(), seat, body)
        except Fault as fault:
            self._convict(seat, fault.code, (message.data,))
            return
        self._messages[seat] = message
        self.notices.append(Contributed(seat))

    def _convict(self, seat: Seat, code: str, evidence: tuple[bytes, ...] = ()) -> None:
        """Stop the table: ``seat`` is to blame, by its own signature on ``evidence``.

        The evidence goes out again, so that those who were shown something else see it too. What
        of it is not among the complete steps is kept after them.
        """
        self.blame = Blamed(seat, code)
        self._script = self._round = self._gate = self._making = None
        self.jobs.clear()
        self.evidence = evidence
        said = {data for step in self.transcript.steps for data in step}
        self.transcript.evidence = [data for data in evidence if data not in said]
        self.outbox.extend(evidence)
        self.notices.append(self.blame)
