"""What a terminal is asked for besides a picture: a title, a sound, a word on the desktop.

All of it is taken back when the app ends, is ended, or is put to sleep. What is said passes through
``tui/text.py`` here, at the last moment, so that no name can carry a command into the terminal.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, cast

from textual.driver import Driver

from tui.glass import Glass
from tui.text import safe

if TYPE_CHECKING:
    from textual.app import App

TITLE: Final = 60
"""Most cells of a title."""
NOTICE: Final = 100
"""Most cells of a notification."""

_KEEP: Final = "\x1b[22;0t"
_GIVE_BACK: Final = "\x1b[23;0t"
"""The terminal puts its title on a stack and takes it from there; some cannot, and do nothing."""

_CLICKS: Final = {"\x1b[?1003h": "\x1b[?1002h", "\x1b[?1003l": "\x1b[?1002l"}
"""Textual wants to hear of every motion of the mouse; clicks and drags are all we use."""

_UNTITLED: Final = ("linux", "dumb", "vt", "cons", "sun")
"""What the names of terminals begin with that would print a title instead of using it."""

_BY_777: Final = ("ghostty", "wezterm", "foot", "rxvt", "contour")
_BY_9: Final = ("iterm", "warp")
_BY_99: Final = ("kitty",)
"""Who shows notifications and how they are asked; nobody else is, since some would print it."""

_NAMES: Final = {
    "KITTY_WINDOW_ID": "kitty",
    "GHOSTTY_RESOURCES_DIR": "ghostty",
    "WEZTERM_PANE": "wezterm",
    "ITERM_SESSION_ID": "iterm",
}
"""What a terminal leaves in the environment, also behind tmux."""


def titled(environ: Mapping[str, str]) -> bool:
    """Whether the terminal has a title that can be set."""
    return not environ.get("TERM", "dumb").startswith(_UNTITLED)


def notification(environ: Mapping[str, str], title: str, said: str) -> str:
    """What shows ``said`` on the desktop; empty if the terminal is not known to do that."""
    names = [environ.get(name, "") for name in ("TERM", "TERM_PROGRAM", "LC_TERMINAL")]
    names += [name for key, name in _NAMES.items() if environ.get(key)]
    called = " ".join(names).lower()
    # Semicolons stand between the fields.
    title, said = (safe(text, NOTICE).replace(";", ",") for text in (title, said))
    if any(name in called for name in _BY_99):
        asked = f"\x1b]99;;{title}: {said}\x1b\\"
    elif any(name in called for name in _BY_777):
        asked = f"\x1b]777;notify;{title};{said}\x07"
    elif any(name in called for name in _BY_9):
        asked = f"\x1b]9;{title}: {said}\x07"
    else:
        return ""
    if "TMUX" in environ:
        # It hands this on if its user has allowed that, and otherwise drops it.
        return "\x1bPtmux;" + asked.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return asked


class Courteous(Driver):
    """Mixed into a driver: it sets a title and takes it back, and lets the mouse move in peace."""

    environ: Mapping[str, str]
    title: str
    glass: Glass
    """What the terminal shows."""
    awake = False
    """Whether the terminal is ours."""

    def set_title(self, said: str) -> None:
        """Call the terminal so; does nothing if it is called so, or has no title."""
        said = safe(said, TITLE)
        if said != self.title:
            self.title = said
            self._show_title()

    def say(self, said: str) -> None:
        """Show this on the desktop, if the terminal can."""
        if asked := notification(self.environ, "farfadet", said):
            self.write(asked)

    def _show_title(self) -> None:
        if titled(self.environ):
            self.write(f"\x1b]0;{self.title}\x07")

    @property
    def _gone(self) -> bool:
        """Whether there is no terminal any more: the thread that writes to it has failed."""
        writer: Thread | None = getattr(self, "_writer_thread", None)
        return writer is not None and not writer.is_alive()

    def write(self, data: str) -> None:
        """Send ``data`` to the terminal, unless it is gone: we would wait for ever."""
        if not self._gone:
            super().write(_CLICKS.get(data, data))  # type: ignore[safe-super]

    def close(self) -> None:
        """Nothing more is written."""
        if not self._gone:
            super().close()

    def resume_application_mode(self) -> None:
        """Take the terminal after a sleep.

        Whose terminal goes is told to continue, too, and must not begin anew.
        """
        if not self.awake:
            super().resume_application_mode()

    def start_application_mode(self) -> None:
        """Take the terminal."""
        self.glass.forget()
        super().start_application_mode()  # type: ignore[safe-super]
        # In the background it is not to be had yet.
        self.awake = not self._gone
        self._take_turns()
        if titled(self.environ):
            self.write(_KEEP)
            self._show_title()

    def _take_turns(self) -> None:
        """Hear of one change of size after the other.

        Textual's handler may be interrupted by itself; then the size that is told last is not the
        last one, and stays.
        """
        number = getattr(signal, "SIGWINCH", None)
        handler = None if number is None else signal.getsignal(number)
        if number is not None and callable(handler):
            asyncio.get_running_loop().add_signal_handler(number, handler, number, None)

    def stop_application_mode(self) -> None:
        """Give the terminal back as it was."""
        self.awake = False
        if titled(self.environ):
            self.write(_GIVE_BACK)
        super().stop_application_mode()  # type: ignore[safe-super]


def courteous(kind: type[Driver], environ: Mapping[str, str]) -> type[Driver]:
    """``kind`` of driver, with these manners, for the terminal that ``environ`` tells of."""
    members = {"environ": dict(environ), "title": "farfadet", "glass": Glass()}
    return cast("type[Driver]", type(f"Courteous{kind.__name__}", (Courteous, kind), members))


def terminal(app: App[Any]) -> Courteous | None:
    """The terminal of ``app``, while it has one."""
    driver = app._driver
    return driver if isinstance(driver, Courteous) else None
