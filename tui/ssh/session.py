"""One guest: an ssh channel on one side, a process on the other, and the limits between them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncssh

from net.referee.logline import logline
from tui.ssh.child import Child
from tui.ssh.fingerprints import home_of
from tui.ssh.limits import LONGEST_COMMAND, MOST_ENVIRONMENT, Limits, believed, terminal_of
from tui.text import safe
from tui.troubles import trouble
from tui.words import Words, first_language

log = logging.getLogger(__name__)

ASKS_WITHIN: Final = 10.0
"""Seconds from the log-in until a client must have asked for something."""
READS_WITHIN: Final = 30.0
"""Seconds for which a client may read nothing of what waits for it."""
STARTS_WITHIN: Final = 20.0
"""Seconds for which a process that starts keeps others from starting."""
KEYS_A_SECOND: Final = 16 * 1024
"""Bytes a guest may send a second; a hundred times what fingers do."""
MOST_OUTSTANDING: Final = 64 * 1024
"""Bytes that wait for a slow client before its process has to wait too."""

RESTORED: Final = (
    b"\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[<u"
    b"\x1b[?25h\x1b[0m\r\n"
)
"""Leaves a terminal as it was, for a process that could not do it: screen, mouse, paste, keys."""


@dataclass(frozen=True, slots=True)
class House:
    """What all guests of a host share."""

    command: tuple[str, ...]
    """What a guest's process runs."""
    data: Path
    """Where the guests' folders are."""
    environment: dict[str, str]
    """What every guest's process is told."""
    limits: Limits
    tell: Callable[[str], None]
    """Takes the lines of the session log."""
    starting: asyncio.Semaphore = field(default_factory=asyncio.Semaphore)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has logged in; ``name`` is whatever they called themselves to ssh."""

    address: str
    fingerprint: str
    name: str


class GuestSession(asyncssh.SSHServerSession[bytes]):
    """See the top of this file.

    ``refusal`` is the code of why they cannot come in, if so; ``over`` is called in the end.
    """

    def __init__(
        self, house: House, visitor: Visitor, refusal: str, over: Callable[[GuestSession], None]
    ) -> None:
        self._house, self._visitor, self._refusal, self._over = house, visitor, refusal, over
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._child = Child(self._heard)
        self._task: asyncio.Task[None] | None = None
        self._command = ""
        self._size: tuple[int, int] | None = None
        self._why = ""
        self._began = self._last = time.monotonic()
        self._sent = self.got = 0
        """Bytes that have gone to the client and come from it."""
        self._credit = float(KEYS_A_SECOND)
        """Bytes that may come at once."""
        self._up = asyncio.Event()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    # What the client asks for.

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """A channel is there; what it is for comes next."""
        self._channel = chan
        chan.set_write_buffer_limits(MOST_OUTSTANDING)
        self._watch_environment()

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        """With a terminal."""
        self._size = believed(*term_size[:2])
        return True

    def shell_requested(self) -> bool:
        """Without a command."""
        return True

    def exec_requested(self, command: str) -> bool:
        """With a command, which the guest's process makes sense of."""
        self._command = command
        return len(command) <= LONGEST_COMMAND

    def subsystem_requested(self, subsystem: str) -> bool:
        """No files here."""
        return False

    def session_started(self) -> None:
        """All has been asked for."""
        if self._too_much():
            return
        self._stop("environment")
        self._task = asyncio.get_running_loop().create_task(self._host())

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """The terminal has another size."""
        self._child.resize(*believed(width, height))

    def data_received(self, data: bytes, datatype: asyncssh.DataType) -> None:
        """Keys are pressed; no more of them than a guest may, and than their process takes."""
        now = time.monotonic()
        earned = (now - self._last) * KEYS_A_SECOND
        self._credit = min(self._credit + earned, KEYS_A_SECOND) - len(data)
        self._last = now
        self.got += len(data)
        self._child.feed(data)
        if self._credit < 0 or self._child.waiting:
            assert self._channel is not None
            self._channel.pause_reading()
            self._after("keys", max(0.05, -self._credit / KEYS_A_SECOND), self._listen_again)

    def _listen_again(self) -> None:
        if self._channel is None:
            return
        if self._child.waiting:
            self._after("keys", 0.05, self._listen_again)
        else:
            self._channel.resume_reading()

    def eof_received(self) -> bool:
        """There is no more input; what we say still reaches them."""
        self._child.feed_end()
        return True

    def break_received(self, msec: int) -> bool:
        """Breaks mean nothing here."""
        return False

    def signal_received(self, signal: str) -> None:
        """Nobody sends signals to a process of ours."""

    def pause_writing(self) -> None:
        """The client does not read: its process has to wait, and not for ever."""
        self._child.read_not()
        self._after("slow", READS_WITHIN, lambda: self.end("slow"))

    def resume_writing(self) -> None:
        """It reads again."""
        self._stop("slow")
        self._child.read_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """The channel, or all of the connection, is gone."""
        self._channel = None
        if self._task is None:
            self._stop("environment")
            self._over(self)
        else:
            self.end("dropped")

    # What becomes of it.

    def end(self, why: str) -> None:
        """Let the guest's process end now; does nothing if that is already so."""
        if not self._why:
            self._why = why
            if self._task is not None:
                self._task.cancel()

    async def ended(self) -> None:
        """Wait until nothing of it remains."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    async def _host(self) -> None:
        """The guest's visit, from the first byte to the line in the log."""
        code = 1
        try:
            if refusal := self._refusal or self._homeless():
                self._why = refusal
                self._say(refusal)
                return
            code = await self._play()
            self._why = self._why or _ending(code)
        except asyncio.CancelledError:
            # Their process lives on for some seconds at most; it says goodbye to the terminal.
            self._child.read_on()
            self._restore(await self._child.end())
            if self._why in SAID:
                self._say(self._why)
        except Exception as error:
            log.error("a guest's process", exc_info=error)
            self._why = "failed"
            self._say("host-failed")
        finally:
            for name in tuple(self._timers):
                self._stop(name)
            self._tell()
            self._hang_up(code)

    def _homeless(self) -> str:
        """The code of why there is no folder for them here; ``""`` if there is, or may be one."""
        home = home_of(self._visitor.fingerprint, self._house.data)
        if home.exists() or not home.parent.exists():
            return ""
        known = sum(1 for _ in home.parent.iterdir())
        return "" if known < self._house.limits.homes else "no-newcomers"

    async def _play(self) -> int:
        """Run their process to its end; its exit code."""
        async with self._house.starting:
            await self._start()
            with suppress(TimeoutError):
                async with asyncio.timeout(STARTS_WITHIN):
                    await self._up.wait()
        self._watch_idle()
        code = await self._child.wait()
        if code < 0:
            self._restore(code)
            self._say("guest-killed")
        return code

    def _restore(self, code: int) -> None:
        """A process that was killed has left the terminal as it had made it."""
        if code < 0 and self._size is not None:
            self._write(RESTORED, False)

    async def _start(self) -> None:
        visitor, house = self._visitor, self._house
        environment = {
            **house.environment,
            **self._told(),
            "FARFADET_HOME": str(home_of(visitor.fingerprint, house.data)),
            "FARFADET_LOGIN": safe(visitor.name, 16),
        }
        # sshd calls it so.
        environment["SSH_ORIGINAL_COMMAND"] = self._command.replace("\0", "")
        assert self._channel is not None
        if self._size is not None:
            # The terminal may have changed while we waited.
            self._size = believed(*self._channel.get_terminal_size()[:2])
        await self._child.start(house.command, environment, self._size)

    def _told(self) -> dict[str, str]:
        """What the client has said about its terminal and language."""
        channel = self._channel
        if channel is None:
            return {}
        said = {
            name.decode("ascii", "replace"): value.decode("ascii", "replace")
            for name, value in channel.get_environment_bytes().items()
        }
        said.pop("TERM", None)
        terminal = channel.get_terminal_type()
        return terminal_of(said if terminal is None else {**said, "TERM": terminal})

    def _heard(self, data: bytes, error: bool) -> None:
        """Their process has written something."""
        self._up.set()
        # To a client that does not read, even goodbyes would pile up here.
        if self._why != "slow":
            self._write(data, error)

    def _write(self, data: bytes, error: bool) -> None:
        if self._channel is not None:
            self._sent += len(data)
            kind = asyncssh.EXTENDED_DATA_STDERR if error else None
            with suppress(BrokenPipeError):
                self._channel.write(data, kind)

    def _say(self, code: str) -> None:
        """A sentence to the guest, in their language, on a line of its own."""
        words = Words(first_language(self._told()))
        text = words.say(trouble(code), code=code)
        self._write(f"{text}\r\n".encode(), self._size is None)

    def _hang_up(self, code: int) -> None:
        if self._channel is not None:
            self._channel.exit(code if 0 <= code < 256 else 1)
        self._over(self)

    def _tell(self) -> None:
        visitor = self._visitor
        self._house.tell(
            logline(
                "session",
                peer=visitor.address,
                key=visitor.fingerprint,
                login=safe(visitor.name, 32),
                command=safe(self._command, 40),
                size="none" if self._size is None else "{}x{}".format(*self._size),
                seconds=round(time.monotonic() - self._began, 1),
                sent=self._sent,
                got=self.got,
                why=self._why,
            )
        )

    # Time.

    def _watch_idle(self) -> None:
        idle = self._house.limits.idle
        left = self._last + idle - time.monotonic()
        if left <= 0:
            self.end("idle")
        else:
            self._after("idle", left, self._watch_idle)

    def _watch_environment(self) -> None:
        """A client that says much and asks for nothing goes."""
        if self._channel is None or self._too_much():
            return
        if time.monotonic() - self._began > ASKS_WITHIN:
            self._turn_out("asked-nothing")
        else:
            self._after("environment", 0.2, self._watch_environment)

    def _too_much(self) -> bool:
        """Whether the client has sent variables without end; if so, it goes."""
        assert self._channel is not None
        said = self._channel.get_environment_bytes()
        if sum(len(name) + len(value) for name, value in said.items()) <= MOST_ENVIRONMENT:
            return False
        self._turn_out("environment")
        return True

    def _turn_out(self, why: str) -> None:
        assert self._channel is not None
        self._why = why
        self._tell()
        self._channel.get_connection().abort()

    def _after(self, name: str, seconds: float, do: Callable[[], None]) -> None:
        self._stop(name)
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, do)

    def _stop(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()


SAID: Final = frozenset({"idle", "closing"})
"""Ends that a guest is told about."""


def _ending(code: int) -> str:
    """Why a process that nobody told to end has ended."""
    if code < 0:
        return f"killed-{-code}"
    return {0: "left", 129: "hung-up"}.get(code, f"failed-{code}")
