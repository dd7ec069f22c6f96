"""Calls our player when they are wanted, and says in the title what goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from tui.screens.frame import Frame
from tui.terminal import terminal
from tui.words import N_

if TYPE_CHECKING:
    from tui.app import FarfadetApp

PAUSE: Final = 3.0
"""Seconds in which one call is enough."""


class Attention:
    """The attention of the player at one app."""

    def __init__(self, app: FarfadetApp) -> None:
        self._app = app
        self._called = -PAUSE

    def look(self) -> None:
        """Let the title say what goes on at the table, whatever lies on top of it."""
        way = terminal(self._app)
        if way is not None:
            screens = [screen for screen in self._app.screen_stack if isinstance(screen, Frame)]
            said = next(filter(None, (screen.state() for screen in reversed(screens))), "")
            way.set_title(self._titled(said) if said else self._app.TITLE)

    def _titled(self, said: str) -> str:
        words = self._app.words
        return words.fold(words.say(N_("farfadet: {what}"), what=said))

    def call(self, said: str) -> None:
        """Call our player, as they wish to be called; ``said`` is for the desktop."""
        way, now = terminal(self._app), time.monotonic()
        ring, tell = (self._wanted(when) for when in self._wishes())
        if way is None or not (ring or tell) or now - self._called < PAUSE:
            return
        self._called = now
        if ring:
            self._app.bell()
        if tell:
            way.say(self._app.words.fold(said))

    def _wishes(self) -> tuple[str, str]:
        return self._app.settings.bell, self._app.settings.notify

    def _wanted(self, when: str) -> bool:
        return when == "always" or (when == "away" and not self._app.app_focus)
