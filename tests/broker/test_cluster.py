"""Three nodes as one broker: what any broker does, who is kept out, and what a dead node costs."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass

import aiomqtt
import pytest

from broker.cluster.files import CONF
from broker.cluster.nodes import Node
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.link.topics import KINDS, LOBBIES, heard, lobby, spoken
from net.link.transport import TransportError
from tests.broker.clients import OUTSIDE, Ear, Plain, client, ear, thrown_out, user
from tests.broker.nodes import Cluster
from tests.broker.tables import Pace, table

# All but the one that wants a broker to forget: these nodes are there to remember.
from tests.broker.test_conformance import (  # noqa: F401
    test_a_clean_session_leaves_nothing_behind,
    test_a_larger_payload_reaches_nobody_and_harms_nobody,
    test_a_second_connection_with_the_same_id_ends_the_first,
    test_a_silent_peer_is_given_up,
    test_a_will_is_not_published_after_a_goodbye,
    test_a_will_is_published_and_retained_when_a_peer_vanishes,
    test_messages_of_one_publisher_arrive_in_order,
    test_retained_messages_outlive_a_goodbye,
    test_retained_messages_reach_late_subscribers_until_cleared,
    test_retained_messages_reach_nobody_who_did_not_ask,
    test_the_largest_payload_passes_whole,
    test_two_clients_hear_each_other_and_themselves,
    test_wildcards_take_one_level_each,
)
from tests.services import PATIENCE, self_signed

pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(sys.platform == "win32", reason="a node is a server's, and they kill it"),
]

SEED = 20261130
HERE = spoken("room", "here", "alice")
LOG = spoken("room", "log", "alice")
MOST = 12
"""Clients that a node takes in these tests."""

GAMES = (("taverne", 3), ("gnomia", 3), ("gobelin", 2))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three nodes that take anybody, without TLS."""
    running = Cluster(tmp_path_factory.mktemp("cluster") / "open")
    try:
        asyncio.run(running.start())
        yield running
    finally:
        running.stop()


@dataclass(frozen=True)
class Door:
    """One node, for tests that ask for any broker and leave it running."""

    url: str


@pytest.fixture
async def broker(cluster: Cluster) -> AsyncIterator[Door]:
    """One node; what was retained is forgotten afterwards."""
    door = Door(cluster.url(cluster.nodes[0]))
    yield door
    async with ear(door.url, "farfadet/1/t/+/+/+", LOBBIES) as late:
        for topic, payload, _ in await late.fenced():
            if payload:
                await late.client.publish(topic, b"", qos=1, retain=True)


class Player:
    """Our transport, and a queue of what it hears."""

    def __init__(self, url: str, *patterns: str) -> None:
        self.transport = MqttTransport(Broker.parse(url))
        self.heard: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        for pattern in patterns:
            self.transport.subscribe(pattern)
        self.transport.listen(lambda *message: self.heard.put_nowait(message), lambda up: None)

    async def hears(self, *expected: tuple[str, bytes]) -> None:
        """Wait until all of ``expected`` have come, whatever else comes."""
        missing = Counter(expected)
        async with asyncio.timeout(PATIENCE):
            while missing.total():
                missing -= Counter([await self.heard.get()])


async def everywhere(
    cluster: Cluster, nodes: tuple[Node, ...], *retained: tuple[str, bytes]
) -> None:
    """Wait until late subscribers at each of ``nodes`` get exactly what is ``retained``."""
    async with asyncio.timeout(PATIENCE):
        for node in nodes:
            found: set[tuple[str, bytes]] | None = None
            while found != set(retained):
                async with ear(cluster.url(node), LOBBIES, heard("room")) as late:
                    found = {(topic, payload) for topic, payload, _ in await late.fenced()}


async def test_what_is_said_at_one_node_is_heard_at_all_in_order(cluster: Cluster) -> None:
    players = [Player(cluster.url(node), heard("room")) for node in cluster.nodes]
    payloads = [b"%d" % number for number in range(2000)]
    async with AsyncExitStack() as stack:
        for player in players:
            await stack.enter_async_context(player.transport)
        async with asyncio.timeout(PATIENCE):
            # Nodes tell each other what is asked for, which takes a moment.
            while any(player.heard.empty() for player in players):
                players[0].transport.publish(LOG, b"hello")
                await asyncio.sleep(0.01)
        for payload in payloads:
            players[0].transport.publish(LOG, payload)
        for player in players:
            await player.hears((LOG, payloads[0]))
            assert [(await player.heard.get())[1] for _ in payloads[1:]] == payloads[1:]


async def test_what_is_retained_or_willed_at_one_node_is_known_at_all(
    cluster: Cluster, broker: Door
) -> None:
    north, east, west = cluster.nodes
    async with client(cluster.url(north)) as host:
        await host.publish(lobby("a"), b"open", qos=1, retain=True)
    peer = await Plain.connect(cluster.url(east), will=(HERE, b"gone"))
    await peer.close()
    await everywhere(cluster, cluster.nodes, (lobby("a"), b"open"), (HERE, b"gone"))
    async with client(cluster.url(west)) as host:
        await host.publish(lobby("a"), b"", qos=1, retain=True)
    await everywhere(cluster, cluster.nodes, (HERE, b"gone"))


async def test_games_go_on_while_each_node_in_turn_is_killed(
    cluster: Cluster, broker: Door
) -> None:
    random.seed(SEED)
    everybody = Broker.parse(cluster.url())
    pace, seats = Pace(), sum(count for _, count in GAMES)
    kept = [(lobby("a"), b"open"), (HERE, b"up")]
    async with client(cluster.url(cluster.nodes[0])) as host:
        for topic, payload in kept:
            await host.publish(topic, payload, qos=1, retain=True)
    tables = [
        asyncio.create_task(table(everybody, game, count, pace, seed))
        for seed, (game, count) in enumerate(GAMES)
    ]
    try:
        await pace.spent(seats)
        assert all([await cluster.clients(node) for node in cluster.nodes])
        for node in cluster.nodes:
            pace.grant(1)
            await pace.spent(seats)
            cluster.kill(node)
            pace.grant(1)
            await pace.spent(seats)
            others = tuple(other for other in cluster.nodes if other != node)
            await everywhere(cluster, others, *kept)
            await cluster.start(node)
            await everywhere(cluster, (node,), *kept)
        pace.grant(10_000)
        results = await asyncio.gather(*tables)
    finally:
        random.seed()
        for task in tables:
            task.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
    for found, (_, count) in zip(results, GAMES, strict=True):
        assert len(found) == count
        assert all(result == found[0] for result in found)


# With TLS and passwords, and somebody who means no good.


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three nodes with TLS that know two users, and a third who may hear everything."""
    folder = tmp_path_factory.mktemp("guarded")
    certificate = self_signed(folder)
    people = {"lou": "secret", "mallory": "hidden"}
    running = Cluster(folder / "nodes", (certificate, certificate.with_name("key.pem")), people)
    spy = '{ user: "spy", password: "x", permissions: { publish: ">", subscribe: ">" } }'
    for node in running.nodes:
        users, conf = (running.folder / node.name / name for name in ("users.conf", CONF))
        users.write_text(users.read_text().replace("]", f", {spy}]"))
        limited = conf.read_text().replace("max_connections: 1000", f"max_connections: {MOST}")
        conf.write_text(limited)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(certificate))
        try:
            asyncio.run(running.start())
            yield running
        finally:
            running.stop()


async def failure(url: str) -> str:
    """The code of the error with which our transport fails to open."""
    with pytest.raises(TransportError) as caught:
        async with MqttTransport(Broker.parse(url)):
            pass
    return caught.value.code


async def test_users_play_over_tls_and_nobody_else_gets_in(guarded: Cluster) -> None:
    for login in ("", "lou:guess@", "nobody:secret@", "nobody:@", "guest:@", "node:@"):
        assert await failure(guarded.url(login=login)) == "auth"
    assert await failure(guarded.url(login="lou:secret@").replace("mqtts", "mqtt")) == "closed"
    north, east, west = guarded.nodes
    bob = Player(guarded.url(east, login="mallory:hidden@"), heard("room"), LOBBIES)
    alice = Player(guarded.url(north, west, login="lou:secret@"))
    async with alice.transport, bob.transport:
        # Heard at the latest with what is retained: nodes tell each other what is asked for.
        for topic in (lobby("room"), *(spoken("room", kind, "alice") for kind in KINDS)):
            alice.transport.publish(topic, b"open", retain=True)
            await bob.hears((topic, b"open"))
            alice.transport.publish(topic, b"", retain=True)
            await bob.hears((topic, b""))


@pytest.mark.parametrize("retain", [False, True])
async def test_a_villain_publishes_nothing_outside_our_topics(
    guarded: Cluster, retain: bool
) -> None:
    secrets = ("$JS/API/STREAM/DELETE/$MQTT_rmsgs", "$MQTT/sub/x", "$SYS/REQ/SERVER/PING")
    async with all_hearing(guarded) as spy:
        async with user(guarded.url(login="mallory:hidden@")) as villain:
            for topic in (*OUTSIDE, *secrets):
                await villain.client.publish(topic, b"forged", qos=1, retain=retain)
            await villain.client.publish(LOG, b"forged", qos=1)
        messages = await spy.until(LOG)
    assert [topic for topic, payload, _ in messages if payload == b"forged"] == [LOG]
    # That it hears what the nodes say to their stores shows that it would have heard the rest.
    assert any(topic.startswith("$JS/") for topic, _, _ in messages)
    async with all_hearing(guarded) as late:
        assert not [topic for topic, payload, _ in await late.fenced() if payload == b"forged"]


async def test_a_villain_leaves_no_will_outside_our_topics(guarded: Cluster) -> None:
    mallory = guarded.url(login="mallory:hidden@")
    async with all_hearing(guarded) as spy:
        # Whoever sends too much is hung up on, and then the will is published, if it may.
        for topic in (*OUTSIDE, HERE):
            async with user(mallory, will=aiomqtt.Will(topic, b"forged", 1, True)) as villain:
                await thrown_out(villain, 70_000)
        messages = await spy.until(HERE)
        assert [topic for topic, payload, _ in messages if payload == b"forged"] == [HERE]
        await spy.client.publish(HERE, b"", qos=1, retain=True)


async def test_a_villain_asks_for_our_topics_or_in_vain(guarded: Cluster) -> None:
    patterns = ("#", "+/#", "$SYS/#", "$JS/#", "$MQTT/#", "elsewhere/#", "$share/us/farfadet/1/+")
    async with user(guarded.url(login="mallory:hidden@"), heard("room")) as villain:
        for pattern in patterns:
            (granted,) = await villain.client.subscribe(pattern)
            assert getattr(granted, "value", granted) == 0x80, pattern
        await villain.client.publish(LOG, b"for everybody", qos=1)
        assert await villain.until(LOG) == [(LOG, b"for everybody", False)]


@pytest.mark.parametrize("retain", [False, True])
async def test_a_villain_sends_nothing_too_large(guarded: Cluster, retain: bool) -> None:
    async with user(guarded.url(login="lou:secret@"), heard("room")) as witness:
        for size in (70_000, 10_000_000):
            async with user(guarded.url(login="mallory:hidden@")) as villain:
                await thrown_out(villain, size, retain)
        assert await witness.fenced() == []
        await witness.client.publish(LOG, b"still here")
        assert await witness.until(LOG) == [(LOG, b"still here", False)]
    async with user(guarded.url(login="lou:secret@"), heard("room")) as late:
        assert await late.fenced() == []


async def test_who_finds_a_node_full_goes_to_another(guarded: Cluster) -> None:
    north, east, _ = guarded.nodes
    async with AsyncExitStack() as villains:
        for _ in range(MOST):
            await villains.enter_async_context(user(guarded.url(north, login="mallory:hidden@")))
        # It hangs up before it shows its certificate, as who has none does.
        assert await failure(guarded.url(north, login="lou:secret@")) in ("tls", "closed")
        alice = Player(guarded.url(north, east, login="lou:secret@"), heard("room"))
        async with alice.transport:
            alice.transport.publish(LOG, b"hello")
            await alice.hears((LOG, b"hello"))
        assert await guarded.clients(north) == MOST


def all_hearing(guarded: Cluster) -> AbstractAsyncContextManager[Ear]:
    """Somebody who hears everything, the nodes' own talk as well, at the first node."""
    return user(guarded.url(login="spy:x@"), "#", "$SYS/#", "$JS/#", "$MQTT/#", "$share/#")
