"""One client of an examination (``net/doctor/doctor.py``): it notes what it hears, and when."""

from __future__ import annotations

import asyncio
import logging
import secrets
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from paho.mqtt.reasoncodes import ReasonCode

from net.link.address import Broker
from net.link.mqtt_client import NODELAY, client_to, explained
from net.link.transport import Losses, TransportError, Will

_quiet = logging.getLogger(__name__)
_quiet.setLevel(logging.CRITICAL)

PATIENCE = 5.0
"""Seconds to wait for the broker's answer to anything."""

HEARD_WITHIN = 2.0
"""Seconds in which what was said must have come."""

GLANCE = 0.1
"""Seconds after which one looks even if nothing has come: a connection may have ended."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One message, whether it was retained, and when it came, by ``time.perf_counter``."""

    topic: str
    payload: bytes
    retained: bool
    at: float


class Probe:
    """A client of ``broker``, at one of its ``node``s; open it with ``async with``.

    ``tls`` is the context for a broker that speaks TLS. ``heard`` is what has come, the oldest
    first. Opening it and everything it does raise ``TransportError``.
    """

    def __init__(
        self,
        broker: Broker,
        tls: ssl.SSLContext | None = None,
        *,
        node: int = 0,
        will: Will | None = None,
        keepalive: int = 60,
    ) -> None:
        self.heard: list[Heard] = []
        self.losses = Losses()
        self._news = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None
        host, port = broker.hosts[node % len(broker.hosts)]
        self._client = client_to(
            broker,
            host,
            port,
            self.losses,
            will=will,
            tls=tls,
            keepalive=keepalive,
            timeout=PATIENCE,
            options=(NODELAY,),
            logger=_quiet,
        )

    async def __aenter__(self) -> Self:
        """Connect and log in."""
        entering = asyncio.ensure_future(self._client.__aenter__())
        try:
            # Shielded: aiomqtt connects in a thread, which cannot be told to stop.
            await asyncio.shield(entering)
        except asyncio.CancelledError:
            entering.add_done_callback(self._client.abandon)
            raise
        except Exception as error:
            self._client.drop()
            raise explained(error) from error
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Say goodbye, if the broker still listens."""
        try:
            if not self.lost:
                await self._client.__aexit__(None, None, None)
        except Exception as failure:
            _quiet.debug("no goodbye: %s", failure)
        finally:
            await self.vanish()

    @property
    def lost(self) -> bool:
        """Whether the connection has ended."""
        return self._client.lost

    async def vanish(self) -> None:
        """End the connection without a goodbye."""
        self._client.drop()
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.wait((self._reader,))

    async def hear(self, *patterns: str) -> bool:
        """Subscribe; whether all is granted."""
        try:
            granted = [
                code.value if isinstance(code, ReasonCode) else code
                for pattern in patterns
                for code in await self._client.subscribe(pattern, 0)
            ]
        except Exception as error:
            raise explained(error) from error
        return all(code < 0x80 for code in granted)

    async def say(self, topic: str, payload: bytes, qos: int = 0, *, retain: bool = False) -> None:
        """Publish; with ``qos`` 1, wait until the broker has it."""
        try:
            await self._client.publish(topic, payload, qos, retain)
        except Exception as error:
            raise explained(error) from error

    async def until(self, true: Callable[[], bool], within: float = HEARD_WITHIN) -> bool:
        """Wait until ``true`` of what was heard, at most ``within`` seconds; whether it is."""
        deadline = time.monotonic() + within
        while not true():
            left = deadline - time.monotonic()
            if left <= 0 or self.lost:
                return False
            self._news.clear()
            waiting = asyncio.ensure_future(self._news.wait())
            await asyncio.wait((waiting,), timeout=min(left, GLANCE))
            waiting.cancel()
        return True

    async def gets(self, topic: str, payload: bytes, within: float = HEARD_WITHIN) -> bool:
        """Whether this message comes, whole, within some seconds."""
        return await self.until(lambda: self.got(topic, payload), within)

    async def count(self, messages: int, within: float = HEARD_WITHIN) -> bool:
        """Whether so many messages have come within some seconds, in all."""
        return await self.until(lambda: len(self.heard) >= messages, within)

    def got(self, topic: str, payload: bytes) -> bool:
        """Whether this message has come."""
        return any((heard.topic, heard.payload) == (topic, payload) for heard in self.heard)

    async def _read(self) -> None:
        async for message in self._client.messages:
            self.heard.append(
                Heard(
                    message.topic.value,
                    bytes(message.payload),
                    bool(message.retain),
                    time.perf_counter(),
                )
            )
            self._news.set()


async def fall_silent(
    broker: Broker, tls: ssl.SSLContext | None, will: Will, keepalive: int
) -> asyncio.StreamWriter:
    """Log in with a ``will``, not retained, and then never say a word, not even in answer.

    Whoever gets the connection closes it. Raises ``TransportError``.
    """
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(*broker.hosts[0], ssl=tls)
            writer.write(_connect(broker, will, keepalive))
            answer = await reader.readexactly(4)
    except Exception as error:
        raise explained(error) from error
    if answer != b"\x20\x02\x00\x00":
        writer.close()
        raise TransportError("failed", answer.hex())
    return writer


def _connect(broker: Broker, will: Will, keepalive: int) -> bytes:
    """An MQTT 3.1.1 CONNECT packet (3.1): clean session, a will at QoS 1."""
    login = [part.encode() for part in (broker.user, broker.password) if part is not None]
    flags = 0b1110 | (broker.user is not None) << 7 | (broker.password is not None) << 6
    parts = [secrets.token_hex(8).encode(), will.topic.encode(), will.payload, *login]
    body = _text(b"MQTT") + bytes([4, flags]) + keepalive.to_bytes(2, "big")
    body += b"".join(map(_text, parts))
    # The length in groups of seven bits (2.2.3); two are enough for 16 KiB.
    return bytes([0x10, len(body) & 0x7F | 0x80, len(body) >> 7]) + body


def _text(value: bytes) -> bytes:
    return len(value).to_bytes(2, "big") + value
