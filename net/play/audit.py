"""The verdict on a transcript: the same table as in play, with nobody watching.

Everything is done again: signatures, chain, commitments, draws and proofs, the rules themselves.
The file is good when every message in it has its effect, in order, up to the signed result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from net.deck.sealed import VERIFIED
from net.deck.verified import Verified
from net.play.charter import read_charter, words
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


class Hearing:
    """One reading of the bytes of a transcript file, message by message, up to the verdict.

    Checks that ``verified`` knows are not run again. Raises ``Refusal`` or ``RuleError`` if the
    file does not even begin as a game that can be followed here.
    """

    def __init__(self, data: bytes, verified: Verified = VERIFIED) -> None:
        self._data = data
        self._file = records(data)
        self.charter = read_charter(next(self._file, b""))
        self.table = replica(self.charter, None, verified)
        self.heard = 0
        """How many messages of the file have been heard."""
        self.read = 0
        """How many of its bytes that is."""

    def verdict(self, watch: Callable[[], None] = lambda: None) -> Verdict:
        """Hear the file to its end, or until it convicts; calls ``watch`` after each message."""
        table, fault = self.table, None
        try:
            for message in self._file:
                self.heard, self.read = self.heard + 1, self.read + len(message)
                try:
                    table.take(message)
                except Refusal as refusal:
                    # Evidence against a seat may only convict together with what comes after it.
                    fault = fault or (refusal.code, self.heard)
                table.work()
                watch()
                if table.void is not None:
                    return self._found(table.void, self.heard)
                if table.blame is not None:
                    return self._found(table.blame.code, self.heard, table.blame.seat)
        except Refusal as broken:
            fault = fault or (broken.code, self.heard + 1)
        if fault is not None:
            return self._found(*fault)
        if not table.over:
            return self._found("unfinished")
        if table.transcript.data() != self._data:
            return self._found("out-of-order")
        return self._found(None)

    def _found(
        self, fault: str | None, message: int | None = None, seat: Seat | None = None
    ) -> Verdict:
        table = self.table
        return Verdict(
            fault,
            message,
            seat,
            self.charter.game,
            self.charter.names,
            words(table.table),
            len(table.transcript.messages),
            table.step,
            table.result,
            tuple(_absences(table)),
        )


def audit(data: bytes) -> Verdict:
    """Judge the bytes of a transcript file. Never raises."""
    try:
        hearing = Hearing(data)
    except (Refusal, RuleError) as error:
        return Verdict(error.code)
    return hearing.verdict()


def _absences(table: Table) -> Iterator[Absence]:
    transcript = table.transcript
    for step, ruling in transcript.rulings.items():
        disputed = (seat for seat in sorted(ruling.absent) if (step, seat) in transcript.late)
        voters = (parse(vote).seat for vote in ruling.votes)
        yield Absence(step, tuple(sorted(ruling.absent)), tuple(voters), tuple(disputed))
