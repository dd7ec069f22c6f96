"""The verdict on a transcript: the same table as in play, with nobody watching.

Everything is done again: signatures, chain, commitments, draws and proofs, the rules themselves.
The file is good when every message in it has its effect, in order, up to the signed result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from net.play.charter import Charter, read_charter, words
from net.play.replica import replica
from net.play.table import Table
from net.play.transcript import records
from net.play.wire import Refusal, parse
from rules.form import plain
from rules.game import Result, RuleError, Seat


@dataclass(frozen=True, slots=True)
class Absence:
    """In ``step`` the ``voters`` have ruled the members ``absent``.

    Of those, what the ``disputed`` had to say in that step has come to light all the same. Clocks
    prove nothing: the network may have been slow, or the voters unfair.
    """

    step: int
    absent: tuple[Seat, ...]
    voters: tuple[Seat, ...]
    disputed: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an audit found.

    ``fault`` is ``None`` for a good game, else the code of the first thing wrong; ``message`` is
    the number of the message it was found at (from 1; ``None`` if in the file as a whole, or at its
    end); ``seat`` is the seat it convicts, if it does.
    """

    fault: str | None
    message: int | None = None
    seat: Seat | None = None
    game: str = ""
    names: tuple[str, ...] = ()
    words: str = ""
    messages: int = 0
    steps: int = 0
    result: Result | None = None
    absences: tuple[Absence, ...] = ()

    @property
    def good(self) -> bool:
        """Whether the game was played to its end and everything in it is as it must be."""
        return self.fault is None

    def data(self) -> dict[str, Any]:
        """The verdict as what JSON can say."""
        return {
            "verdict": "good" if self.good else "bad",
            "fault": self.fault,
            "message": self.message,
            "seat": self.seat,
            "game": self.game,
            "names": list(self.names),
            "words": self.words,
            "messages": self.messages,
            "steps": self.steps,
            "result": None if self.result is None else plain(self.result),
            "absences": [asdict(absence) for absence in self.absences],
        }


def audit(data: bytes) -> Verdict:
    """Judge the bytes of a transcript file. Never raises."""
    file = records(data)
    try:
        charter = read_charter(next(file, b""))
        table = replica(charter, None)
    except (Refusal, RuleError) as error:
        return Verdict(error.code)
    fault: tuple[str, int] | None = None
    number = 1
    try:
        for message in file:
            try:
                table.take(message)
            except Refusal as refusal:
                # Evidence against a seat may only convict together with what comes after it.
                fault = fault or (refusal.code, number)
            table.work()
            if table.void is not None:
                return _verdict(charter, table, table.void, number)
            if table.blame is not None:
                return _verdict(charter, table, table.blame.code, number, table.blame.seat)
            number += 1
    except Refusal as broken:
        fault = fault or (broken.code, number)
    if fault is not None:
        return _verdict(charter, table, *fault)
    if not table.over:
        return _verdict(charter, table, "unfinished", None)
    if table.transcript.data() != data:
        return _verdict(charter, table, "out-of-order", None)
    return _verdict(charter, table, None, None)


def _verdict(
    charter: Charter, table: Table, fault: str | None, message: int | None, seat: Seat | None = None
) -> Verdict:
    return Verdict(
        fault,
        message,
        seat,
        charter.game,
        charter.names,
        words(table.table),
        len(table.transcript.messages),
        table.step,
        table.result,
        tuple(_absences(table)),
    )


def _absences(table: Table) -> Iterator[Absence]:
    transcript = table.transcript
    for step, ruling in transcript.rulings.items():
        disputed = (seat for seat in sorted(ruling.absent) if (step, seat) in transcript.late)
        voters = (parse(vote).seat for vote in ruling.votes)
        yield Absence(step, tuple(sorted(ruling.absent)), tuple(voters), tuple(disputed))
