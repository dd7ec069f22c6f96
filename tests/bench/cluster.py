"""Three brokers in one run: the embedded one, Mosquitto, three nodes; each beside plain clients."""

from __future__ import annotations

import asyncio
import socket
import tempfile
import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Protocol, TypeAlias

import aiomqtt

from broker.engine import Engine
from net.link.address import Broker
from net.link.channel import Channel
from net.link.mqtt import MqttTransport
from net.link.topics import heard, spoken
from tests.broker.nodes import Cluster
from tests.services import Mosquitto, Service, find

SIZE = 185
"""Bytes of a commitment, and of a reveal, with the envelope."""

SEALED = SIZE + 40
"""The same, sealed with an invitation's key."""

TABLES, SEATS, ROUNDS = 50, 4, 6
RATE = "publishes_a_second"
TIMES = 3
CONNECTS = 40
FANS = (6, 24)
TRIPS = 200
AT_ONCE = 10
"""Connections that are opened at the same time, where many are."""


class Seat(Protocol):
    """A client at a table: it says things to all and hears the others'."""

    @abstractmethod
    async def open(self) -> None:
        """Connect and subscribe."""

    @abstractmethod
    async def close(self) -> None:
        """Disconnect."""

    @abstractmethod
    async def say(self) -> None:
        """Publish a commitment, or a reveal."""

    @abstractmethod
    async def hear(self, others: int) -> None:
        """Wait until as many more have come, from others."""


class Ours(Seat):
    """A channel over our transport."""

    def __init__(self, broker: Broker, room: str, number: int) -> None:
        self._channel = Channel(MqttTransport(broker), room, number.to_bytes(32, "big"), bytes(16))
        self._heard = asyncio.Semaphore(0)
        self._channel.listen(lambda kind, payload: self._heard.release(), lambda up: None)

    async def open(self) -> None:
        await self._channel.open()

    async def close(self) -> None:
        await self._channel.close()

    async def say(self) -> None:
        self._channel.publish("log", bytes(SIZE))

    async def hear(self, others: int) -> None:
        for _ in range(others):
            await self._heard.acquire()


class Plain(Seat):
    """aiomqtt alone, with as many bytes."""

    def __init__(self, broker: Broker, room: str, number: int) -> None:
        self._topic = spoken(room, "log", number.to_bytes(32, "big").hex())
        self._room = room
        self._client = aiomqtt.Client(
            broker.host,
            broker.port,
            protocol=aiomqtt.ProtocolVersion.V311,
            clean_session=True,
            socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
        )

    async def open(self) -> None:
        await self._client.__aenter__()
        for kind in ("log", "sync", "room"):
            await self._client.subscribe(heard(self._room, kind))

    async def close(self) -> None:
        await self._client.__aexit__(None, None, None)

    async def say(self) -> None:
        await self._client.publish(self._topic, bytes(SEALED))

    async def hear(self, others: int) -> None:
        while others:
            message = await anext(self._client.messages)
            others -= message.topic.value != self._topic


Kind: TypeAlias = Callable[[Broker, str, int], Seat]


@asynccontextmanager
async def seated(
    kind: Kind, places: Sequence[Broker], rooms: int, seats: int
) -> AsyncIterator[Any]:
    """``rooms`` of ``seats`` clients each, one after the other at each of ``places``."""
    tables = [
        [kind(places[(seats * room + at) % len(places)], f"r{room}", at) for at in range(seats)]
        for room in range(rooms)
    ]
    gate = asyncio.Semaphore(AT_ONCE)

    async def gated(work: Callable[[], Any]) -> None:
        async with gate:
            await work()

    everybody = [seat for table in tables for seat in table]
    try:
        await asyncio.gather(*(gated(seat.open) for seat in everybody))
        if len(places) > 1:
            # Nodes tell each other what is asked for, which takes a moment.
            await asyncio.sleep(1)
        yield tables
    finally:
        await asyncio.gather(*(gated(seat.close) for seat in everybody))


async def connects(kind: Kind, places: Sequence[Broker]) -> float:
    """Milliseconds until one client may speak and hears the room (median)."""
    times = []
    for number in range(CONNECTS):
        seat = kind(places[number % len(places)], "door", number)
        began = time.perf_counter()
        await seat.open()
        times.append(time.perf_counter() - began)
        await seat.close()
    return 1000 * median(times)


async def fan(kind: Kind, places: Sequence[Broker], listeners: int) -> float:
    """Milliseconds from saying one thing until the last of ``listeners`` has it (median)."""
    times = []
    async with seated(kind, places, 1, listeners + 1) as ((speaker, *others),):
        for _ in range(TRIPS):
            began = time.perf_counter()
            await speaker.say()
            await asyncio.gather(*(other.hear(1) for other in others))
            times.append(time.perf_counter() - began)
    return 1000 * median(times)


async def rounds(kind: Kind, places: Sequence[Broker]) -> dict[str, float]:
    """Secret rounds at all tables at once: everybody commits, hears all, reveals, hears all."""
    times: list[float] = []

    async def turn(seat: Seat) -> None:
        for _ in ("commit", "reveal"):
            await seat.say()
            await seat.hear(SEATS - 1)

    async def play(table: Sequence[Seat]) -> None:
        for _ in range(ROUNDS):
            began = time.perf_counter()
            await asyncio.gather(*map(turn, table))
            times.append(time.perf_counter() - began)

    async with seated(kind, places, TABLES, SEATS) as tables:
        began = time.perf_counter()
        await asyncio.gather(*map(play, tables))
        took = time.perf_counter() - began
    return {
        "round_ms": 1000 * median(times),
        "round_p99_ms": 1000 * quantiles(times, n=100)[-1],
        RATE: TABLES * SEATS * 2 * ROUNDS / took,
    }


async def measured(places: Sequence[Broker]) -> dict[str, Any]:
    """All of it for one broker at ``places``: ours, plain, and ours over plain.

    The best of ``TIMES`` times, one kind after the other: others on the machine only ever slow it.
    """
    found: dict[str, dict[str, float]] = {"plain": {}, "ours": {}}
    for _ in range(TIMES):
        for name, kind in (("plain", Plain), ("ours", Ours)):
            once = {
                "connect_ms": await connects(kind, places),
                **{f"fan_{count}_ms": await fan(kind, places, count) for count in FANS},
                **await rounds(kind, places),
            }
            for what, value in once.items():
                better = max if what == RATE else min
                found[name][what] = better(value, found[name].get(what, value))
    ratios = {what: found["ours"][what] / found["plain"][what] for what in found["plain"]}
    return {**found, "ratio": ratios}


async def falls(cluster: Cluster, clients: int = 12) -> dict[str, float]:
    """Seconds until the clients of a killed node are at another, and until it serves again."""
    loop = asyncio.get_running_loop()
    moved: list[float] = []
    back: list[float] = []
    for node in (*cluster.nodes, *cluster.nodes):
        told: asyncio.Queue[bool] = asyncio.Queue()
        async with AsyncExitStack() as stack:
            for _ in range(clients):
                transport = MqttTransport(Broker.parse(cluster.url()))
                transport.listen(lambda topic, payload: None, told.put_nowait)
                await stack.enter_async_context(transport)
                await told.get()
            leaving = await cluster.clients(node)
            began = loop.time()
            cluster.kill(node)
            while leaving:
                if await told.get():
                    moved.append(loop.time() - began)
                    leaving -= 1
            began = loop.time()
            await cluster.start(node)
            back.append(loop.time() - began)
    return {
        "moved_s": median(moved),
        "moved_at_most_s": max(moved),
        "back_s": median(back),
        "back_at_most_s": max(back),
    }


async def figures() -> dict[str, Any]:
    """``connect``, ``fan`` out, and ``rounds`` of 50 tables, over each broker; and a node's death.

    One process has all clients, so this is what they cost as much as what the broker does.
    """
    found: dict[str, Any] = {}
    kinds: dict[str, Callable[[Path], Service]] = {"engine": Engine}
    if find("mosquitto") is not None:
        kinds["mosquitto"] = Mosquitto
    for name, kind in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            service = kind(Path(folder))
            await service.start()
            try:
                found[name] = await measured([Broker.parse(service.url)])
            finally:
                await service.stop()
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder) / "cluster")
        try:
            began = time.perf_counter()
            await cluster.start()
            started = time.perf_counter() - began
            places = [Broker.parse(cluster.url(node)) for node in cluster.nodes]
            found["cluster"] = {"start_s": started, **await measured(places)}
            found["cluster"]["death"] = await falls(cluster)
        finally:
            cluster.stop()
    return found
