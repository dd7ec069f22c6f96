"""The talk of one room over its channel, and staying for it when the game is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from nacl.signing import SigningKey

from net.link.channel import Channel
from net.people.chat import Chat, ChatError, Said, Voice

HERE_EVERY = 20.0
"""Seconds between two times that somebody who looks on says so: one of two may be lost."""


class Talk:
    """What the holder of ``key``, called ``name``, says and hears in ``room`` besides the game."""

    def __init__(self, channel: Channel, room: str, key: SigningKey, name: str) -> None:
        self._channel = channel
        self._chat = Chat(room, key, name, time.time_ns() // 1_000_000)
        self._listeners: list[Callable[[], None]] = []
        channel.converse(self._take)

    @property
    def lines(self) -> tuple[Said, ...]:
        """See ``net.people.chat.Chat``."""
        return self._chat.lines

    @property
    def voices(self) -> tuple[Voice, ...]:
        """See ``net.people.chat.Chat``."""
        return self._chat.voices

    @property
    def muted(self) -> tuple[Voice, ...]:
        """See ``net.people.chat.Chat``."""
        return self._chat.muted

    @property
    def hushed(self) -> bool:
        """Whether nobody without a seat is heard."""
        return self._chat.hushed

    @property
    def watching(self) -> int:
        """How many others look on, as far as they say so."""
        return self._chat.watching(time.monotonic())

    def sit(self, seats: Sequence[tuple[bytes, str]]) -> None:
        """The seats, in order, have these table keys and names."""
        self._chat.sit(seats)

    def say(self, text: str) -> None:
        """Say ``text`` to everybody here. Raises ``net.people.chat.ChatError``."""
        if not self._channel.up:
            raise ChatError("offline")
        self._channel.publish("chat", self._chat.say(text, time.monotonic()))
        self._tell()

    def mute(self, voice: Voice) -> None:
        """Do not hear ``voice`` any more."""
        self._chat.mute(voice)
        self._tell()

    def unmute(self, voice: Voice) -> None:
        """Hear ``voice`` again."""
        self._chat.unmute(voice)
        self._tell()

    def hush(self, hushed: bool) -> None:
        """Hear those without a seat, or none of them."""
        self._chat.hushed = hushed
        self._tell()

    def listen(self, callback: Callable[[], None]) -> None:
        """Call ``callback`` whenever there is something new to show."""
        self._listeners.append(callback)

    @asynccontextmanager
    async def staying(self, seated: bool) -> AsyncIterator[None]:
        """Inside, the end of the game does not leave the room; afterwards it is left.

        Who is not ``seated`` says now and then that it looks on.
        """
        self._channel.keep()
        seen = None if seated else asyncio.create_task(self._be_seen())
        try:
            yield
        finally:
            if seen is not None:
                seen.cancel()
            await self._channel.leave()

    async def _be_seen(self) -> None:
        while True:
            self._channel.publish("chat", self._chat.here())
            await asyncio.sleep(HERE_EVERY)

    def _take(self, payload: bytes) -> None:
        if self._chat.receive(payload, time.monotonic()):
            self._tell()

    def _tell(self) -> None:
        for callback in tuple(self._listeners):
            callback()
