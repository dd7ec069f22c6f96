"""The guest's end of an ssh session: what our server and sshd's ForceCommand run for each guest.

It knows nothing but what the session tells it: whose key it is, a terminal or none, and a few words
of a command. It gives up all it does not need before it draws anything.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import termios
import time
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tui.places import HOME
from tui.ssh.fingerprints import home_of, proven
from tui.ssh.limits import HOSTS, LONGEST_COMMAND, MEBIBYTE, terminal_of

if TYPE_CHECKING:
    from tui.sitting import Start

COMMAND: Final = "SSH_ORIGINAL_COMMAND"
PROOF: Final = "SSH_USER_AUTH"
LOGIN: Final = "FARFADET_LOGIN"
"""What a guest has called themselves to ssh; the first name that is proposed to them."""
HUNG_UP: Final = 129
"""Exit code of a process whose terminal has gone."""
LEAVES_WITHIN: Final = 3
"""Seconds that leaving may take, once the terminal has gone."""
FILES: Final = 256
LARGEST_FILE: Final = 16 * MEBIBYTE

_KEPT: Final = (*HOSTS, "SYSTEMROOT", "FARFADET_BROKER", HOME, LOGIN)
"""What a guest's process keeps, besides what is about the terminal."""


class BadOrder(Exception):
    """That is nothing one can ask for here."""

    code = "bad-order"


def order(command: str) -> Start:
    """What the words after the host's name ask for: nothing, ``join CODE`` or ``watch CODE``.

    Raises ``BadOrder``.
    """
    from tui.sitting import Home, Join, Watch

    verb, *rest = command[: LONGEST_COMMAND + 1].split() or [""]
    code = " ".join(rest)
    match verb:
        case "" if not rest:
            return Home()
        case "join" if code and len(command) <= LONGEST_COMMAND:
            return Join(code)
        case "watch" if code and len(command) <= LONGEST_COMMAND:
            return Watch(code)
    raise BadOrder


def home(environ: Mapping[str, str], data: Path) -> Path | None:
    """The guest's folder: the one that is told, or in ``data`` the one of the key that sshd tells.

    ``None`` if it tells none: then the account is whose it is. Raises ``OSError``, ``ValueError``.
    """
    if told := environ.get(HOME):
        return Path(told).absolute()
    if proof := environ.get(PROOF):
        fingerprint = proven(Path(proof).read_text("utf-8", "replace"))
        if fingerprint is not None:
            return home_of(fingerprint, data)
    return None


def undress(environ: MutableMapping[str, str], folder: Path | None) -> None:
    """Leave of the environment only what a guest's process needs; ``folder`` is where it lives."""
    kept = {name: environ[name] for name in _KEPT if name in environ}
    kept |= terminal_of(environ)
    if folder is not None:
        kept[HOME] = kept["HOME"] = str(folder)
        # Other programs' settings are not for guests either.
        kept |= {name: str(folder) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    elif "HOME" in environ:
        kept["HOME"] = environ["HOME"]
    kept |= {
        "FARFADET_LAN": "off",
        "TEXTUAL_ANIMATIONS": "none",
        "TEXTUAL_SMOOTH_SCROLL": "0",
        # What Python would open an address with.
        "BROWSER": "false",
        # The C library would set aside 64 MiB of addresses a thread.
        "MALLOC_ARENA_MAX": "2",
    }
    environ.clear()
    environ.update(kept)


def confine(memory: int) -> None:
    """Take no more of the machine than a guest may: ``memory`` bytes; end when our parent does."""
    import resource

    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: FILES,
        resource.RLIMIT_FSIZE: LARGEST_FILE,
    }
    if memory:
        wanted[resource.RLIMIT_DATA] = memory
    for what, most in wanted.items():
        _, hard = resource.getrlimit(what)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (least, least))
    os.umask(0o077)
    # Bots that think for one guest must not keep the broker from the others.
    os.nice(5)
    if sys.platform == "linux":
        import ctypes

        pdeathsig = 1
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(pdeathsig, signal.SIGHUP, 0, 0, 0)


def own_terminal() -> None:
    """Make the terminal at stdin ours, so that it tells us when it changes or goes."""
    with suppress(OSError):
        os.close(os.open("/dev/tty", os.O_RDWR))
        return
    with suppress(OSError):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def gone() -> None:
    """The terminal has gone: whatever happens now, we shall have ended in some seconds."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LEAVES_WITHIN)


def only_here(folder: Path) -> int:
    """Be the only process of this guest: the one before, left behind by a lost line, goes.

    Returns the open file that says so.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    held = os.open(folder / "guest.pid", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + 2 * LEAVES_WITHIN
    told: set[int] = set()
    while True:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            number = os.pread(held, 16, 0).decode("ascii", "replace")
            other = int(number) if number.isdecimal() else 0
            late = time.monotonic() > deadline
            if other > 1 and (late or other not in told):
                told.add(other)
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(other, signal.SIGKILL if late else signal.SIGHUP)
            time.sleep(0.05)
            continue
        os.ftruncate(held, 0)
        os.pwrite(held, str(os.getpid()).encode(), 0)
        return held
