"""Faults in our own code: what goes on nevertheless, and how the app ends if it cannot.

The table itself is not on the screen: a handler or a picture that fails takes nothing from it. So
the fault goes to the log, the player is told, and the app goes on; unless it was in the making of a
screen, or faults come so thick that nobody could play. Then the terminal is given back and two
sentences say where the details are. A traceback is nothing for a player, and its values nobody's.

Textual has no way of its own for this. It is pinned, and ``tests/tui/test_faults.py`` puts faults
in all places.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Final, cast

from rich.console import Console, RenderableType
from rich.text import Text
from textual import events
from textual.message import Message
from textual.message_pump import MessagePump
from textual.timer import Timer
from textual.worker import Worker, WorkerFailed, WorkerState

from tui.places import find
from tui.words import N_

if TYPE_CHECKING:
    from tui.app import FarfadetApp

log = logging.getLogger(__name__)

SORRY: Final = N_("Something went wrong, and farfadet had to stop. Sorry!")

MOST: Final = 20
WINDOW: Final = 10.0
"""So many faults in so many seconds are too many to go on."""

_BIRTH: Final = (events.Load, events.Compose, events.Mount)
"""What fails here leaves a screen that is none."""


class Faults:
    """The faults of one app."""

    def __init__(self, app: FarfadetApp) -> None:
        self._app = app
        self._seen: set[tuple[str, int]] = set()
        self._recent: deque[float] = deque(maxlen=MOST)

    def bear(self, error: Exception) -> bool:
        """Whether the app goes on after ``error``; if so, it is in the log and has been told."""
        now = time.monotonic()
        thick = len(self._recent) == MOST and now - self._recent[0] < WINDOW
        # Without a screen nobody can be told; in a test, the fault is the test's.
        if self._app.is_headless or thick:
            return False
        self._recent.append(now)
        place = _place(error)
        if place not in self._seen:
            self._seen.add(place)
            log.error("fault", exc_info=error)
            said = self._app.words.say(self._app.GOES_ON, log=str(find().log))
            self._app.notify(said, severity="error", markup=False)
        return True

    def end(self, error: Exception | None, *more: RenderableType) -> None:
        """End the app because of ``error``: with two sentences, and an exit code of 1.

        ``more`` is what is known besides, or instead.
        """
        if isinstance(error, WorkerFailed):
            error = error.error if isinstance(error.error, Exception) else error
        log.critical("fault", exc_info=error)
        if more:
            told = Console(file=StringIO(), width=120, color_system=None)
            told.print(*more)
            for line in cast("StringIO", told.file).getvalue().splitlines():
                log.critical("%s", line)
        if self._app.return_code == 1:
            return
        say = self._app.words.say
        sorry = say(SORRY)
        seat = say(self._app.SEAT_KEPT, log=str(find().log))
        self._app.exit(return_code=1, message=Text(f"{sorry}\n{seat}", overflow="fold"))


class Sturdy(MessagePump):
    """Whatever handles messages and goes on when a handler fails."""

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            app = cast("FarfadetApp", self.app)
            if isinstance(message, _BIRTH) or not app.faults.bear(error):
                raise

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Work in the background has come to an end; nobody else would hear how."""
        error = event.worker.error
        if event.state is WorkerState.ERROR and isinstance(error, Exception):
            cast("FarfadetApp", self.app).faults.bear(error)

    def after(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call ``callback`` then, as a handler; Textual's own timers end the app if that fails."""
        return self.set_timer(seconds, partial(self.call_later, callback))


def _place(error: BaseException) -> tuple[str, int]:
    """Where ``error`` was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return ("", 0) if trace is None else (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
