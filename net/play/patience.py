"""When one member votes that others are absent, and when it comes back itself. No I/O, no clock.

With a limit in the charter, everybody votes when a step has been open for so long. Without one, it
takes a player who asks for it, and the others agree if they do not hear these seats either.
"""

from __future__ import annotations

from net.play.notices import Notice, Ruled
from net.play.table import Table
from rules.game import Seat

GRACE = 2.0
"""Seconds after a step's limit before we vote: a choice made in the last moment is on its way."""

STUBBORN = 30.0
"""Seconds after our own first vote in a step after which those who do not vote count as silent."""

FORGIVEN = 3
"""How often in a row a seat that is ruled absent comes back by itself; then its player must."""


class Patience:
    """One member's patience at ``table``; times are seconds of any clock that goes forward."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._open = -1, 0.0
        """The step that is open, and since when."""
        self._voting = -1, 0.0
        """The step in which we vote, and since when."""
        self._impatient = -1
        self._missed = 0

    def left(self, now: float) -> float | None:
        """Seconds until those who are asked to choose can be ruled absent; ``None``: no limit."""
        table = self._table
        if not table.charter.limit or not table.asked or self._open[0] != table.step:
            return None
        return max(0.0, table.charter.limit - (now - self._open[1]))

    @property
    def impatient(self) -> bool:
        """Whether our player wants to go on, in this step, without those who are away."""
        return self._impatient == self._table.step

    @property
    def stays_out(self) -> bool:
        """Whether, being absent, we come back only when our player says so."""
        return self._missed >= FORGIVEN

    def meet_again(self) -> None:
        """Our own link was down: nobody is late before there was time to hear them."""
        self._open = -1, 0.0

    def go_on(self) -> None:
        """Want to go on without those who are away and owe something in this step."""
        self._impatient = self._table.step

    def come_back(self) -> None:
        """Be waited for again: it is done at the next roll."""
        self._missed = 0
        self._table.come_back()

    def told(self, notice: Notice) -> None:
        """Take note of what the table tells."""
        if isinstance(notice, Ruled) and notice.me and self._table.me in self._table.roster.seats:
            self._missed += 1

    def chose(self) -> None:
        """We are there, and have shown it."""
        self._missed = 0

    def tick(self, now: float, away: frozenset[Seat]) -> None:
        """Vote if it is time; ``away`` are the members we have not heard for a while."""
        table, limit = self._table, self._table.charter.limit
        if self._open[0] != table.step:
            self._open = table.step, now
        if limit and now - self._open[1] > limit + GRACE:
            self._vote(now, table.owing | away)
        elif self.impatient or (table.proposed and table.proposed <= away):
            self._vote(now, away)
        if not self.stays_out:
            table.come_back()

    def _vote(self, now: float, absent: frozenset[Seat]) -> None:
        table = self._table
        if self._voting[0] != table.step:
            self._voting = table.step, now
        if now - self._voting[1] > STUBBORN:
            absent |= table.roster.present - table.voters
        table.vote(absent)
