"""The machine that runs a game's script: asks for rounds, closes steps, goes through the states.

It trusts what it is given: ``net/play/table.py`` has looked at signatures, pasts and repetitions,
and knows when a step may be closed without somebody. A machine only goes forward; a table that has
to take something back starts a new one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from net.play import wire
from net.play.charter import Charter
from net.play.course import Course, Deck, Player
from net.play.digest import digest, number
from net.play.notices import Contributed, DealtAnew, Ended, Happened, Notice, Returned, Ruled
from net.play.roster import Roster
from net.play.rounds import (
    Absent,
    Ask,
    Contributions,
    Fault,
    Gate,
    Here,
    Job,
    Present,
    Round,
    Script,
    Start,
    Void,
)
from net.play.transcript import Ruling, Transcript
from net.play.wire import Message, Refusal
from net.play.works import Works
from rules.game import Foul, Game, Move, Seat


class Memory(Protocol):
    """Where a table notes down what its seat must not forget in a crash (``journal.py``)."""

    def heard(self, message: bytes) -> None:
        """A message, ours or another seat's, has been taken in."""

    def chosen(self, here: Here, move: Move) -> None:
        """We have chosen: on disk when this returns, since what we publish next depends on it."""

    def promised(self, message: bytes) -> None:
        """We have signed what we could not make again: on disk when this returns."""


@dataclass
class Mind:
    """What lasts when a machine is replaced by another: who we are, what we know, say and tell."""

    player: Player | None
    memory: Memory | None = None
    outbox: deque[bytes] = field(default_factory=deque)
    notices: deque[Notice] = field(default_factory=deque)
    refused: Counter[str] = field(default_factory=Counter)
    decided: dict[tuple[int, bytes], Move] = field(default_factory=dict)
    """Our choices, by step and what came before."""
    said: dict[tuple[Seat, int, bytes], bytes] = field(default_factory=dict)
    """What each seat has said in which step, after what."""
    early: dict[int, dict[tuple[Seat, bytes], Message]] = field(default_factory=dict)
    """Messages for later steps, by sender and what came before."""
    passed: dict[Seat, int] = field(default_factory=dict)
    """The highest step that each member has signed to be open for it."""

    @property
    def me(self) -> Seat | None:
        """Our seat, or ``None`` if we only follow."""
        return self.player.seat if self.player else None

    def say(self, message: Message, *, once: bool = False) -> None:
        """Note down, for certain if we could not say it again, and publish what we have signed."""
        if self.memory is not None:
            note = self.memory.promised if once else self.memory.heard
            note(message.data)
        self.outbox.append(message.data)


class Guilt(Exception):
    """``seat`` has broken the protocol; ``evidence`` is what it has signed, if that shows it."""

    def __init__(self, seat: Seat, code: str, evidence: tuple[bytes, ...] = ()) -> None:
        super().__init__(seat, code)
        self.seat = seat
        self.code = code
        self.evidence = evidence


class Machine:
    """A run of the game agreed in ``charter``, from its beginning; ``start`` it first."""

    def __init__(self, charter: Charter, game: Game, deck: Deck, mind: Mind) -> None:
        self.transcript = Transcript(charter.data(), charter.table)
        self.roster = Roster(charter.table, charter.keys, len(charter.chairs))
        self.works = Works()
        self.deck = deck
        self.course = Course(
            game, len(charter.chairs), deck, mind.player, self.roster, self._happened
        )
        self.round: Round | None = None
        self.messages: dict[Seat, Message] = {}
        """Of the open step."""
        self.there: list[frozenset[Seat]] = []
        """The members that were present when each step was opened."""
        self.over = False
        self.void: str | None = None
        self.chosen: Move | None = None
        self._mind = mind
        self._counts = [0] * len(charter.keys)
        self._gate: Gate | None = None
        self._parsed: dict[Seat, Any] = {}
        self._script: Script[None] | None = None

    @property
    def step(self) -> int:
        """The number of the open step: how many are complete."""
        return len(self.transcript.steps)

    @property
    def here(self) -> Here:
        """The place of the open step."""
        return Here(self.transcript.table, self.step, self.transcript.head)

    @property
    def owing(self) -> frozenset[Seat]:
        """The members whose part of the open step is not here yet, and is waited for."""
        if self.round is None:
            return frozenset()
        return frozenset(self.round.seats) - self.messages.keys() - self.roster.absent

    # What moves it. Each of these may raise ``Guilt``.

    def start(self) -> None:
        """Ask for the first round."""
        self._script = self.course.script()
        self._ask(next(self._script))

    def stop(self) -> None:
        """Never move again."""
        self._script = self.round = self._gate = None
        self.works = Works()

    def pass_gate(self) -> bool:
        """Go on at a gate, if there is one and its jobs are done; whether something has moved."""
        if self._script is None or self.round is not None:
            return False
        if self._gate is not None and not self.works.settled(job for _, job in self._gate.jobs):
            return False
        self._gate = None
        self._advance({})
        return True

    def close(self, ruling: Ruling | None) -> None:
        """Close the open step with the messages that are here, and go on."""
        assert self.round is not None
        step, seats = self.step, self.round.seats
        without = frozenset[Seat]() if ruling is None else ruling.absent
        there = tuple(seat for seat in seats if seat in self.messages and seat not in without)
        late = [self.messages[seat] for seat in without if seat in self.messages]
        self.transcript.close((self.messages[seat].data for seat in there), ruling)
        answer: Contributions = {
            seat: self._parsed[seat] if seat in there else self._absent(seat) for seat in seats
        }
        for seat in there:
            self._counts[seat] += 1
        self.messages.clear()
        self._parsed.clear()
        self.round = self.works.making = None
        if without:
            self._rule(step, without, late)
        self._advance(answer)

    def contribute(self, message: Message) -> None:
        """Count a signed message of the open step in; ``Refusal`` if nobody asked for it."""
        assert self.round is not None
        seat = message.seat
        if seat not in self.round.seats or seat in self.roster.absent:
            raise Refusal("not-asked")
        try:
            if message.kind != self.round.kind:
                raise Fault("wrong-kind", message.kind)
            if message.seq != self._counts[seat]:
                raise Fault("wrong-count", message.seq)
            try:
                body = message.body()
            except Refusal as refusal:
                raise Fault("bad-body") from refusal
            self._parsed[seat] = self.round.check(self.here, seat, body)
        except Fault as fault:
            raise Guilt(seat, fault.code, (message.data,)) from fault
        self.messages[seat] = message
        self._mind.notices.append(Contributed(seat))

    def answer(self, move: Move) -> None:
        """Make our move in the open step."""
        assert self.round is not None
        assert self.round.answer is not None
        self.chosen = move
        self._say(self.round.answer(self.here, move))

    def finished(self, job: Job, outcome: object) -> None:
        """A job has returned ``outcome``, or raised it if it is a ``Fault``."""
        owner = self.works.owner(job)
        if owner is None:
            return
        seat, step = owner
        if isinstance(outcome, Fault):
            said = self._mind.said.get((seat, step, self.transcript.head_at(step)))
            raise Guilt(seat, outcome.code, () if said is None else (said,))
        ours = job is self.works.making
        self._mind.notices.append(self.works.finish(job))
        if ours and step == self.step and self._mind.me in self.owing:
            self._say(outcome)

    # How it moves.

    def _advance(self, answer: Contributions) -> None:
        assert self._script is not None
        try:
            asked = self._script.send(answer)
            while isinstance(asked, Present):
                asked = self._script.send(dict.fromkeys(self.roster.present & self.roster.seats))
            self._ask(asked)
        except StopIteration:
            self._script = None
            self.over = True
            assert self.course.result is not None
            self._mind.notices.append(Ended(self.course.result))
        except Foul as foul:
            raise Guilt(foul.seat, foul.code) from foul
        except Void as void:
            self._script = None
            self.void = void.code

    def _ask(self, asked: Ask) -> None:
        if isinstance(asked, Start | Gate):
            for seat, job in asked.jobs:
                self._begin(job, seat)
            self._gate = asked if isinstance(asked, Gate) else None
            return
        assert isinstance(asked, Round)
        self.round = asked
        self.there.append(self.roster.present)
        early = self._mind.early.pop(self.step, {})
        me, here = self._mind.me, self.here
        if me is not None and me in self.owing:
            place = here.step, here.prev
            if asked.answer is not None and place in self._mind.decided:
                self.answer(self._mind.decided[place])
                early.pop((me, here.prev), None)
            elif asked.make is not None and (me, here.prev) not in early:
                # Somebody may hand us what we said ourselves before we were restarted.
                self._make(asked.make(here), me)
        for message in early.values():
            if message.prev == here.prev:
                try:
                    self.contribute(message)
                except Refusal as refusal:
                    self._mind.refused[refusal.code] += 1

    def _make(self, made: Any, me: Seat) -> None:
        if isinstance(made, Job):
            self.works.making = made
            self._begin(made, me)
        else:
            self._say(made)

    def _begin(self, job: Job, seat: Seat) -> None:
        # A job checks what its seat has just said, or makes what we are about to say.
        step = self.step if self.round else self.step - 1
        progress = self.works.begin(job, seat, step)
        if progress is not None:
            self._mind.notices.append(progress)

    def _say(self, body: Any) -> None:
        player, here = self._mind.player, self.here
        assert self.round is not None
        assert player is not None
        count, kind = self._counts[player.seat], self.round.kind
        message = wire.compose(
            player.key, here.table, player.seat, count, here.step, here.prev, kind, body
        )
        self._mind.said[player.seat, here.step, here.prev] = message.data
        once = self.round.once
        self.contribute(message)
        self._mind.say(message, once=once)

    def _absent(self, seat: Seat) -> Absent:
        return Absent(digest(b"farfadet draw", self.transcript.head, number(seat)))

    def _rule(self, step: int, absent: frozenset[Seat], late: Iterable[Message]) -> None:
        """They were absent in ``step`` and are from now on; what they had to say is kept."""
        self.roster.rule(absent, self.here)
        for message in late:
            self.transcript.late[step, message.seat] = message.data
            if message.seat == self._mind.me:
                self._mind.outbox.append(message.data)
        self._mind.notices.append(Ruled(absent, self._mind.me in absent))

    def _happened(self, notice: Happened | DealtAnew | Returned) -> None:
        self.chosen = None
        self._mind.notices.append(notice)
