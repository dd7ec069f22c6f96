"""How things stand at a table, said when it changes: who has sealed, who is missing, the time."""

from __future__ import annotations

import asyncio
from math import ceil
from typing import TYPE_CHECKING, Final

from rules.game import Choose
from tui.story.members import called
from tui.story.situation import Situation, phase
from tui.words import N_, text

if TYPE_CHECKING:
    from tui.plain.game import Table

AT_REST: Final = 0.5
"""Seconds for which nothing must change before it is said what the table does."""

WARNINGS: Final = (60, 30, 10)
"""Seconds before the time limit at which our player is told."""


class Standing:
    """That of ``table``."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._phase = self._away = ""
        self._linked, self._out = True, False
        self._left: int | None = None
        """The last warning."""
        self._timer: asyncio.TimerHandle | None = None
        self._clock: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """Say nothing more."""
        for timer in (self._timer, self._clock):
            if timer is not None:
                timer.cancel()

    def tell(self) -> None:
        """Who is missing, at once; what the table does, when it has come to rest."""
        self._tell_away()
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_later(AT_REST, self._tell_phase)
        if self._clock is None:
            self._tick()

    def _tell_away(self) -> None:
        table, missing = self._table, self._table.seen.missing
        said = ""
        if missing.gone or not missing.linked:
            # Who is absent is told with what has happened.
            said = text(missing.banner(table.client.words, table.voice.view.names)[0]).strip()
        if said != self._away:
            self._away = said
            table.client.tell(said)
            if missing.can_go_on:
                table.say(N_("/go goes on without them."))
        if missing.can_come_back and not self._out:
            table.say(N_("The table does not wait for you now. /back when you are back."))
        self._out = missing.can_come_back
        if missing.linked and not self._linked:
            table.say(N_("The connection is back."))
        self._linked = missing.linked

    def _now(self) -> str:
        table = self._table
        now = Situation(
            sitting=table.sitting,
            voice=table.voice,
            missing=table.seen.missing,
            progress=table.seen.progress,
            problem=None,
            refused=None,
            leaving=False,
            aimed=None,
            ask=lambda: (),
        )
        pieces = phase(now)
        if now.voice.view.moves:
            # That it is our turn says the question.
            pieces = pieces[1:]
        return text(pieces).removeprefix(" · ")

    def _tell_phase(self) -> None:
        """Not that nobody has chosen yet: that is so after every question."""
        table = self._table
        said = self._now()
        view = table.voice.view
        request = view.request
        secret = isinstance(request, Choose) and request.secret
        nobody = isinstance(request, Choose) and view.owing == frozenset(request.seats)
        if said != self._phase and not table.over and not (secret and nobody):
            table.client.tell(said)
        self._phase = said

    def remind(self) -> None:
        """What the table waits for."""
        table = self._table
        if table.sitting.delegated:
            table.say(N_("A bot plays for you; /bot: you play again yourself."))
        table.client.tell(self._away)
        table.client.tell(self._now())

    def who(self) -> None:
        """Everybody, with what they are doing."""
        table = self._table
        words, view, sitting = table.client.words, table.voice.view, table.sitting
        for member in sorted(sitting.members):
            who = text(called(words, view.names, member))
            if member == view.me:
                who = words.say(N_("you"))
            marks = list[str]()
            asked = view.request.seats if isinstance(view.request, Choose) else ()
            if member in sitting.absent:
                marks.append(words.say(N_("absent")))
            elif member in sitting.away:
                marks.append(words.say(N_("away")))
            if member in view.owing:
                marks.append(words.say(N_("choosing")))
            elif member in asked and member not in sitting.absent:
                marks.append(words.say(N_("sealed")))
            # A name never has a line to itself: it could be any sentence.
            table.pair(who, ", ".join(marks) or words.say(N_("here")))
        table.client.tell(table.around())

    def _tick(self) -> None:
        """Warn when the time is running out."""
        table = self._table
        self._clock = asyncio.get_running_loop().call_later(1.0, self._tick)
        patience = table.sitting.patience
        if patience is None or not table.seen.view().moves or table.sitting.delegated:
            self._left = None
            return
        left = min((at for at in (*WARNINGS, 0) if at >= patience), default=None)
        if left is None or (self._left is not None and left >= self._left):
            return
        self._left = left
        said = N_("Time is up: the others may go on without you.")
        table.say(N_("{n} s left.") if left else said, n=ceil(patience))
