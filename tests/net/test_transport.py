"""The transport within one process, the names of topics, the addresses of brokers."""

from __future__ import annotations

import asyncio
import doctest
import re
import socket
import ssl

import aiomqtt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.link import address, topics, transport
from net.link.address import Broker
from net.link.memory import Hub, MemoryTransport
from net.link.mqtt_client import explained
from net.link.topics import (
    KINDS,
    LIMIT,
    LOBBIES,
    LOBBY,
    Address,
    heard,
    lobby,
    matches,
    parse,
    spoken,
)
from net.link.transport import TransportError, Will

HERE = spoken("room", "here", "alice")
LOG = spoken("room", "log", "alice")

levels = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)


@pytest.mark.parametrize("module", [address, topics, transport])
def test_the_examples_in_the_text_are_true(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]
    assert results.attempted > 0
    assert results.failed == 0


@given(levels, st.sampled_from(KINDS), levels)
def test_a_topic_is_read_back_as_it_was_built(room: str, kind: str, key: str) -> None:
    assert parse(spoken(room, kind, key)) == Address(room, kind, key)
    assert parse(lobby(room)) == Address(room, LOBBY)
    assert matches(heard(room), spoken(room, kind, key))
    assert matches(heard(room, kind), spoken(room, kind, key))
    assert matches(LOBBIES, lobby(room))


@given(st.text())
def test_no_text_breaks_the_reading_of_topics(text: str) -> None:
    for topic in (text, f"farfadet/1/{text}", f"farfadet/1/t/room/log/{text}"):
        found = parse(topic)
        if found is not None:
            kind = found.kind
            again = lobby(found.room) if kind == LOBBY else spoken(found.room, kind, found.key)
            assert again == topic


@pytest.mark.parametrize("text", ["", "a/b", "a.b", "+", "#", "$x", "é", "a b", "a\n", "a" * 65])
def test_what_a_broker_might_read_otherwise_is_no_level(text: str) -> None:
    for build in (lobby, heard, lambda level: spoken(level, "log", "k")):
        with pytest.raises(ValueError, match="level"):
            build(text)
    with pytest.raises(ValueError, match="level"):
        spoken("room", "log", text)


def test_only_our_kinds_are_said() -> None:
    with pytest.raises(ValueError, match="kind"):
        spoken("room", "gossip", "k")
    with pytest.raises(ValueError, match="kind"):
        heard("room", "gossip")


@pytest.mark.parametrize(
    ("pattern", "topic", "expected"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a/b/c", False),
        ("a/+", "a/b", True),
        ("a/+", "a", False),
        ("a/+", "a/", True),
        ("a/+/c", "a/b/c", True),
        ("a/#", "a", True),
        ("a/#", "a/b/c", True),
        ("a/#", "b", False),
        ("a/b/#", "a", False),
        ("#", "a/b", True),
        ("#", "$SYS/a", False),
        ("+/a", "$SYS/a", False),
        ("$SYS/+", "$SYS/a", True),
    ],
)
def test_filters_match_as_mqtt_says(pattern: str, topic: str, expected: bool) -> None:
    assert matches(pattern, topic) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mqtt://example.net", Broker("example.net", 1883)),
        ("mqtts://example.net/", Broker("example.net", 8883, tls=True)),
        ("mqtt://example.net:7", Broker("example.net", 7)),
        ("mqtt://[::1]:7", Broker("::1", 7)),
        ("mqtts://lou:a%40b%3A@h", Broker("h", 8883, True, "lou", "a@b:")),
    ],
)
def test_an_address_is_read(text: str, expected: Broker) -> None:
    assert Broker.parse(text) == expected


NO_ADDRESS = """
host host:1883 http://host mqtt:// mqtt://:1 mqtt://h:0 mqtt://h:70000 mqtt://h:x mqtt://::1
mqtt://[::1 mqtt://h/path mqtt://h?a mqtt://h#a mqtt://h\N{NO-BREAK SPACE} mqtt://lou:secret@h:x
"""


@pytest.mark.parametrize("text", ["", "mqtt://a b", "mqtt://h\n", *re.split("[ \n]+", NO_ADDRESS)])
def test_a_bad_address_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(TransportError) as failure:
        Broker.parse(text)
    assert failure.value.code == "bad-url"
    assert "secret" not in str(failure.value)


def test_an_address_shown_hides_the_password() -> None:
    broker = Broker.parse("mqtts://lou:secret@[::1]")
    assert str(broker) == "mqtts://[::1]:8883"
    assert "secret" not in repr(broker)


@pytest.mark.parametrize(
    ("cause", "code"),
    [
        (socket.gaierror(-2, "Name or service not known"), "no-such-host"),
        (ConnectionRefusedError(111, "Connection refused"), "refused"),
        (ssl.SSLCertVerificationError(1, "self-signed"), "tls"),
        (TimeoutError("timed out"), "timeout"),
        (ConnectionResetError(104, "reset"), "closed"),
        (OSError(113, "No route to host"), "no-route"),
        (OSError(101, "Network is unreachable"), "no-route"),
        (None, "failed"),
    ],
)
def test_every_failure_has_its_code(cause: OSError | None, code: str) -> None:
    error = aiomqtt.MqttError("what the library says")
    error.__context__ = cause
    assert explained(error).code == code


class Guest:
    """A memory transport and all it has told, in order."""

    def __init__(self, hub: Hub, *patterns: str, will: Will | None = None) -> None:
        self.transport: MemoryTransport = hub.transport(will)
        self.told: list[tuple[str, bytes] | bool] = []
        for pattern in patterns:
            self.transport.subscribe(pattern)
        self.transport.listen(
            lambda topic, payload: self.told.append((topic, payload)), self.told.append
        )


async def test_messages_arrive_in_order_at_all_who_asked() -> None:
    hub = Hub()
    alice, bob = Guest(hub, heard("room")), Guest(hub, heard("room", "log"))
    async with alice.transport, bob.transport:
        alice.transport.publish(LOG, b"1")
        bob.transport.publish(HERE, b"2")
        bob.transport.publish(LOG, b"3")
        assert alice.told == [True]
        await hub.quiet()
    assert alice.told == [True, (LOG, b"1"), (HERE, b"2"), (LOG, b"3")]
    assert bob.told == [True, (LOG, b"1"), (LOG, b"3")]


async def test_an_answer_comes_after_all_that_was_said_before_it() -> None:
    hub = Hub()
    order: list[bytes] = []

    def answer(topic: str, payload: bytes) -> None:
        order.append(payload)
        if payload == b"question":
            eager.publish(LOG, b"answer")

    eager = hub.transport()
    eager.subscribe(LOG)
    eager.listen(answer, lambda up: None)
    async with eager:
        eager.publish(LOG, b"question")
        eager.publish(LOG, b"remark")
        await hub.quiet()
    assert order == [b"question", b"remark", b"answer"]


async def test_retained_messages_reach_the_late_until_taken_back() -> None:
    hub = Hub()
    alice, bob, carol = Guest(hub), Guest(hub, HERE), Guest(hub, HERE)
    async with alice.transport:
        alice.transport.publish(HERE, b"up", retain=True)
        alice.transport.publish(LOG, b"said", retain=False)
        await hub.quiet()
        async with bob.transport:
            bob.transport.subscribe(LOG)
            bob.transport.subscribe(HERE)
            await hub.quiet()
            assert bob.told == [True, (HERE, b"up")]
            alice.transport.publish(HERE, b"", retain=True)
            await hub.quiet()
            assert bob.told == [True, (HERE, b"up"), (HERE, b"")]
    async with carol.transport:
        await hub.quiet()
    assert carol.told == [True]


async def test_a_will_speaks_for_the_lost_and_not_for_those_who_leave() -> None:
    hub = Hub()
    alice, bob = Guest(hub, will=Will(HERE, b"gone")), Guest(hub, HERE)
    async with bob.transport:
        async with alice.transport:
            pass
        await hub.quiet()
        assert bob.told == [True]
        await alice.transport.open()
        alice.transport.lose()
        await hub.quiet()
        assert bob.told == [True, (HERE, b"gone")]
        assert hub.retained == {HERE: b"gone"}


async def test_what_is_retained_is_said_again_after_a_loss_and_the_rest_is_not() -> None:
    hub = Hub()
    alice, bob = Guest(hub, HERE), Guest(hub, heard("room"))
    async with alice.transport, bob.transport:
        alice.transport.publish(HERE, b"up", retain=True)
        await hub.quiet()
        hub.forget()
        alice.transport.publish(LOG, b"into the void")
        alice.transport.regain()
        bob.transport.regain()
        await hub.quiet()
    assert alice.told == [True, (HERE, b"up"), False, True, (HERE, b"up")]
    assert bob.told == [True, (HERE, b"up"), False, True, (HERE, b"up")]
    assert alice.transport.losses.unsent == 1


async def test_a_payload_too_large_is_refused() -> None:
    hub = Hub()
    alice = Guest(hub, LOG)
    async with alice.transport:
        with pytest.raises(ValueError, match="65536"):
            alice.transport.publish(LOG, bytes(LIMIT + 1))
        hub.post(LOG, bytes(LIMIT + 1), False)
        alice.transport.publish(LOG, bytes(LIMIT))
        await hub.quiet()
    assert alice.told == [True, (LOG, bytes(LIMIT))]
    assert alice.transport.losses.oversized == 1


async def test_two_who_never_stop_answering_leave_room_for_others() -> None:
    hub = Hub()
    echo = hub.transport()
    echo.subscribe(LOG)
    echo.listen(lambda topic, payload: echo.publish(topic, payload), lambda up: None)
    async with echo:
        echo.publish(LOG, b"for ever")
        for _ in range(10):
            await asyncio.sleep(0)
