"""What any broker must do for us to be able to play over it, asked of real ones."""

from __future__ import annotations

import asyncio

import aiomqtt
import pytest

from net.link.topics import LIMIT, LOBBIES, heard, lobby, spoken
from tests.broker.clients import FENCE, Plain, client, ear
from tests.services import PATIENCE, Service

pytestmark = pytest.mark.broker

HERE = spoken("room", "here", "alice")
LOG = spoken("room", "log", "alice")


async def test_two_clients_hear_each_other_and_themselves(broker: Service) -> None:
    bobs = spoken("room", "log", "bob")
    async with (
        ear(broker.url, heard("room", "log")) as alice,
        ear(broker.url, heard("room", "log")) as bob,
    ):
        await alice.client.publish(LOG, b"from alice")
        assert await bob.until(LOG) == [(LOG, b"from alice", False)]
        await bob.client.publish(bobs, b"from bob")
        expected = [(LOG, b"from alice", False), (bobs, b"from bob", False)]
        assert await alice.until(bobs) == expected


async def test_wildcards_take_one_level_each(broker: Service) -> None:
    async with (
        ear(broker.url, heard("room", "log")) as one,
        ear(broker.url, heard("room")) as room,
        ear(broker.url, LOBBIES) as lobbies,
        client(broker.url) as speaker,
    ):
        said = (LOG, HERE, spoken("other", "log", "alice"), lobby("room"), "farfadet/1/t/room")
        for topic in said:
            await speaker.publish(topic, b"!")
        await speaker.publish(FENCE, b"")
        assert [topic for topic, _, _ in await one.until(FENCE)] == [LOG, FENCE]
        assert [topic for topic, _, _ in await room.until(FENCE)] == [LOG, HERE, FENCE]
        assert [topic for topic, _, _ in await lobbies.until(FENCE)] == [lobby("room"), FENCE]


async def test_retained_messages_reach_late_subscribers_until_cleared(broker: Service) -> None:
    async with client(broker.url) as host:
        await host.publish(lobby("a"), b"old", qos=1, retain=True)
        await host.publish(lobby("a"), b"new", qos=1, retain=True)
        await host.publish(lobby("b"), b"other", qos=1, retain=True)
        async with ear(broker.url, LOBBIES) as late:
            received = sorted(await late.until(count=2))
            assert received == [(lobby("a"), b"new", True), (lobby("b"), b"other", True)]
            await host.publish(lobby("a"), b"", qos=1, retain=True)
            assert await late.until(lobby("a")) == [(lobby("a"), b"", False)]
        async with ear(broker.url, LOBBIES) as later:
            assert await later.until(lobby("b")) == [(lobby("b"), b"other", True)]
            assert await later.fenced() == []


async def test_retained_messages_outlive_a_goodbye(broker: Service) -> None:
    async with client(broker.url) as host:
        await host.publish(lobby("a"), b"kept", qos=1, retain=True)
    async with ear(broker.url, LOBBIES) as late:
        assert await late.until(lobby("a")) == [(lobby("a"), b"kept", True)]


async def test_retained_messages_reach_nobody_who_did_not_ask(broker: Service) -> None:
    async with (
        client(broker.url) as host,
        ear(broker.url, heard("room")) as guest,
        ear(broker.url) as stranger,
    ):
        await host.publish(HERE, b"in", qos=1, retain=True)
        assert await guest.until(HERE) == [(HERE, b"in", False)]
        async with ear(broker.url) as newcomer, ear(broker.url, heard("elsewhere")) as other:
            for outsider in (stranger, newcomer, other):
                assert await outsider.fenced() == []


async def test_a_will_is_published_and_retained_when_a_peer_vanishes(broker: Service) -> None:
    async with ear(broker.url, heard("room")) as witness:
        peer = await Plain.connect(broker.url, will=(HERE, b"gone"))
        await peer.close()
        assert await witness.until(HERE) == [(HERE, b"gone", False)]
    async with ear(broker.url, heard("room")) as late:
        assert await late.until(HERE) == [(HERE, b"gone", True)]


async def test_a_will_is_not_published_after_a_goodbye(broker: Service) -> None:
    async with ear(broker.url, heard("room")) as witness:
        peer = await Plain.connect(broker.url, will=(HERE, b"gone"))
        await peer.goodbye()
        assert await witness.fenced() == []
    async with ear(broker.url, heard("room")) as late:
        assert await late.fenced() == []


async def test_a_silent_peer_is_given_up(broker: Service) -> None:
    async with ear(broker.url, heard("room")) as witness:
        peer = await Plain.connect(broker.url, will=(HERE, b"gone"), keepalive=1)
        assert await witness.until(HERE) == [(HERE, b"gone", False)]
        await peer.close()


async def test_messages_of_one_publisher_arrive_in_order(broker: Service) -> None:
    payloads = [b"%d" % number for number in range(2000)]
    async with ear(broker.url, heard("room")) as witness, client(broker.url) as speaker:
        for payload in payloads:
            await speaker.publish(LOG, payload)
        messages = await witness.until(LOG, len(payloads))
        assert [payload for _, payload, _ in messages] == payloads


async def test_a_clean_session_leaves_nothing_behind(broker: Service) -> None:
    async with ear(broker.url, heard("room"), identifier="same"):
        pass
    async with client(broker.url) as speaker:
        await speaker.publish(LOG, b"missed", qos=1)
    async with ear(broker.url, identifier="same") as back:
        await back.client.publish(LOG, b"not asked for", qos=1)
        assert await back.fenced() == []


async def test_a_second_connection_with_the_same_id_ends_the_first(broker: Service) -> None:
    async with client(broker.url, "same") as first, ear(broker.url, identifier="same") as second:
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(aiomqtt.MqttError, match="Disconnected"):
                await anext(first.messages)
        assert await second.fenced() == []


async def test_the_largest_payload_passes_whole(broker: Service) -> None:
    payload = bytes(range(256)) * (LIMIT // 256)
    async with ear(broker.url, heard("room")) as witness, client(broker.url) as speaker:
        await speaker.publish(LOG, payload)
        assert await witness.until(LOG) == [(LOG, payload, False)]
        await speaker.publish(HERE, payload, qos=1, retain=True)
        assert await witness.until(HERE) == [(HERE, payload, False)]
    async with ear(broker.url, heard("room")) as late:
        assert await late.until(HERE) == [(HERE, payload, True)]


@pytest.mark.parametrize("retain", [False, True])
async def test_a_larger_payload_reaches_nobody_and_harms_nobody(
    broker: Service, retain: bool
) -> None:
    async with ear(broker.url, heard("room")) as witness:
        # Some brokers throw such a speaker out, some only what it says.
        try:
            async with client(broker.url, timeout=1) as speaker:
                await speaker.publish(LOG, bytes(10_000_000), retain=retain)
        except (aiomqtt.MqttError, OSError):
            pass
        assert await witness.fenced() == []
        async with client(broker.url) as other:
            await other.publish(LOG, b"still here")
        assert await witness.until(LOG) == [(LOG, b"still here", False)]
    async with ear(broker.url, heard("room")) as late:
        assert await late.fenced() == []


async def test_a_broker_started_again_is_empty_and_serves(broker: Service) -> None:
    async with client(broker.url) as host:
        await host.publish(lobby("a"), b"forgotten", qos=1, retain=True)
    await broker.stop()
    await broker.start()
    async with ear(broker.url, LOBBIES) as late:
        assert await late.fenced() == []
