"""MQTT clients for the tests: one that listens, and one so plain that it can misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiomqtt
import pytest

from net.link.address import Broker
from net.link.mqtt_client import trusting
from net.link.topics import spoken
from tests.services import PATIENCE

FENCE = spoken("fence", "chat", "k")
"""Published when all before it must have arrived: what has not come by then never will."""

OUTSIDE = (
    "elsewhere",
    "farfadet",
    "farfadet/1",
    "farfadet/2/t/room/log/alice",
    "farfadet/1/lobby",
    "farfadet/1/lobby/room/more",
    "farfadet/1/t/room/log",
    "farfadet/1/t/room/cards/alice",
    "farfadet/1/t/room/log/alice/more",
    "/farfadet/1/t/room/log/alice",
    "$SYS/broker/version",
    "$CONTROL/dynamic-security/v1",
    "$share/us/farfadet/1/lobby/room",
)
"""Topics that are not ours, some of them nearly."""


def client(url: str, identifier: str | None = None, timeout: float = PATIENCE) -> aiomqtt.Client:
    """An ordinary client: MQTT 3.1.1, clean session."""
    broker = Broker.parse(url)
    return aiomqtt.Client(
        broker.host,
        broker.port,
        identifier=identifier,
        protocol=aiomqtt.ProtocolVersion.V311,
        clean_session=True,
        timeout=timeout,
    )


@dataclass
class Ear:
    """A client that has subscribed; a message heard is topic, payload, whether retained."""

    client: aiomqtt.Client

    async def until(
        self, topic: str | None = None, count: int = 1
    ) -> list[tuple[str, bytes, bool]]:
        """Listen until ``count`` more messages have come, on ``topic`` or at all; all that came."""
        heard: list[tuple[str, bytes, bool]] = []
        async with asyncio.timeout(PATIENCE):
            async for message in self.client.messages:
                name = message.topic.value
                heard.append((name, bytes(message.payload), bool(message.retain)))
                count -= topic in (name, None)
                if count == 0:
                    break
        return heard

    async def fenced(self) -> list[tuple[str, bytes, bool]]:
        """Everything that had come before a fence that we publish ourselves now."""
        await self.client.publish(FENCE, b"")
        return (await self.until(FENCE))[:-1]


@asynccontextmanager
async def ear(url: str, *patterns: str, identifier: str | None = None) -> AsyncIterator[Ear]:
    """A client that hears ``patterns``, and the fence."""
    async with client(url, identifier) as inner:
        for pattern in (*patterns, FENCE):
            await inner.subscribe(pattern)
        yield Ear(inner)


@asynccontextmanager
async def user(url: str, *patterns: str, will: aiomqtt.Will | None = None) -> AsyncIterator[Ear]:
    """Any client that logs in as ``url`` says, hears ``patterns`` and the fence."""
    broker = Broker.parse(url)
    async with aiomqtt.Client(
        broker.host,
        broker.port,
        username=broker.user,
        password=broker.password,
        protocol=aiomqtt.ProtocolVersion.V311,
        timeout=PATIENCE,
        will=will,
        tls_context=trusting() if broker.tls else None,
    ) as client:
        for pattern in (*patterns, FENCE):
            await client.subscribe(pattern)
        yield Ear(client)


async def thrown_out(villain: Ear, size: int, retain: bool = False) -> None:
    """Send too large a packet, and wait until the broker has hung up for it."""
    topic = spoken("room", "log", "alice")
    # The client waits for an answer to it even when the connection is lost.
    sending = asyncio.create_task(villain.client.publish(topic, bytes(size), retain=retain))
    with pytest.raises(aiomqtt.MqttError, match="Disconnected"):
        await villain.until()
    sending.cancel()
    await asyncio.wait((sending,))


def _text(value: bytes) -> bytes:
    return len(value).to_bytes(2, "big") + value


class Plain:
    """A connection with a will, made of bytes, that does nothing by itself."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connect(cls, url: str, will: tuple[str, bytes], keepalive: int = 60) -> Plain:
        """Connect with this retained will at QoS 1; ``keepalive`` in seconds."""
        broker = Broker.parse(url)
        reader, writer = await asyncio.open_connection(broker.host, broker.port)
        body = _text(b"MQTT") + bytes([4, 0b00101110]) + keepalive.to_bytes(2, "big")
        body += _text(b"plain") + _text(will[0].encode()) + _text(will[1])
        writer.write(bytes([0x10, len(body)]) + body)
        assert await reader.readexactly(4) == b"\x20\x02\x00\x00"
        return cls(reader, writer)

    async def goodbye(self) -> None:
        """Send DISCONNECT, and wait until the broker has hung up."""
        self._writer.write(b"\xe0\x00")
        async with asyncio.timeout(PATIENCE):
            assert await self._reader.read() == b""
        await self.close()

    async def close(self) -> None:
        """Close the connection without a word, as the system does for a killed process."""
        self._writer.close()
        await self._writer.wait_closed()
