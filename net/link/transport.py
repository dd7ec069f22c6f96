"""How one peer reaches the others of one room: what ``mqtt.py`` and ``memory.py`` provide.

A transport promises little, because reliability is end to end above it. Messages may be lost,
repeated or late while the way to the broker is broken; they are never altered by the transport, and
what one peer publishes arrives in order while the way is open. Publishing never blocks and never
fails for lack of a broker. What is retained is published again whenever the way opens.

>>> import asyncio
>>> from net.link.memory import Hub
>>> async def say() -> list[tuple[str, bytes]]:
...     hub, heard = Hub(), list[tuple[str, bytes]]()
...     alice, bob = hub.transport(), hub.transport()
...     bob.subscribe("a/+")
...     bob.listen(lambda topic, payload: heard.append((topic, payload)), lambda up: None)
...     async with alice, bob:
...         alice.publish("a/b", b"bonjour")
...         await hub.quiet()
...     return heard
>>> asyncio.run(say())
[('a/b', b'bonjour')]
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, TypeAlias

from net.link.topics import LIMIT

Hear: TypeAlias = Callable[[str, bytes], None]
"""Called with the topic and the payload of every message, our own included."""

Notify: TypeAlias = Callable[[bool], None]
"""Called with ``True`` when the way to the others opens, ``False`` when it is lost."""


class TransportError(Exception):
    """The first attempt to reach the broker failed; ``code`` says why, ``detail`` is for the log.

    Codes: ``"bad-url"``; ``"no-such-host"``; ``"no-route"``; ``"refused"`` (nobody listens there);
    ``"timeout"``; ``"tls"`` (the certificate, or no TLS at all); ``"auth"`` (name or password);
    ``"denied"`` (not allowed to listen to the room); ``"closed"`` (hung up on us: full, or not an
    MQTT broker); ``"failed"`` (anything else).
    """

    def __init__(self, code: str, detail: object = "") -> None:
        super().__init__(f"{code}: {detail}" if detail != "" else code)
        self.code = code
        self.detail = detail

    @property
    def passing(self) -> bool:
        """Whether it may be otherwise in a moment, with nothing changed by anybody here."""
        return self.code not in ("bad-url", "tls", "auth", "denied")


@dataclass(frozen=True, slots=True)
class Will:
    """What the broker publishes for us, retained, when it loses us without a goodbye."""

    topic: str
    payload: bytes


@dataclass(slots=True)
class Losses:
    """How many messages this transport threw away, and why."""

    oversized: int = 0
    """Incoming, longer than ``LIMIT``."""
    flooded: int = 0
    """Incoming, faster than we could handle them."""
    unsent: int = 0
    """Ours, published while there was no way, or faster than it takes them."""


class Transport(Protocol):
    """One peer's way to one room. Use it as ``async with``, or ``open`` and ``close`` it.

    All calls and callbacks happen in the loop that opened it. A callback must be quick and must not
    raise; if it does, the exception is logged and the message counts as heard.
    """

    losses: Losses

    @abstractmethod
    def subscribe(self, pattern: str) -> None:
        """Ask for all topics that ``pattern`` matches, now and whenever the way opens again."""

    @abstractmethod
    def listen(self, hear: Hear, notify: Notify) -> None:
        """Say who is called with messages and with changes of the link; replaces the last one.

        ``notify(True)`` comes once the subscriptions stand: an answer to what is published then
        will be heard.
        """

    @abstractmethod
    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Send ``payload`` (at most ``LIMIT`` bytes, else ``ValueError``) at once, or lose it.

        With ``retain``, it replaces what the broker gives to late subscribers, and is sent again
        whenever the way opens; an empty payload takes it back. Retained messages may overtake
        others and be overtaken.
        """

    @abstractmethod
    async def open(self) -> None:
        """Reach the broker for the first time; raises ``TransportError``. Later ones are retried.

        Returns after ``notify(True)``.
        """

    @abstractmethod
    async def close(self) -> None:
        """Say goodbye: what was published is sent if that is quick, the will is not."""

    async def __aenter__(self) -> Self:
        """Open."""
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        await self.close()


def checked(payload: bytes) -> bytes:
    """``payload`` itself if it is short enough to be sent; raises ``ValueError`` otherwise."""
    if len(payload) > LIMIT:
        raise ValueError(f"a payload has at most {LIMIT} bytes, not {len(payload)}")
    return payload
