"""Conversations with the line client, at tables that are none: what one writes, what is said."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tui.plain.client import Client
from tui.plain.lines import INTERRUPT
from tui.sitting import Play, Replay, Start
from tui.words import Words


class Conversation:
    """Lines in memory, and the client that they are with."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.client: Client
        self.running: asyncio.Task[int]
        self._written: asyncio.Queue[str | None] = asyncio.Queue()
        self._news = asyncio.Event()
        self._read = 0

    async def read(self) -> str | None:
        """See ``tui.plain.lines.Lines``."""
        return await self._written.get()

    def write(self, line: str) -> None:
        """See ``tui.plain.lines.Lines``."""
        self.said.append(line)
        self._news.set()

    def urge(self, line: str | None) -> None:
        """See ``tui.plain.lines.Lines``."""
        self._written.put_nowait(line)

    # What the test does.

    async def tell(self, *lines: str) -> list[str]:
        """Write these; what is said to them."""
        for line in lines:
            self._written.put_nowait(line)
        return await self.new()

    async def new(self) -> list[str]:
        """What was said since the last look."""
        for _ in range(40):
            await asyncio.sleep(0)
        news = self.said[self._read :]
        self._read = len(self.said)
        return news

    async def until(self, text: str) -> str:
        """Wait until a line has ``text`` in it; that line."""
        async with asyncio.timeout(20):
            while True:
                found = [line for line in self.said if text in line]
                if found:
                    return found[-1]
                self._news.clear()
                await self._news.wait()

    async def end(self, *lines: str) -> int:
        """Write these, then nothing more; the exit code."""
        for line in lines:
            self._written.put_nowait(line)
        self._written.put_nowait(None)
        return await self.running

    async def interrupted(self, times: int = 1) -> None:
        """Press Ctrl-C."""
        for _ in range(times):
            self.client.interrupt()
        await self.new()


@asynccontextmanager
async def talking(
    doors: FakeDoors, start: Start | Replay, language: str = "en", ascii_only: bool = False
) -> AsyncIterator[Conversation]:
    """A client that has arrived where ``start`` leads."""
    conversation = Conversation()
    conversation.client = Client(doors, conversation, Words(language, ascii_only))
    conversation.running = asyncio.create_task(conversation.client.run(start))
    await conversation.new()
    try:
        yield conversation
    finally:
        conversation.running.cancel()
        await asyncio.gather(conversation.running, return_exceptions=True)


@asynccontextmanager
async def playing(
    sitting: FakeSitting, language: str = "en", ascii_only: bool = False
) -> AsyncIterator[Conversation]:
    """A game that waits for its first choice."""
    async with talking(FakeDoors(sitting=sitting), Play(), language, ascii_only) as conversation:
        sitting.begin()
        yield conversation


__all__ = ["INTERRUPT", "Conversation", "playing", "talking"]
