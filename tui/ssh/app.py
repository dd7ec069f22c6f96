"""The app as a guest of an ssh host sees it: the same, without any way to the host's machine."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from tui.app import FarfadetApp
from tui.screens.welcome import WelcomeScreen
from tui.sitting import Home, Start
from tui.ssh.guest import HUNG_UP, LOGIN, gone
from tui.words import N_


class GuestApp(FarfadetApp):
    """See the top of this file.

    What Textual's app can do with the machine it runs on is done with nobody's here: no other
    program is started or gone back to, no address opened, no file delivered.
    """

    GOES_ON = N_("Something went wrong here, and it goes on. The host's log has the details.")
    SEAT_KEPT = N_(
        "If you were playing, your seat is kept: come back with the same key. "
        "The host's log has the details."
    )

    def on_mount(self) -> None:
        """When the terminal goes, so do we, soon. Who has no name here is asked for one first."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._hang_up)
        # Textual calls on_mount of FarfadetApp as well, after this.
        if not self.settings.name:
            wanted, self.start = self.start, Home()
            self.call_next(self._welcome, wanted)

    def _welcome(self, wanted: Start) -> None:
        name = os.environ.get(LOGIN, "")
        self.push_screen(WelcomeScreen(name, lambda: self._begin(wanted)))

    def _begin(self, wanted: Start) -> None:
        if not isinstance(wanted, Home):
            self.go(wanted)

    def _hang_up(self) -> None:
        gone()
        self.exit(return_code=HUNG_UP)

    def action_suspend_process(self) -> None:
        """Behind this process is the host's shell, or nothing."""

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """The browser would be the host's."""

    def deliver_text(self, path_or_file: str | Path | TextIO, **how: Any) -> str | None:
        """The folder for downloads would be the host's."""
        return None

    def deliver_binary(self, path_or_file: str | Path | BinaryIO, **how: Any) -> str | None:
        """See ``deliver_text``."""
        return None

    def save_screenshot(
        self, filename: str | None = None, path: str | None = None, time_format: str | None = None
    ) -> str:
        """See ``deliver_text``."""
        return ""
