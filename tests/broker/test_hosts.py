"""Our transport where an address names several brokers: some answer, some do not, some leave."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from broker.engine import Engine
from net.link import mqtt
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.link.topics import heard, spoken
from net.link.transport import TransportError
from tests.services import PATIENCE, Mosquitto, Service, free_port

pytestmark = pytest.mark.broker

LOG = spoken("room", "log", "alice")


SEEDS = range(4)
"""Which of the hosts is tried first follows from the seed."""


@pytest.fixture(autouse=True)
def unseeded() -> Iterator[None]:
    """Leave chance as it was."""
    yield
    random.seed()


@pytest.fixture
async def engines(tmp_path: Path) -> AsyncIterator[tuple[Engine, Engine]]:
    """Two brokers that know nothing of each other."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(Engine(tmp_path))
        yield one, await stack.enter_async_context(Engine(tmp_path))


def address(*services: Service | int) -> Broker:
    """One address for all ``services``; a number is a port where nobody listens."""
    ports = [
        service if isinstance(service, int) else Broker.parse(service.url).port
        for service in services
    ]
    return Broker("127.0.0.1", ports[0], others=tuple(("127.0.0.1", port) for port in ports[1:]))


class Player:
    """A transport, and a queue of all it tells."""

    def __init__(self, broker: Broker) -> None:
        self.transport = MqttTransport(broker)
        self.told: asyncio.Queue[bool | bytes] = asyncio.Queue()
        self.transport.subscribe(heard("room"))
        self.transport.listen(
            lambda topic, payload: self.told.put_nowait(payload), self.told.put_nowait
        )

    async def hears(self, *expected: bool | bytes) -> None:
        """Be told exactly this next."""
        async with asyncio.timeout(PATIENCE):
            for thing in expected:
                assert await self.told.get() == thing


async def test_who_does_not_answer_is_passed_over(engines: tuple[Engine, Engine]) -> None:
    for seed in SEEDS:
        random.seed(seed)
        player = Player(address(free_port(), engines[0], free_port()))
        async with player.transport:
            player.transport.publish(LOG, b"hello")
            await player.hears(True, b"hello")


async def test_a_player_goes_to_another_when_one_leaves_and_on_and_on(
    engines: tuple[Engine, Engine],
) -> None:
    one, other = engines
    player = Player(address(one, other))
    async with player.transport:
        await player.hears(True)
        player.transport.publish(spoken("room", "here", "alice"), b"up", retain=True)
        await player.hears(b"up")
        for leaving, back in ((one, other), (other, one), (one, other)):
            await leaving.stop()
            # It was either there, or it did not notice.
            player.transport.publish(LOG, b"to whoever is left")
            if await player.told.get() is False:
                await player.hears(True, b"up")
            await leaving.start()
            assert back.port != leaving.port


@pytest.mark.parametrize("code", ["closed", "timeout"])
async def test_of_several_failures_the_most_telling_is_told(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt, "TIMEOUT", 0.3)
    locked = Mosquitto(tmp_path, {"allow_anonymous": "false"})
    await locked.start()
    try:
        async with _impostor(hang_up=code == "closed") as port:
            for seed in SEEDS:
                random.seed(seed)
                assert await _failure(address(free_port(), port, free_port())) == code
                assert await _failure(address(free_port(), port, locked)) == "auth"
    finally:
        await locked.stop()


async def test_where_nobody_answers_every_host_was_tried() -> None:
    assert await _failure(address(free_port(), free_port(), free_port())) == "refused"


async def _failure(broker: Broker) -> str:
    """The code of the error with which a transport fails to open."""
    with pytest.raises(TransportError) as caught:
        async with MqttTransport(broker):
            pass
    return caught.value.code


@asynccontextmanager
async def _impostor(hang_up: bool) -> AsyncIterator[int]:
    """The port of something that hangs up, or never answers."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not hang_up:
            await reader.read(-1)
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield int(server.sockets[0].getsockname()[1])
