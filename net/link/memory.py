"""The transport within one process: for playing alone against programs, and for tests.

The hub does what a broker does (retained messages, wills, filters) in one fixed order: messages are
delivered in the order they were published, each to the transports in the order they joined.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from dataclasses import dataclass

from net.link.topics import LIMIT, matches
from net.link.transport import Hear, Losses, Notify, Transport, Will, checked

log = logging.getLogger(__name__)

TURN = 0.005
"""Seconds after which no further message is delivered in the same turn of the loop."""


@dataclass(frozen=True, slots=True)
class _Letter:
    topic: str
    payload: bytes
    retain: bool
    to: MemoryTransport | None = None


class Hub:
    """Where the transports of one process meet."""

    def __init__(self) -> None:
        self.retained: dict[str, bytes] = {}
        self._joined: list[MemoryTransport] = []
        self._letters: deque[_Letter] = deque()
        self._idle = asyncio.Event()
        self._idle.set()

    def transport(self, will: Will | None = None) -> MemoryTransport:
        """A new way into this hub, not yet open."""
        return MemoryTransport(self, will)

    def forget(self) -> None:
        """Be a broker that restarted empty: everybody is cut off, nothing retained is left."""
        for transport in tuple(self._joined):
            self._joined.remove(transport)
            transport.notify(False)
        self._letters.clear()
        self.retained.clear()

    async def quiet(self) -> None:
        """Wait until everything published so far, and all that followed from it, is delivered."""
        await self._idle.wait()

    def joined(self, transport: MemoryTransport) -> bool:
        """Whether ``transport`` hears what is published."""
        return transport in self._joined

    def join(self, transport: MemoryTransport) -> None:
        """From now on ``transport`` hears what is published."""
        self._joined.append(transport)

    def leave(self, transport: MemoryTransport) -> None:
        """From now on it does not."""
        self._joined.remove(transport)

    def post(self, topic: str, payload: bytes, retain: bool) -> None:
        """Take a message, to be delivered when the loop comes round: never inside ``publish``."""
        self._take(_Letter(topic, payload, retain))

    def remind(self, transport: MemoryTransport, pattern: str) -> None:
        """Let ``transport`` have what is retained and matches ``pattern``."""
        for topic, payload in self.retained.items():
            if matches(pattern, topic):
                self._take(_Letter(topic, payload, False, transport))

    def _take(self, letter: _Letter) -> None:
        self._letters.append(letter)
        if self._idle.is_set():
            self._idle.clear()
            asyncio.get_running_loop().call_soon(self._deliver)

    def _deliver(self) -> None:
        # Not for long, and only what is there now: others wait for the loop, a screen for one.
        until = time.monotonic() + TURN
        for _ in range(len(self._letters)):
            letter = self._letters.popleft()
            if letter.retain and letter.payload:
                self.retained[letter.topic] = letter.payload
            elif letter.retain:
                self.retained.pop(letter.topic, None)
            for transport in tuple(self._joined):
                if letter.to is None or letter.to is transport:
                    transport.hear(letter.topic, letter.payload)
            if not self._letters or time.monotonic() > until:
                break
        if self._letters:
            asyncio.get_running_loop().call_soon(self._deliver)
        else:
            self._idle.set()


class MemoryTransport(Transport):
    """A peer's way into a ``Hub``. ``lose`` and ``regain`` are what a bad network would do."""

    def __init__(self, hub: Hub, will: Will | None = None) -> None:
        self.losses = Losses()
        self._hub = hub
        self._will = will
        self._patterns: dict[str, None] = {}
        self._mine: dict[str, bytes] = {}
        self._hear: Hear = lambda topic, payload: None
        self._notify: Notify = lambda up: None

    def subscribe(self, pattern: str) -> None:
        if pattern in self._patterns:
            return
        self._patterns[pattern] = None
        if self._hub.joined(self):
            self._hub.remind(self, pattern)

    def listen(self, hear: Hear, notify: Notify) -> None:
        self._hear, self._notify = hear, notify

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        checked(payload)
        if retain:
            self._mine[topic] = payload
        if self._hub.joined(self):
            self._hub.post(topic, payload, retain)
            self._forget_empty()
        elif not retain:
            self.losses.unsent += 1

    async def open(self) -> None:
        self.regain()

    async def close(self) -> None:
        if self._hub.joined(self):
            self._hub.leave(self)

    def lose(self) -> None:
        """The way is lost without a goodbye: the others get our will."""
        self._hub.leave(self)
        self.notify(False)
        if self._will is not None:
            self._hub.post(self._will.topic, checked(self._will.payload), True)

    def regain(self) -> None:
        """The way is open: subscriptions and retained messages are made anew."""
        self._hub.join(self)
        self.notify(True)
        for pattern in self._patterns:
            self._hub.remind(self, pattern)
        for topic, payload in self._mine.items():
            self._hub.post(topic, payload, True)
        self._forget_empty()

    def hear(self, topic: str, payload: bytes) -> None:
        """Take one message from the hub, if we asked for it."""
        if not any(matches(pattern, topic) for pattern in self._patterns):
            return
        if len(payload) > LIMIT:
            self.losses.oversized += 1
            return
        try:
            self._hear(topic, payload)
        except Exception:
            log.exception("a listener failed on %s", topic)

    def notify(self, up: bool) -> None:
        """Tell the listener about the link."""
        self._notify(up)

    def _forget_empty(self) -> None:
        self._mine = {topic: payload for topic, payload in self._mine.items() if payload}
