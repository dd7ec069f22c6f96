"""Our transport over real brokers, over a bad network, and over things that are no brokers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from broker.engine import Engine
from net.link import mqtt
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.link.topics import LIMIT, LOBBIES, heard, lobby, spoken
from net.link.transport import TransportError, Will
from tests.broker.clients import FENCE, client, ear
from tests.services import PATIENCE, Mosquitto, Service, free_port

pytestmark = pytest.mark.broker

HERE = spoken("room", "here", "alice")
LOG = spoken("room", "log", "alice")


class Player:
    """A transport and all it has told."""

    def __init__(self, url: str, *patterns: str, will: Will | None = None) -> None:
        self.transport = MqttTransport(Broker.parse(url), will)
        self.heard: list[tuple[str, bytes]] = []
        self.links: list[bool] = []
        self._news = asyncio.Event()
        for pattern in (*patterns, FENCE):
            self.transport.subscribe(pattern)
        self.transport.listen(self._hear, self._link)

    def _hear(self, topic: str, payload: bytes) -> None:
        self.heard.append((topic, payload))
        self._news.set()

    def _link(self, up: bool) -> None:
        self.links.append(up)
        self._news.set()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until ``true`` of what was told."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                self._news.clear()
                await self._news.wait()

    async def until_heard(self, *messages: tuple[str, bytes]) -> None:
        """Wait until all ``messages`` have come."""
        await self.until(lambda: set(messages) <= set(self.heard))


async def test_what_is_published_is_heard_in_order(broker: Service) -> None:
    alice, bob = Player(broker.url), Player(broker.url, heard("room"))
    async with alice.transport, bob.transport:
        payloads = [b"%d" % number for number in range(2000)]
        for payload in payloads:
            alice.transport.publish(LOG, payload)
        await bob.until(lambda: len(bob.heard) == len(payloads))
    assert bob.heard == [(LOG, payload) for payload in payloads]
    assert alice.links == bob.links == [True]
    assert (alice.transport.losses.unsent, bob.transport.losses.flooded) == (0, 0)


async def test_what_is_published_before_goodbye_is_sent(broker: Service) -> None:
    alice, bob = Player(broker.url, will=Will(HERE, b"lost")), Player(broker.url, heard("room"))
    async with bob.transport:
        async with alice.transport:
            alice.transport.publish(LOG, b"last word")
            alice.transport.publish(HERE, b"left", retain=True)
        await bob.until_heard((LOG, b"last word"), (HERE, b"left"))
        bob.transport.publish(FENCE, b"")
        await bob.until_heard((FENCE, b""))
    assert (HERE, b"lost") not in bob.heard


async def test_a_subscription_made_later_stands_too(broker: Service) -> None:
    alice = Player(broker.url)
    async with alice.transport, client(broker.url) as host:
        await host.publish(lobby("a"), b"open", qos=1, retain=True)
        alice.transport.subscribe(LOBBIES)
        await alice.until_heard((lobby("a"), b"open"))


async def test_after_a_restart_all_is_as_before(broker: Service) -> None:
    alice = Player(broker.url, heard("room"), will=Will(HERE, b"lost"))
    bob = Player(broker.url, heard("room"), LOBBIES)
    async with alice.transport, bob.transport:
        alice.transport.publish(HERE, b"up", retain=True)
        alice.transport.publish(lobby("room"), b"open", retain=True)
        await bob.until_heard((HERE, b"up"))
        await broker.stop()
        await alice.until(lambda: alice.links == [True, False])
        await bob.until(lambda: bob.links == [True, False])
        bob.heard.clear()
        alice.transport.publish(LOG, b"into the void")
        alice.transport.publish(lobby("room"), b"", retain=True)
        alice.transport.publish(lobby("next"), b"open", retain=True)
        await broker.start()
        await alice.until(lambda: alice.links == [True, False, True])
        await bob.until(lambda: bob.links == [True, False, True])
        await bob.until_heard((HERE, b"up"), (lobby("next"), b"open"))
        alice.transport.publish(LOG, b"hello again")
        await bob.until_heard((LOG, b"hello again"))
        async with ear(broker.url, LOBBIES, heard("room")) as late:
            messages = sorted(await late.until(count=2))
            assert messages == [(lobby("next"), b"open", True), (HERE, b"up", True)]
            assert await late.fenced() == []
    assert alice.transport.losses.unsent == 1
    assert (LOG, b"into the void") not in bob.heard


async def test_too_large_is_refused_going_out_and_dropped_coming_in(tmp_path: Path) -> None:
    loose = Mosquitto(tmp_path, {"message_size_limit": "0"})
    await loose.start()
    try:
        bob = Player(loose.url, heard("room"))
        async with bob.transport, client(loose.url) as speaker:
            with pytest.raises(ValueError, match="65536"):
                bob.transport.publish(LOG, bytes(LIMIT + 1))
            await speaker.publish(LOG, bytes(LIMIT + 1))
            await speaker.publish(LOG, bytes(LIMIT))
            await bob.until_heard((LOG, bytes(LIMIT)))
        assert len(bob.heard) == 1
        assert bob.transport.losses.oversized == 1
    finally:
        await loose.stop()


async def test_a_flood_is_thrown_away(broker: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("net.link.mqtt_client.MOST_WAITING", 10)
    monkeypatch.setattr("net.link.mqtt.MOST_WAITING", 10)
    bob = Player(broker.url, heard("room"))
    async with bob.transport:
        for _ in range(1000):
            bob.transport.publish(LOG, b"!")
        assert bob.transport.losses.unsent == 990
        async with client(broker.url) as speaker:
            for _ in range(1000):
                await speaker.publish(LOG, b"?")
            await speaker.publish(LOG, b"!", qos=1)
        await bob.until(lambda: len(bob.heard) + bob.transport.losses.flooded == 1011)


async def test_a_listener_that_fails_does_not_end_the_link(engine: Engine) -> None:
    alice = MqttTransport(Broker.parse(engine.url))
    alice.subscribe(heard("room"))
    messages: asyncio.Queue[bytes] = asyncio.Queue()

    def fail(topic: str, payload: bytes) -> None:
        messages.put_nowait(payload)
        raise RuntimeError("on purpose")

    alice.listen(fail, lambda up: None)
    async with alice, asyncio.timeout(PATIENCE):
        alice.publish(LOG, b"1")
        alice.publish(LOG, b"2")
        assert [await messages.get(), await messages.get()] == [b"1", b"2"]


async def test_a_name_and_password_are_needed_where_they_are(tmp_path: Path) -> None:
    closed = Mosquitto(tmp_path, {"allow_anonymous": "false"})
    await closed.start()
    try:
        assert await _failure(closed.url) == "auth"
        assert await _failure(closed.url.replace("//", "//lou:guess@")) == "auth"
    finally:
        await closed.stop()


async def test_a_subscription_refused_is_an_error_at_first(engine: Engine) -> None:
    assert await _failure(engine.url, "elsewhere/#") == "denied"


async def test_nobody_listening_is_refused() -> None:
    assert await _failure(f"mqtt://127.0.0.1:{free_port()}") == "refused"


async def test_silence_is_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt, "TIMEOUT", 0.3)

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with _impostor(wait) as url:
        assert await _failure(url) == "timeout"


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
async def test_what_hangs_up_is_no_broker(answer: bytes) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer)

    async with _impostor(hang_up) as url:
        assert await _failure(url) == "closed"


async def test_leaving_while_the_broker_is_away_is_quick_and_clean(engine: Engine) -> None:
    alice = Player(engine.url, heard("room"))
    async with alice.transport:
        await engine.stop()
        await alice.until(lambda: alice.links == [True, False])
    assert alice.links == [True, False]


async def test_tls_wants_a_certificate_it_can_trust(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"certfile": str(certificate), "keyfile": str(certificate.with_name("key.pem"))}
    secured = Mosquitto(certificate.parent, settings)
    await secured.start()
    try:
        url = secured.url.replace("mqtt", "mqtts")
        assert await _failure(url) == "tls"
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        alice = Player(url, heard("room"))
        async with alice.transport:
            alice.transport.publish(LOG, b"sealed")
            await alice.until_heard((LOG, b"sealed"))
    finally:
        await secured.stop()


async def _failure(url: str, *patterns: str) -> str:
    """The code of the error with which a transport fails to open."""
    player = Player(url, *patterns)
    with pytest.raises(TransportError) as failure:
        async with player.transport:
            pass
    assert player.links == []
    return failure.value.code


@asynccontextmanager
async def _impostor(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[str]:
    """Something that listens where a broker should."""

    served: list[asyncio.Task[None]] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await serve(reader, writer)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.append(asyncio.create_task(handle(reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with server:
        yield f"mqtt://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await asyncio.wait_for(asyncio.gather(*served), PATIENCE)
