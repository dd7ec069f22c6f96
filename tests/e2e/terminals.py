"""Real terminals for tests: tmux sessions of a server of our own, driven by keys, read as text."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FARFADET = Path(sys.executable).parent / "farfadet"
PAUSE = 0.25
"""Seconds between two looks at a screen: each starts a process."""

PATIENCE = 60.0
"""Seconds to wait for something to appear before giving up; the machine may be busy."""


class Terminals:
    """A tmux server of this test alone."""

    def __init__(self, folder: Path) -> None:
        tmux = shutil.which("tmux")
        assert tmux is not None
        self._command = [tmux, "-S", str(folder / "tmux"), "-f", "/dev/null"]

    def tmux(self, *arguments: str) -> str:
        """Run one tmux command; returns what it prints."""
        done = subprocess.run(
            [*self._command, *arguments], capture_output=True, text=True, check=False
        )
        return done.stdout

    def open(
        self,
        name: str,
        command: list[str],
        environment: dict[str, str],
        size: tuple[int, int] = (80, 24),
    ) -> Terminal:
        """A new terminal that runs ``command`` and stays open after it has ended."""
        pairs = [part for key, value in environment.items() for part in ("-e", f"{key}={value}")]
        columns, rows = size
        self.tmux(
            "new-session", "-d", "-s", name, "-x", str(columns), "-y", str(rows), *pairs, *command
        )
        self.tmux("set-option", "-t", name, "remain-on-exit", "on")
        return Terminal(self, name)


class Terminal:
    """One terminal: press keys, read the screen."""

    def __init__(self, terminals: Terminals, name: str) -> None:
        self._terminals = terminals
        self.name = name

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names for them."""
        self._terminals.tmux("send-keys", "-t", self.name, *keys)

    def type(self, text: str) -> None:
        """Type ``text`` as it is."""
        self._terminals.tmux("send-keys", "-t", self.name, "-l", text)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        size = ("-x", str(columns), "-y", str(rows))
        self._terminals.tmux("resize-window", "-t", self.name, *size)

    def screen(self) -> str:
        """What is on the screen."""
        return self._terminals.tmux("capture-pane", "-p", "-J", "-t", self.name)

    @property
    def pid(self) -> int:
        """The process in the terminal."""
        return int(self._terminals.tmux("display", "-p", "-t", self.name, "#{pane_pid}"))

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._terminals.tmux("display", "-p", "-t", self.name, "#{pane_dead}").strip() == "1"

    def wait_ended(self, patience: float = PATIENCE) -> None:
        """Wait until the process has ended by itself."""
        deadline = time.monotonic() + patience
        while not self.ended:
            assert time.monotonic() < deadline, f"{self.name} goes on:\n{self.screen()}"
            time.sleep(PAUSE)

    def wait_for(self, *texts: str, patience: float = PATIENCE) -> str:
        """Wait until one of ``texts`` is on the screen; returns the screen."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            screen = self.screen()
            if any(text in screen for text in texts):
                return screen
            time.sleep(PAUSE)
        raise AssertionError(f"{self.name}: none of {texts} in\n{self.screen()}")


@contextmanager
def terminals(folder: Path) -> Iterator[Terminals]:
    """A tmux server that ends, with all that runs in it, when the block does."""
    server = Terminals(folder)
    try:
        yield server
    finally:
        server.tmux("kill-server")
