"""The table: one replica of a game among peers. Bytes in, bytes out; no I/O, no clock.

The game is a script of rounds (``net/play/course.py``); each round is one step, in which some seats
owe one signed message each. A step closes when all are in and valid, or when those who are missing
have been ruled absent (``net/play/ballots.py``): its messages enter the transcript in the order of
seats, and the script goes on. So every replica that receives the same messages, in whatever order,
goes through the same states.

What comes out waits for whoever runs the table (``net/play/peer.py``): ``outbox`` (our messages for
the others), ``jobs`` (long work to run in a thread, then ``finished``), ``notices``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from net.play import wire
from net.play.ballots import Ballots, most
from net.play.charter import Charter
from net.play.course import Deck, Player
from net.play.machine import Guilt, Machine, Mind
from net.play.notices import Blamed, Past, Rewound
from net.play.roster import BACK
from net.play.rounds import Fault, Job
from net.play.transcript import Ruling
from net.play.view import View
from net.play.votes import VOTE, Contradiction, Place, Votes
from net.play.wire import Message, Refusal
from rules.game import Game, Illegal, Move, Seat

AHEAD = 32
"""How many steps ahead of ours a message may be and still be kept for later."""

REOPEN = 4
"""How many steps back a step that hangs may be opened again."""

PASTS = 4
"""How many early messages of one seat for one step are kept, if their pasts differ."""


class Table(View):
    """A replica of the game agreed in ``charter``; without ``player`` it only follows.

    ``deck`` makes the deck to play with. A player whose seat is the number of seats is the referee.
    """

    def __init__(
        self, charter: Charter, game: Game, deck: Callable[[], Deck], player: Player | None
    ) -> None:
        charter.check(game)
        self.charter = charter
        self._keys = charter.keys
        self.table = charter.table
        self.player = player
        self.evidence: tuple[bytes, ...] = ()
        self.diverged: set[Seat] = set()
        mind = Mind(player)
        self._make_deck = deck
        super().__init__(game, Machine(charter, game, deck(), mind), mind)
        self._votes = Votes(self.roster, self.me)
        self._machine.start()
        self._go_on()

    @property
    def proposed(self) -> frozenset[Seat]:
        """The members that somebody wants to go on without in the open step."""
        ballots = self._ballots(self.step)
        return frozenset() if ballots is None else ballots.proposed

    @property
    def voters(self) -> frozenset[Seat]:
        """The members that have voted in the open step."""
        ballots = self._ballots(self.step)
        return frozenset() if ballots is None else ballots.voters

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
        here = self._machine.here
        self._mind.decided[here.step, here.prev] = move
        if self.memory is not None:
            self.memory.chosen(here, move)
        self._machine.answer(move)
        self._go_on()

    def vote(self, absent: frozenset[Seat]) -> None:
        """Want to go on without those of ``absent`` who are present, if the step needs one of them.

        To be repeated as long as one wants it: what it takes may change with what others vote.
        """
        present = self.roster.present
        wanted = (absent & present) - {self.me}
        if self.me in present and self.step > 0 and wanted & self.owing:
            ballots = self._votes.box(self._place(self.step), present)
            self._cast(self.step, ballots.vote(wanted))
            self._go_on()
        self._release(absent)

    def _release(self, silent: frozenset[Seat]) -> None:
        """Free somebody whose vote hangs on the ``silent``, in a step just closed here, or not."""
        for step in range(max(1, self.step - REOPEN), self.step + 1):
            ballots = self._ballots(step)
            if ballots is None or self.me not in ballots.present or not ballots.hangs(silent):
                continue
            ruling = self.transcript.rulings.get(step)
            ruled = frozenset[Seat]() if ruling is None else ruling.absent
            history = ballots.vote((silent | ruled) - {self.me})
            if history is not None:
                self._cast(step, history)
                if step < self.step:
                    self._rewind(step)
                self._go_on()
                return

    def passed(self, member: Seat, step: int) -> None:
        """``member`` has signed that ``step`` is open for it: all before are closed."""
        if step > self._mind.passed.get(member, 0):
            self._mind.passed[member] = step
            self._go_on()

    def come_back(self) -> None:
        """Say that we are here again, if we have been ruled absent."""
        player = self.player
        place = None if player is None else self.roster.since(player.seat)
        if player is not None and place is not None and player.seat not in self.roster.backs:
            message = wire.compose(
                player.key, self.table, player.seat, 0, place.step, place.prev, BACK, None
            )
            self.roster.take(message)
            self._mind.say(message)

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
        if message.seat >= len(self._keys):
            raise Refusal("no-such-seat")
        if message.step > self.step + AHEAD:
            raise Refusal("far-ahead")
        if message.kind == VOTE:
            self._take_vote(message)
        elif message.kind == BACK:
            self.roster.take(message)
            self._note(message)
        else:
            self._take_contribution(message)

    def _take_contribution(self, message: Message) -> None:
        seat, step, data = message.seat, message.step, message.data
        place = seat, step, message.prev
        known = self._mind.said.get(place)
        if known == data:
            raise Refusal("known")
        if not message.signed_by(self._keys[seat]):
            raise Refusal("signature")
        if self.blame is not None:
            raise Refusal("stopped")
        if step < self.step and self._late(message):
            self._note(message)
            return
        if self.over:
            # A loser must not spoil a finished game by contradicting itself afterwards.
            raise Refusal("too-late")
        if known is not None:
            self._convict(Guilt(seat, "two-messages", (known, data)))
            return
        if step < self.step:
            raise Refusal("too-late")
        if step > self.step or self._machine.round is None:
            early = self._mind.early.setdefault(step, {})
            if sum(other == seat for other, _ in early) >= PASTS:
                raise Refusal("too-many")
            early[seat, message.prev] = message
        elif message.prev != self.transcript.head:
            if seat in self.roster.present:
                self.diverged.add(seat)
            raise Refusal("other-past")
        self._mind.said[place] = data
        if step == self.step and self._machine.round is not None:
            try:
                self._machine.contribute(message)
            except Guilt as guilt:
                self._convict(guilt)
        self._note(message)
        self._go_on()

    def _late(self, message: Message) -> bool:
        """Whether this is what a seat had to say in a step in which it was ruled absent."""
        step, seat, late = message.step, message.seat, self.transcript.late
        ruling = self.transcript.rulings.get(step)
        if ruling is None or seat not in ruling.absent or (step, seat) in late:
            return False
        if message.prev != self.transcript.head_at(step):
            return False
        late[step, seat] = message.data
        return True

    def _take_vote(self, message: Message) -> None:
        step, there = message.step, self._machine.there
        if step >= len(there) or message.prev != self.transcript.head_at(step):
            raise Refusal("other-past")
        if self.blame is not None:
            raise Refusal("stopped")
        try:
            ballots = self._votes.take(message, there[step])
        except Contradiction as found:
            self._convict(Guilt(message.seat, "two-votes", found.evidence))
            return
        self._note(message)
        if step == self.step:
            self._go_on()
            if step == self.step and not self.owing:
                self._cast(step, ballots.hold())
            return
        # The step is closed here: was it closed otherwise elsewhere?
        ruling, ours = ballots.ruling(), self.transcript.rulings.get(step)
        if ruling is not None and (ours is None or ours.absent != ruling[1]):
            self._rewind(step)
        else:
            self._cast(step, ballots.hold())

    def remember(self, said: Iterable[bytes], decided: Mapping[tuple[int, bytes], Move]) -> None:
        """Before anything else: what was said before a crash, and what we chose, by place.

        What we said ourselves is not made again (it may take long); choices are, as they were.
        """
        self._mind.decided.update(decided)
        for message in map(wire.parse, said):
            place = message.step, message.prev
            if message.seat != self.me or message.kind == BACK:
                continue
            if message.kind == VOTE:
                self._votes.remember(message)
            elif message.step > self.step and place not in self._mind.decided:
                self._mind.said[message.seat, message.step, message.prev] = message.data
                early = self._mind.early.setdefault(message.step, {})
                early[message.seat, message.prev] = message

    def finished(self, job: Job, outcome: object) -> None:
        """A job has returned ``outcome``, or raised it if it is a ``Fault``."""
        if self.blame is None:
            try:
                self._machine.finished(job, outcome)
            except Guilt as guilt:
                self._convict(guilt)
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
        early = self._mind.early.get(self.step, ())
        return frozenset(self._machine.messages) | {seat for seat, _ in early}

    def mine(self) -> Iterator[bytes]:
        """Our own newest messages, which somebody may have missed when the link went."""
        for message in self.since(max(0, self.step - 1), frozenset()):
            if message.seat == self.me:
                yield message.data

    def since(self, step: int, without: frozenset[Seat]) -> Iterator[Message]:
        """The messages we have from ``step`` on; of that step, none of the seats ``without``."""
        for later in range(step, self.step + 1):
            said = self.transcript.said(later) if later < self.step else self._open()
            for message in map(wire.parse, said):
                if later > step or message.kind == VOTE or message.seat not in without:
                    yield message
            for voter, vote in self._votes.signed(self._place(later)).items():
                # Those who still vote in a closed step need to know that we do not.
                if later == self.step or voter == self.me:
                    yield wire.parse(vote)
        yield from map(wire.parse, self.roster.backs.values())
        yield from map(wire.parse, self.evidence)

    def _open(self) -> tuple[bytes, ...]:
        return tuple(message.data for message in self._machine.messages.values())

    # What follows from it.

    def _go_on(self) -> None:
        while self.blame is None:
            try:
                if not self._machine.pass_gate() and not self._close():
                    return
            except Guilt as guilt:
                self._convict(guilt)

    def _close(self) -> bool:
        """Close the open step, if it can be, with or without a ruling."""
        if self._machine.round is None:
            return False
        step, ballots = self.step, self._ballots(self.step)
        found = None if ballots is None else ballots.ruling()
        ruling: Ruling | None = None
        if found is not None:
            if self.owing - found[1]:
                return False
            ruling = self._votes.ruling(self._place(step), *found)
        elif self.owing or not (ballots is None or ballots.free() or self._outrun()):
            return False
        if ballots is not None:
            self._cast(step, ballots.hold())
        self._machine.close(ruling)
        return True

    def _outrun(self) -> bool:
        """Whether most members are past the open step: if it was ruled on, they will tell us."""
        past = [step for member, step in self._mind.passed.items() if member != self.me]
        return most(sum(step > self.step for step in past), len(self._keys))

    def _place(self, step: int) -> Place:
        return step, self.transcript.head_at(step)

    def _ballots(self, step: int) -> Ballots | None:
        there = self._machine.there
        return self._votes.at(self._place(step), there[step]) if step < len(there) else None

    def _cast(self, step: int, history: tuple[int, ...] | None) -> None:
        if history is None or self.player is None:
            return
        head, (key, seat) = self.transcript.head_at(step), (self.player.key, self.player.seat)
        seq, body = len(history) - 1, list(history)
        message = wire.compose(key, self.table, seat, seq, step, head, VOTE, body)
        self._votes.keep(message, history)
        self._mind.say(message, once=True)

    def _rewind(self, step: int) -> None:
        """Go through ``step`` and what follows again: it is to be closed in another way.

        What we have said after the same past is said again as it was.
        """
        mind, old = self._mind, self._machine
        past = [data for number in range(step) for data in self.transcript.said(number)]
        newer = [data for number in range(step, old.step) for data in old.transcript.said(number)]
        newer += self._open()
        ours = [data for (seat, _, _), data in mind.said.items() if seat == mind.me]
        memory, mind.memory = mind.memory, None
        mind.notices.clear()
        mind.said.clear()
        mind.early.clear()
        self._machine = Machine(self.charter, self.game, self._make_deck(), mind)
        self.remember(ours, {})
        self._machine.start()
        self._go_on()
        for data in past:
            self.work()
            self.receive(data)
        mind.memory = memory
        told = (notice for notice in mind.notices if isinstance(notice, Past))
        rewound = Rewound(tuple(told))
        mind.notices.clear()
        mind.notices.append(rewound)
        for data in newer:
            self.work()
            self.receive(data)
        self.work()

    def _note(self, message: Message) -> None:
        if self.memory is not None:
            self.memory.heard(message.data)

    def _convict(self, guilt: Guilt) -> None:
        """Stop the table: somebody is to blame, by its own signature on the evidence.

        The evidence goes out again, so that those who were shown something else see it too. What
        of it is not among the complete steps is kept after them.
        """
        self.blame = Blamed(guilt.seat, guilt.code)
        self._machine.stop()
        self.evidence = guilt.evidence
        said = set(self.transcript.messages)
        self.transcript.evidence = [data for data in guilt.evidence if data not in said]
        self.outbox.extend(guilt.evidence)
        self.notices.append(self.blame)
