"""A terminal that answers nothing: a command in a PTY, keys to press, bytes that come out."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyte

FARFADET = Path(sys.executable).parent / "farfadet"
PATIENCE = 60.0
"""Seconds to wait for something to appear before giving up; the machine may be busy."""
QUIET = 0.3
"""Seconds without a byte after which a screen is taken to be finished."""
_MODES = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
_STRANGE = re.compile(rb"\x1b\[[<>=][\d;]*u")
"""What turns the Kitty keyboard on and off, of which pyte has never heard."""


class Pty:
    """One terminal with one process in it."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        size: tuple[int, int] = (80, 24),
    ) -> None:
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.output = b""
        """Everything that has come out so far."""
        self.fd, inner = os.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(inner)
        """How the line was set before the process got it."""
        self.process = subprocess.Popen(
            command,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**_bare(), **environment},
            start_new_session=True,
            preexec_fn=_own_terminal,
        )
        self._inner = inner

    @property
    def attributes(self) -> list[object]:
        """How the line is set now."""
        return termios.tcgetattr(self._inner)

    @property
    def modes(self) -> frozenset[int]:
        """The private modes that are on, as a terminal counts them: DEC's and xterm's numbers."""
        on: set[int] = set()
        for numbers, letter in _MODES.findall(self.output):
            for number in map(int, numbers.split(b";")):
                (on.add if letter == b"h" else on.discard)(number)
        return frozenset(on)

    @property
    def shown(self) -> str:
        """What is on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def read(self, quiet: float = QUIET, most: float = PATIENCE) -> bytes:
        """What comes until nothing has come for ``quiet`` seconds; at most for ``most``."""
        found, deadline = b"", time.monotonic() + most
        while time.monotonic() < deadline:
            some = self._some(min(quiet, max(0.0, deadline - time.monotonic())))
            if not some:
                break
            found += some
        return found

    def press(self, keys: str, quiet: float = QUIET) -> bytes:
        """What comes when these keys have been pressed."""
        os.write(self.fd, keys.encode())
        return self._some(PATIENCE) + self.read(quiet)

    def type(self, keys: str) -> None:
        """Press these keys and wait for nothing."""
        os.write(self.fd, keys.encode())

    def wait_for(self, *texts: str, patience: float = PATIENCE) -> str:
        """Wait until one of ``texts`` is on the screen; returns the screen."""
        self.wait_until(lambda: any(text in self.shown for text in texts), patience)
        return self.shown

    def wait_until(self, so: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Wait until it is ``so``, reading on."""
        deadline = time.monotonic() + patience
        while not so():
            assert time.monotonic() < deadline, f"not in time:\n{self.shown}"
            assert self._some(0.1) or self.process.poll() is None, f"ended:\n{self.shown}"

    def wait_ended(self, patience: float = PATIENCE) -> int:
        """The exit code, once the process has ended; what it had to say has been read."""
        deadline = time.monotonic() + patience
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"it goes on:\n{self.shown}"
            self._some(0.05)
        self.read(0.05)
        return self.process.returncode

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size; the kernel tells the process."""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def hang_up(self) -> None:
        """The terminal is gone: its window was closed, or the line to it is dead."""
        os.close(self._inner)
        os.close(self.fd)
        self.fd = self._inner = -1

    def close(self) -> None:
        """End what still runs."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        if self.fd >= 0:
            self.hang_up()

    def _some(self, patience: float) -> bytes:
        ready, _, _ = select.select([self.fd], [], [], patience)
        if not ready:
            return b""
        found = os.read(self.fd, 65536)
        self.output += found
        self._stream.feed(_STRANGE.sub(b"", found))
        return found


@contextmanager
def opened(
    home: Path,
    *arguments: str,
    command: Sequence[str] = (str(FARFADET),),
    size: tuple[int, int] = (80, 24),
    **environment: str,
) -> Iterator[Pty]:
    """``farfadet`` with these arguments in a terminal, all its files below ``home``."""
    terminal = Pty((*command, *arguments), {**_world(home), **environment}, size)
    try:
        yield terminal
    finally:
        terminal.close()


def _world(home: Path) -> dict[str, str]:
    return {
        "FARFADET_HOME": str(home),
        "FARFADET_NAME": "Ana",
        "FARFADET_LAN": "off",
        "LANG": "en_GB.UTF-8",
        "LC_ALL": "en_GB.UTF-8",
        "TERM": "xterm-256color",
        "TEXTUAL_ANIMATIONS": "none",
    }


def _bare() -> dict[str, str]:
    """Our environment without what says which terminal this is."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_TELLING)}


_TELLING = (
    "COLORTERM",
    "TERM",
    "TMUX",
    "STY",
    "TEXTUAL",
    "NO_COLOR",
    "SSH_",
    "LC_",
    "KITTY",
    "COLUMNS",
    "LINES",
)


def _own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
