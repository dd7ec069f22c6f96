"""Several sealed decks run in lockstep without a network: what every replica would do, seen whole.

Each replica does its own checking with its own memory. Bodies go through the wire's packing. A
``tamper`` may replace any body on its way; a replica that finds a fault names the seat, and unless
all replicas, the culprit's own too, find the same, the test fails.

Seats may fall silent; they are ruled absent where they are first missed. Their replicas follow all
the same, as they will when they catch up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from nacl.signing import SigningKey

from net.deck.group import EDWARDS, Group
from net.deck.sealed import SealedDeck
from net.deck.standing import Member, Standing
from net.deck.verified import Verified
from net.play import wire
from net.play.digest import digest, number
from net.play.rounds import (
    Absent,
    Contributions,
    Fault,
    Gate,
    Here,
    Job,
    Present,
    Redealt,
    Round,
    Script,
    Start,
)
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
    redealt: bool = False


def secret_of(seat: Seat, seed: str = "") -> bytes:
    """The secret a seat has in tests."""
    return digest(b"test secret", seed.encode(), bytes([seat]))


def table_key(member: Member, seed: str = "") -> SigningKey:
    """The private key a member signs with in tests."""
    return SigningKey(digest(b"test table key", seed.encode(), bytes([member])))


class Circle:
    """Replicas of ``seats`` at one table, then the referee's, if any, then one that only looks on.

    ``known`` contributions, from an earlier game's log, are taken from there and not made again.
    ``leaves`` has who falls silent before which step.
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
        escrow: bool = False,
        referee: bool = False,
        leaves: Mapping[int, Collection[Member]] = MappingProxyType({}),
    ) -> None:
        self.group = group
        self.seats = seats
        self.table = table
        self.seed = seed
        self.tamper = tamper
        self.known = known
        members: list[Member | None] = [*range(seats + referee)]
        keys = tuple(bytes(table_key(at, seed).verify_key) for at in range(len(members)))

        def deck(me: Member | None) -> SealedDeck:
            secret, own = (None, None) if me is None else (secret_of(me, seed), table_key(me, seed))
            standing = Standing(keys, own) if escrow else None
            memory = verified or Verified()
            return SealedDeck(table, seats, me, secret, group, memory, standing)

        self.decks = [deck(me) for me in (*members, None)]
        self.leaves = leaves
        self.silent: set[Member] = set()
        self.absent: set[Member] = set()
        self.step = 0
        self.prev = bytes(32)
        self.log: list[Said] = []
        self.jobs: list[str] = []

    def run(self, ask: Callable[[SealedDeck], Script[T]]) -> T:
        """Run one script on every replica to its end; all must come to the same outcome.

        That may be that they raise ``Redealt``.
        """
        scripts = [ask(deck) for deck in self.decks]
        asked = self._advance(scripts, [None for _ in scripts])
        while isinstance(asked[0], Round):
            rounds = [each for each in asked if isinstance(each, Round)]
            assert len(rounds) == len(asked)
            assert len({(each.kind, each.seats) for each in rounds}) == 1
            asked = self._advance(scripts, self._round(rounds))
        outcomes = [each for each in asked if isinstance(each, _Outcome)]
        assert len(outcomes) == len(asked)
        assert all(outcome == outcomes[0] for outcome in outcomes)
        if outcomes[0].redealt:
            raise Redealt
        value: T = outcomes[0].value
        return value

    def back(self, members: Iterable[Member]) -> None:
        """These are here again."""
        self.silent.difference_update(members)
        self.absent.difference_update(members)

    def _round(self, rounds: list[Round]) -> list[Contributions]:
        here = Here(self.table, self.step, self.prev)
        kind, seats = rounds[0].kind, rounds[0].seats
        bodies: dict[Member, Any] = {}
        self.silent.update(self.leaves.get(self.step, ()))
        missed = self.silent & set(seats)
        self.absent.update(missed)
        draw = digest(b"test draw", self.prev, number(self.step))
        for seat in seats:
            if seat in missed:
                continue
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
        parsed = list[Contributions]()
        for each in rounds:
            seen: dict[Member, Any] = {}
            verdict: Fault | None = None
            for seat in seats:
                if seat in missed:
                    seen[seat] = Absent(draw)
                    continue
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
        self, scripts: list[Script[Any]], answers: Sequence[Contributions | None]
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
                    asked = script.send(answer)  # type: ignore[arg-type]
                except StopIteration as stop:
                    results.append(_Outcome(stop.value))
                    break
                except Redealt:
                    results.append(_Outcome(None, redealt=True))
                    break
                if isinstance(asked, Round):
                    results.append(asked)
                    break
                answer = {}
                if isinstance(asked, Present):
                    answer = dict.fromkeys(set(range(self.seats)) - self.absent)
                elif isinstance(asked, Start):
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
