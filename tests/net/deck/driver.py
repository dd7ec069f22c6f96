"""Several sealed decks run in lockstep without a network: what every replica would do, seen whole.

Each replica does its own checking with its own memory. Bodies go through the wire's packing. A
``tamper`` may replace any body on its way; a replica that finds a fault names the seat, and unless
all replicas, the culprit's own too, find the same, the test fails.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from net import wire
from net.deck.group import EDWARDS, Group
from net.deck.sealed import SealedDeck
from net.deck.verified import Verified
from net.digest import digest
from net.rounds import Contributions, Fault, Gate, Here, Job, Round, Script, Start
from rules.game import Seat

T = TypeVar("T")


@dataclass(frozen=True)
class Said:
    """One contribution: where, what kind, whose, and its body."""

    here: Here
    kind: str
    seat: Seat
    body: Any


Tamper: TypeAlias = Callable[[Said], Any]
"""Gives the body that is sent instead."""


class Convicted(Exception):
    """The replicas found ``seat`` guilty of ``code``."""

    def __init__(self, seat: Seat, code: str) -> None:
        super().__init__(f"seat {seat}: {code}")
        self.seat = seat
        self.code = code


@dataclass(frozen=True)
class _Outcome:
    value: Any


def secret_of(seat: Seat, seed: str = "") -> bytes:
    """The secret a seat has in tests."""
    return digest(b"test secret", seed.encode(), bytes([seat]))


class Circle:
    """``seats`` replicas at one table, and at the end of the list one that only looks on.

    ``known`` contributions, from an earlier game's log, are taken from there and not made again.
    """

    def __init__(
        self,
        seats: int,
        group: Group = EDWARDS,
        seed: str = "",
        table: bytes = bytes(32),
        tamper: Tamper | None = None,
        known: Sequence[Said] = (),
        verified: Verified | None = None,
    ) -> None:
        self.group = group
        self.seats = seats
        self.table = table
        self.seed = seed
        self.tamper = tamper
        self.known = known
        self.decks = [
            SealedDeck(table, seats, seat, secret_of(seat, seed), group, verified or Verified())
            for seat in range(seats)
        ]
        self.decks.append(SealedDeck(table, seats, None, None, group, verified or Verified()))
        self.step = 0
        self.prev = bytes(32)
        self.log: list[Said] = []
        self.jobs: list[str] = []

    def run(self, ask: Callable[[SealedDeck], Script[T]]) -> T:
        """Run one script on every replica to its end; all must come to the same outcome."""
        scripts = [ask(deck) for deck in self.decks]
        asked = self._advance(scripts, [{} for _ in scripts])
        while isinstance(asked[0], Round):
            rounds = [each for each in asked if isinstance(each, Round)]
            assert len(rounds) == len(asked)
            assert len({(each.kind, each.seats) for each in rounds}) == 1
            asked = self._advance(scripts, self._round(rounds))
        outcomes = [each.value for each in asked if isinstance(each, _Outcome)]
        assert len(outcomes) == len(asked)
        assert all(outcome == outcomes[0] for outcome in outcomes)
        value: T = outcomes[0]
        return value

    def _round(self, rounds: list[Round]) -> list[Contributions]:
        here = Here(self.table, self.step, self.prev)
        kind, seats = rounds[0].kind, rounds[0].seats
        bodies: dict[Seat, Any] = {}
        for seat in seats:
            make = rounds[seat].make
            assert make is not None
            made = self.known[len(self.log)].body if len(self.log) < len(self.known) else make(here)
            if isinstance(made, Job):
                self.jobs.append(made.name)
                made = made.run()
            if self.tamper is not None:
                made = self.tamper(Said(here, kind, seat, made))
            packed = wire.pack(made)
            assert len(packed) <= wire.LONGEST
            bodies[seat] = wire.unpack(packed)
            self.log.append(Said(here, kind, seat, bodies[seat]))
        verdicts: list[Fault | None] = []
        guilty: Seat = 0
        parsed: list[Contributions] = []
        for each in rounds:
            seen: dict[Seat, Any] = {}
            verdict: Fault | None = None
            for seat in seats:
                try:
                    seen[seat] = each.check(here, seat, bodies[seat])
                except Fault as fault:
                    verdict, guilty = fault, seat
                    break
            verdicts.append(verdict)
            parsed.append(seen)
        self._judge(verdicts, guilty)
        self.step += 1
        self.prev = digest(b"test prev", self.prev, *(wire.pack(b) for b in bodies.values()))
        return parsed

    def _advance(
        self, scripts: list[Script[Any]], answers: list[Contributions]
    ) -> list[Round | _Outcome]:
        """Send each script its answer and do its local work, up to its next round or its end."""
        results: list[Round | _Outcome] = []
        verdicts: list[Fault | None] = []
        guilty: Seat = 0
        for script, given in zip(scripts, answers, strict=True):
            verdict: Fault | None = None
            answer = given
            begun: set[Job] = set()
            while verdict is None:
                try:
                    asked = script.send(answer or None)  # type: ignore[arg-type]
                except StopIteration as stop:
                    results.append(_Outcome(stop.value))
                    break
                if isinstance(asked, Round):
                    results.append(asked)
                    break
                answer = {}
                if isinstance(asked, Start):
                    begun.update(job for _, job in asked.jobs)
                elif isinstance(asked, Gate):
                    for seat, job in asked.jobs:
                        self.jobs.append(job.name)
                        try:
                            job.run()
                        except Fault as fault:
                            verdict, guilty = fault, seat
                            break
            verdicts.append(verdict)
        self._judge(verdicts, guilty)
        return results

    def _judge(self, verdicts: list[Fault | None], guilty: Seat) -> None:
        """Every replica must find the same."""
        codes = {None if fault is None else fault.code for fault in verdicts}
        assert len(codes) == 1
        (code,) = codes
        if code is not None:
            raise Convicted(guilty, code)
