"""The process of one guest, in a terminal of its own or between pipes, and what goes in and out."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import logging
import os
import signal
import struct
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final

log = logging.getLogger(__name__)

AT_ONCE: Final = 32 * 1024
"""Bytes that are read in one go."""
GRACE: Final = 3.0
"""Seconds from the hang-up until the process is killed."""


class Child:
    """Runs a command as the leader of a session of its own, in a terminal or between pipes.

    ``heard`` gets what it writes: the bytes, and whether they came from stderr, which a terminal
    does not tell apart.
    """

    def __init__(self, heard: Callable[[bytes, bool], None]) -> None:
        self._heard = heard
        self._process: asyncio.subprocess.Process | None = None
        self._input = self._errors = -1
        self._terminal = self._ended = False
        self._open: set[int] = set()
        """Where it is read from."""
        self._reading: set[int] = set()
        self._pending = bytearray()
        self._silent = asyncio.Event()

    async def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        size: tuple[int, int] | None,
    ) -> None:
        """Start ``command``; with a ``size``, in a terminal that has it from the beginning.

        Raises ``OSError``, leaving nothing behind.
        """
        if size is not None:
            self._terminal = True
            self._input, inner = os.openpty()
            self.resize(*size)
            theirs = (inner, inner, inner)
            self._open = {self._input}
        else:
            stdin, self._input = os.pipe()
            output, stdout = os.pipe()
            self._errors, stderr = os.pipe()
            theirs = (stdin, stdout, stderr)
            self._open = {output, self._errors}
        for end in {self._input, *self._open}:
            os.set_blocking(end, False)
        try:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=theirs[0],
                stdout=theirs[1],
                stderr=theirs[2],
                env=dict(environment),
                start_new_session=True,
            )
        except BaseException:
            self._finish()
            raise
        finally:
            for end in set(theirs):
                os.close(end)
        self.read_on()
        self._write()

    @property
    def waiting(self) -> int:
        """Bytes of input that it has not taken yet."""
        return len(self._pending)

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process is not None
        return self._process.pid

    def feed(self, data: bytes) -> None:
        """Give it input, which it takes when it likes, or when it has started."""
        self._pending += data
        self._write()

    def feed_end(self) -> None:
        """There is no more input; a terminal does not end by that."""
        self._ended = True
        self._write()

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has another size now."""
        if self._terminal and self._input >= 0:
            size = struct.pack("HHHH", rows, columns, 0, 0)
            fcntl.ioctl(self._input, termios.TIOCSWINSZ, size)

    def read_on(self) -> None:
        """Take what it writes, from now on."""
        loop = asyncio.get_running_loop()
        for end in self._open - self._reading:
            loop.add_reader(end, self._read, end)
        self._reading = set(self._open)

    def read_not(self) -> None:
        """Take nothing for now; soon it has to wait before it can write more."""
        loop = asyncio.get_running_loop()
        for end in self._reading:
            loop.remove_reader(end)
        self._reading = set()

    async def wait(self) -> int:
        """Wait until it has ended and all that it wrote has been heard.

        Returns the exit code, negative for a signal.
        """
        assert self._process is not None
        code = await self._process.wait()
        # Whoever inherited its terminal might hold it open for ever; whoever reads may be slow.
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await self._silent.wait()
        self._finish()
        return code

    def hang_up(self) -> None:
        """Tell it, and what it may have started, that the terminal is gone."""
        self._signal(signal.SIGHUP)

    async def end(self) -> int:
        """Hang up, and kill what does not go within ``GRACE`` seconds; nothing of it remains.

        Returns as ``wait``; 0 if it was never started.
        """
        if self._process is None:
            self._finish()
            return 0
        if self._process.returncode is None:
            self.hang_up()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), GRACE)
            self._signal(signal.SIGKILL)
        return await self.wait()

    def _signal(self, number: signal.Signals) -> None:
        # Its number is that of its group, which may outlive it.
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def _read(self, end: int) -> None:
        try:
            data = os.read(end, AT_ONCE)
        except BlockingIOError:
            return
        except OSError as error:
            # What a terminal says when the last process in it has gone.
            if error.errno != errno.EIO:
                log.info("the end of a guest's process: %s", error)
            data = b""
        if data:
            self._heard(data, end == self._errors)
        else:
            self._shut(end)

    def _write(self) -> None:
        if self._process is None:
            return
        loop = asyncio.get_running_loop()
        if self._input < 0:
            self._pending.clear()
            return
        try:
            while self._pending:
                del self._pending[: os.write(self._input, self._pending[:AT_ONCE])]
        except BlockingIOError:
            loop.add_writer(self._input, self._write)
            return
        except OSError:
            self._pending.clear()
        loop.remove_writer(self._input)
        if self._ended and not self._terminal:
            self._hold()

    def _hold(self) -> None:
        """No more input goes in."""
        if self._input >= 0:
            asyncio.get_running_loop().remove_writer(self._input)
            if not self._terminal:
                os.close(self._input)
        self._input = -1
        self._pending.clear()

    def _shut(self, end: int) -> None:
        asyncio.get_running_loop().remove_reader(end)
        if end == self._input:
            self._hold()
        self._reading.discard(end)
        self._open.discard(end)
        os.close(end)
        if not self._open:
            self._silent.set()

    def _finish(self) -> None:
        for end in tuple(self._open):
            self._shut(end)
        self._hold()
