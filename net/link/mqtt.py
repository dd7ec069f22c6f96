"""The transport through an MQTT 3.1.1 broker, with aiomqtt.

Every connection is a clean session under a fresh random client id, so a broker never finds a stale
session to revive or a rival to throw out. What must outlast a connection (subscriptions, retained
messages) is kept here and said again on the next one. Where the broker is a cluster, the next
connection is to another node.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import socket
import ssl
import sys
from collections import deque
from collections.abc import Iterator

import aiomqtt
from paho.mqtt.reasoncodes import ReasonCode

from net.link.address import Broker
from net.link.mqtt_client import (
    MOST_BYTES,
    MOST_WAITING,
    NODELAY,
    Client,
    client_to,
    explained,
    telling,
    trusting,
)
from net.link.transport import Hear, Losses, Notify, Transport, TransportError, Will, checked

log = logging.getLogger(__name__)

# The library warns of what we handle and count; its errors are worth a line in the log.
_quiet = log.getChild("client")
_quiet.setLevel(logging.ERROR)

KEEPALIVE = 15
"""Seconds of silence after which either side asks whether the other is there."""

TIMEOUT = 5.0
"""Seconds to wait for the broker's answer to anything."""

SHORTEST, LONGEST = 0.2, 8.0
"""Seconds between two attempts to reach the broker again: the first pause, and the last.

One attempt tries every node of a cluster once, without a pause.
"""

FAREWELL = 1.0
"""Seconds that ``close`` waits for what was published to leave."""

UNHEARD = 10.0
"""Seconds after which what we sent must have arrived, or else the way is lost (Linux only).

A machine that is cut off says nothing, and to notice that takes up to twice ``KEEPALIVE``.
"""

_OPTIONS = [NODELAY]
if sys.platform == "linux":
    _OPTIONS += [(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * UNHEARD))]


class MqttTransport(Transport):
    """One peer's way to one room through ``broker``; ``will`` is said for us when we vanish.

    ``keepalive`` is in seconds; a broker gives a silent peer up after one and a half times that.
    Of a cluster, any node that answers will do.
    """

    def __init__(
        self, broker: Broker, will: Will | None = None, *, keepalive: int = KEEPALIVE
    ) -> None:
        if will is not None:
            checked(will.payload)
        self.losses = Losses()
        self._broker = broker
        # The next to try first. In another order for each of us: not all to the same node.
        self._hosts = deque(random.sample(broker.hosts, len(broker.hosts)))
        self._will = will
        self._keepalive = keepalive
        self._tls: ssl.SSLContext | None = None
        self._hear: Hear = lambda topic, payload: None
        self._notify: Notify = lambda up: None
        self._up = False
        self._closing = False
        self._life: asyncio.Task[None] | None = None
        # What to say on every connection, and how much of it this connection has not yet heard.
        self._patterns: dict[str, None] = {}
        self._asks: deque[str] = deque()
        self._retained: dict[str, bytes] = {}
        self._fresh: dict[str, None] = {}
        self._outbox: deque[tuple[str, bytes]] = deque()
        self._outgoing = 0
        self._underway = 0
        self._said = asyncio.Event()
        self._stated = asyncio.Event()
        self._idle = asyncio.Event()

    def subscribe(self, pattern: str) -> None:
        if pattern not in self._patterns:
            self._patterns[pattern] = None
            self._asks.append(pattern)
            self._stated.set()

    def listen(self, hear: Hear, notify: Notify) -> None:
        self._hear, self._notify = hear, notify

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        checked(payload)
        if retain:
            self._retained[topic] = payload
            self._fresh[topic] = None
            self._stated.set()
        elif (
            not self._up
            or len(self._outbox) >= MOST_WAITING
            or self._outgoing + len(payload) > MOST_BYTES
        ):
            self.losses.unsent += 1
        else:
            self._outbox.append((topic, payload))
            self._outgoing += len(payload)
            self._said.set()

    async def open(self) -> None:
        if self._broker.tls:
            # Reads a few hundred certificates from disk.
            self._tls = await asyncio.to_thread(trusting)
        client, reader = await self._connect()
        self._life = asyncio.create_task(self._live(client, reader))

    async def close(self) -> None:
        if self._life is None:
            return
        self._closing = True
        self._said.set()
        self._stated.set()
        if self._up:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), FAREWELL)
        await _end(self._life)
        self._life = None

    async def _live(self, client: Client, reader: asyncio.Task[None]) -> None:
        """Serve one connection after the other, for ever."""
        loop = asyncio.get_running_loop()
        pause = SHORTEST
        while True:
            since = loop.time()
            await self._serve(client, reader)
            self._hosts.rotate(-1)
            if loop.time() - since > LONGEST:
                pause = SHORTEST
            while True:
                await asyncio.sleep(pause * random.uniform(0.5, 1))
                pause = min(2 * pause, LONGEST)
                try:
                    client, reader = await self._connect()
                except TransportError:
                    continue
                break

    async def _connect(self) -> tuple[Client, asyncio.Task[None]]:
        """Reach any node; raises what says most of all the ``TransportError``s."""
        errors = []
        for _ in range(len(self._hosts)):
            try:
                return await self._enter(*self._hosts[0])
            except TransportError as error:
                log.info("not reached: %s port %d: %s", *self._hosts[0], error)
                errors.append(error)
                self._hosts.rotate(-1)
        raise min(errors, key=telling)

    async def _enter(self, host: str, port: int) -> tuple[Client, asyncio.Task[None]]:
        """Reach one node and ask for all we want to hear; raises ``TransportError``."""
        client = self._client(host, port)
        entering = asyncio.ensure_future(client.__aenter__())
        try:
            # Shielded: aiomqtt connects in a thread, which cannot be told to stop.
            await asyncio.shield(entering)
        except asyncio.CancelledError:
            entering.add_done_callback(client.abandon)
            raise
        except Exception as error:
            client.drop()
            raise explained(error) from error
        reader = asyncio.create_task(self._read(client))
        try:
            self._asks.clear()
            for pattern in tuple(self._patterns):
                await self._ask(client, pattern)
        except BaseException as error:
            await _end(reader)
            client.drop()
            if isinstance(error, Exception):
                raise explained(error) from error
            raise
        self._fresh = dict.fromkeys(self._retained)
        self._up = True
        self._tell(True)
        return client, reader

    async def _serve(self, client: Client, reader: asyncio.Task[None]) -> None:
        """Talk and listen until the connection is lost, or until we are told to leave."""
        self._said.set()
        self._stated.set()
        tasks = (reader, *map(asyncio.create_task, (self._say(client), self._state(client))))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._up = False
            for task in tasks:
                task.cancel()
            try:
                for task in tasks:
                    await _end(task)
                if self._closing:
                    with contextlib.suppress(aiomqtt.MqttError):
                        await client.__aexit__(None, None, None)
            finally:
                # Whoever closes us may lose patience.
                client.drop()
                self._outbox.clear()
                self._outgoing = 0
            if not self._closing:
                self._tell(False)

    def _client(self, host: str, port: int) -> Client:
        return client_to(
            self._broker,
            host,
            port,
            self.losses,
            will=self._will,
            tls=self._tls,
            keepalive=self._keepalive,
            timeout=TIMEOUT,
            options=_OPTIONS,
            logger=_quiet,
        )

    async def _ask(self, client: Client, pattern: str) -> None:
        # QoS 0 is enough to hear: what a broken connection swallows, the next one brings again.
        for code in await client.subscribe(pattern, 0):
            if code.value >= 0x80 if isinstance(code, ReasonCode) else code >= 0x80:
                raise TransportError("denied", pattern)

    async def _read(self, client: Client) -> None:
        async for message in client.messages:
            try:
                self._hear(message.topic.value, bytes(message.payload))
            except Exception:
                log.exception("a listener failed on %s", message.topic)

    async def _say(self, client: Client) -> None:
        while True:
            await self._said.wait()
            self._said.clear()
            while self._outbox:
                topic, payload = self._outbox.popleft()
                self._outgoing -= len(payload)
                with self._leaving():
                    await client.publish(topic, payload)
                # A burst of ours must not keep the loop from what arrives.
                await asyncio.sleep(0)
            self._settle()

    async def _state(self, client: Client) -> None:
        while True:
            await self._stated.wait()
            self._stated.clear()
            while self._asks:
                try:
                    await self._ask(client, self._asks.popleft())
                except TransportError as error:
                    log.warning("subscription refused: %s", error)
            while self._fresh:
                await self._retain(client, next(iter(self._fresh)))
            self._settle()

    async def _retain(self, client: Client, topic: str) -> None:
        payload = self._retained[topic]
        del self._fresh[topic]
        try:
            with self._leaving():
                await client.publish(topic, payload, qos=1, retain=True)
        except aiomqtt.MqttError as error:
            if client.lost:
                raise
            # A broker whose store is full does not answer; the game goes on without it.
            log.warning("not retained: %s: %s", topic, error)
            self._fresh[topic] = None
            await asyncio.sleep(TIMEOUT)
        else:
            if not payload and self._retained[topic] == b"":
                del self._retained[topic]

    @contextlib.contextmanager
    def _leaving(self) -> Iterator[None]:
        self._underway += 1
        try:
            yield
        finally:
            self._underway -= 1

    def _settle(self) -> None:
        if self._closing and not self._outbox and not self._fresh and not self._underway:
            self._idle.set()

    def _tell(self, up: bool) -> None:
        try:
            self._notify(up)
        except Exception:
            log.exception("a listener failed on the link")


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel ``task`` and wait for it; what ended it is worth a line in the log only."""
    # More than once: the ``asyncio.wait_for`` of Python 3.11 may swallow a cancellation.
    while not task.done():
        task.cancel()
        await asyncio.wait((task,), timeout=FAREWELL)
    if not task.cancelled() and task.exception() is not None:
        log.info("connection lost: %s", task.exception())
