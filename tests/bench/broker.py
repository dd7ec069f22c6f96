"""What the brokers themselves cost: the floor under every other figure that crosses one."""

from __future__ import annotations

import asyncio
import socket
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median, quantiles

import aiomqtt

from broker.engine import Engine
from net.link.address import Broker
from net.link.topics import heard, spoken
from tests.services import Mosquitto, Service, find

SIZE = 200
"""Bytes of a message: a commitment with its envelope."""

_TOPIC = spoken("bench", "log", "k")


async def figures(rounds: int = 500, listeners: int = 6) -> dict[str, dict[str, float]]:
    """Milliseconds per broker, over ``rounds`` rounds of messages of ``SIZE`` bytes.

    ``start_ms``: from nothing to the first answer. ``connect_ms``: one client. ``trip_ms``: from
    one client to another. ``fan_ms`` and ``fan_p99_ms``: from one client until the last of
    ``listeners`` has it, the speaker among them: what one message at a full table costs.
    Plain aiomqtt at QoS 0, all in one process. A broker that is not installed is left out.
    """
    brokers: dict[str, type[Engine] | type[Mosquitto]] = {"engine": Engine}
    if find("mosquitto") is not None:
        brokers["mosquitto"] = Mosquitto
    found = {}
    for name, kind in brokers.items():
        with tempfile.TemporaryDirectory() as folder:
            service = kind(Path(folder))
            began = time.perf_counter()
            await service.start()
            started = time.perf_counter() - began
            try:
                found[name] = {
                    "start_ms": 1000 * started,
                    **await _measure(service, rounds, listeners),
                }
            finally:
                await service.stop()
    return found


def _client(url: str) -> aiomqtt.Client:
    broker = Broker.parse(url)
    return aiomqtt.Client(
        broker.host,
        broker.port,
        protocol=aiomqtt.ProtocolVersion.V311,
        clean_session=True,
        socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
    )


async def _measure(service: Service, rounds: int, listeners: int) -> dict[str, float]:
    connects = []
    async with AsyncExitStack() as stack:
        clients = []
        for _ in range(listeners):
            began = time.perf_counter()
            client = await stack.enter_async_context(_client(service.url))
            connects.append(time.perf_counter() - began)
            await client.subscribe(heard("bench"))
            clients.append(client)
        fans = await _trips(clients[0], clients, rounds)
        for client in clients[2:]:
            await client.unsubscribe(heard("bench"))
        await clients[0].unsubscribe(heard("bench"))
        trips = await _trips(clients[0], clients[1:2], rounds)
    return {
        "connect_ms": 1000 * median(connects),
        "trip_ms": 1000 * median(trips),
        "fan_ms": 1000 * median(fans),
        "fan_p99_ms": 1000 * quantiles(fans, n=100)[-1],
    }


async def all_to_all(service: Service, clients: int, rounds: int) -> float:
    """Median milliseconds in which ``clients`` plain clients all say one thing and hear all.

    This is one hop of a secret round with nothing of ours in it.
    """
    async with AsyncExitStack() as stack:
        everybody = [await stack.enter_async_context(_client(service.url)) for _ in range(clients)]
        for client in everybody:
            await client.subscribe(heard("bench"))

        async def turn(client: aiomqtt.Client) -> None:
            await client.publish(_TOPIC, bytes(SIZE))
            for _ in range(clients):
                await anext(client.messages)

        times = []
        for _ in range(rounds):
            began = time.perf_counter()
            await asyncio.gather(*map(turn, everybody))
            times.append(time.perf_counter() - began)
    return 1000 * median(times)


async def _trips(
    speaker: aiomqtt.Client, hearers: list[aiomqtt.Client], rounds: int
) -> list[float]:
    """Seconds from publishing one message until all ``hearers`` have it, ``rounds`` times."""
    trips = []
    payload = bytes(SIZE)
    for _ in range(rounds):
        began = time.perf_counter()
        await speaker.publish(_TOPIC, payload)
        await asyncio.gather(*(anext(hearer.messages) for hearer in hearers))
        trips.append(time.perf_counter() - began)
    return trips
