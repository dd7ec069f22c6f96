"""Lines in and lines out, without making the event loop wait: a thread reads, another writes."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from io import RawIOBase
from queue import Empty, Full, Queue, SimpleQueue
from typing import Final, Protocol

LONGEST: Final = 1000
"""Most characters of a line that is read; the rest of it is dropped."""

AHEAD: Final = 100
"""Lines that may have been written before they are read; whoever writes more waits."""

INTERRUPT: Final = "\x03"
"""In place of a line: Ctrl-C was pressed."""

LAST_WORDS: Final = 2.0
"""Seconds for which what has been said may still be on its way when we leave."""


class Lines(Protocol):
    """What a player writes, and what is written to them."""

    async def read(self) -> str | None:
        """The next line, without its end; ``None`` when there will be no more of them."""

    def write(self, line: str) -> None:
        """Say ``line``."""

    def urge(self, line: str | None) -> None:
        """Let ``line`` be read next, before all that has been written."""


class Console:
    """Reads from ``source`` and writes to ``sink``, which are not buffered; both may be pipes.

    Open it where a loop runs. Who does not read what we say cannot be played with: that counts as
    the end of what they write.
    """

    def __init__(self, source: RawIOBase, sink: RawIOBase) -> None:
        self._source, self._sink = source, sink
        self._written: Queue[str | None] = Queue(AHEAD)
        self._urgent: deque[str | None] = deque()
        self._to_say: SimpleQueue[str | None] = SimpleQueue()
        self._news = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop
        self._closed = threading.Event()
        self._writer = threading.Thread(target=self._write, name="writer", daemon=True)

    @classmethod
    def of_process(cls) -> Console:
        """Standard input and output."""
        return cls(
            open(sys.stdin.fileno(), "rb", buffering=0, closefd=False),
            open(sys.stdout.fileno(), "wb", buffering=0, closefd=False),
        )

    def open(self) -> None:
        """Begin to read and to write."""
        self._loop = asyncio.get_running_loop()
        # Nobody can end a thread that waits for a key: it must not keep the process.
        threading.Thread(target=self._read, name="reader", daemon=True).start()
        self._writer.start()

    async def close(self) -> None:
        """Read no more; what was said is still written, if somebody takes it."""
        self._closed.set()
        self._to_say.put(None)
        await asyncio.to_thread(self._writer.join, LAST_WORDS)

    async def read(self) -> str | None:
        """See ``Lines``."""
        while True:
            self._news.clear()
            if self._urgent:
                return self._urgent.popleft()
            with suppress(Empty):
                return self._written.get_nowait()
            await self._news.wait()

    def write(self, line: str) -> None:
        """See ``Lines``."""
        self._to_say.put(line)

    def urge(self, line: str | None) -> None:
        """See ``Lines``."""
        self._urgent.append(line)
        self._news.set()

    # The threads.

    def _read(self) -> None:
        """Until there is no more; white space at the end of a line is none of it."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        while not self._closed.is_set():
            try:
                data = self._source.read(4096)
            except (OSError, ValueError):
                data = b""
            if data is None:
                # Somebody has made it a file that does not wait.
                time.sleep(0.05)
                continue
            *lines, rest = (rest + decoder.decode(data, final=not data)).split("\n")
            for line in lines:
                self._put(line[:LONGEST].rstrip())
            rest = rest[:LONGEST]
            if not data:
                if rest.strip():
                    self._put(rest.rstrip())
                self._put(None)
                return

    def _put(self, line: str | None) -> None:
        while not self._closed.is_set():
            with suppress(Full):
                self._written.put(line, timeout=1.0)
                break
        self._call(self._news.set)

    def _write(self) -> None:
        while (line := self._to_say.get()) is not None:
            data = memoryview(f"{line}{os.linesep}".encode("utf-8", "replace"))
            try:
                while data:
                    data = data[self._sink.write(data) or 0 :]
            except (OSError, ValueError):
                self._call(lambda: self.urge(None))
                return

    def _call(self, news: object) -> None:
        assert callable(news)
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(news)
