"""The checks of ``farfadet doctor``: each tries one thing that a broker must, or must not, do."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from base64 import b32encode
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from ipaddress import ip_address
from statistics import median, quantiles
from typing import Literal, TypeAlias

from net.doctor.probe import HEARD_WITHIN, PATIENCE, Probe, fall_silent
from net.link import topics
from net.link.address import Broker
from net.link.mqtt_client import explained, trusting
from net.link.transport import TransportError, Will

Level: TypeAlias = Literal["ok", "warn", "fail"]
Outcome: TypeAlias = tuple[Level, str, str]
"""Level, code and detail of a finding (``net.doctor.doctor.Finding``)."""

Check: TypeAlias = Callable[[], Awaitable[Outcome]]

PAIRS = 40
"""Pairs of messages by which times are measured."""

STALL = 0.030
"""Seconds by which the second message of a pair may usually be late.

A broker that has not set TCP_NODELAY holds it back until the first one is acknowledged, and a
system that has something to say itself takes 40 ms to do so.
"""

BURST = 500
"""Messages said in one go, to see whether they come in order, and once."""

CROWD, TABLE = 12, 7
"""Clients at a time: those that are tried; six players and a referee."""

FILTERS = 12
"""Subscriptions of one client: more than any of ours has."""

KEEPALIVE = 1
"""Seconds: that of a client that falls silent; a broker waits half as long again."""

NOTICED_WITHIN = 8.0
"""Seconds after which its silence has not been noticed; Mosquitto takes up to 6.5."""

NOTHING_WITHIN = 1.0
"""Seconds to wait for what should not come."""

EXPIRES_SOON = 14
"""Days that a certificate should still last."""

_SIZES = (*(size * 1024 for size in (1, 4, 16, 32, 48, 60)), topics.LIMIT)


class Checks:
    """All checks of one ``broker``, whose room and topics are made for this.

    Every check raises ``TransportError`` where the broker does not even do what the check is not
    about. Of a cluster, two nodes take part: what is said at one is heard at the other.
    """

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._tls: ssl.SSLContext | None = None
        self._room = b32encode(os.urandom(10)).decode()
        self._retained: list[str] = []
        self._exposed = False
        self._trips: list[float] = []
        self._gaps: list[float] = []

    # The way there.

    async def reach(self) -> Outcome:
        """The name is known, and somebody listens. Codes: those of ``TransportError``."""
        told = []
        for host, port in self._broker.hosts:
            since = time.perf_counter()
            try:
                async with asyncio.timeout(PATIENCE):
                    _, writer = await asyncio.open_connection(host, port)
            except (OSError, ValueError) as error:
                failure = explained(error)
                raise TransportError(failure.code, f"{host} port {port}: {error}") from error
            address = str(writer.get_extra_info("peername")[0])
            told.append(f"{address} port {port}, {_ms(time.perf_counter() - since)}")
            if not ip_address(address.partition("%")[0]).is_loopback:
                self._exposed = True
            writer.close()
        return _ok("; ".join(told))

    async def certificate(self) -> Outcome:
        """TLS, trusted. Codes: ``tls``, ``expires-soon``; ``in-clear``: a password without TLS."""
        if not self._broker.tls:
            if self._broker.user is not None and self._exposed:
                return "warn", "in-clear", ""
            return _ok("none: what is said is sealed anyway")
        self._tls = await asyncio.to_thread(trusting)
        days = [await self._lasts(host, port) for host, port in self._broker.hosts]
        detail = f"trusted, for {min(days)} more days"
        return _ok(detail) if min(days) >= EXPIRES_SOON else ("warn", "expires-soon", detail)

    async def _lasts(self, host: str, port: int) -> int:
        """For how many days the certificate of one node is still good."""
        async with asyncio.timeout(PATIENCE):
            _, writer = await asyncio.open_connection(host, port, ssl=self._tls)
        until = ssl.cert_time_to_seconds(writer.get_extra_info("peercert")["notAfter"])
        writer.close()
        return int((until - time.time()) / (24 * 3600))

    async def log_in(self) -> Outcome:
        """MQTT, with the name and password. Codes: those of ``TransportError``."""
        for node in range(len(self._broker.hosts)):
            async with self._probe(node):
                pass
        user = self._broker.user
        return _ok("without a name" if user is None else f"as {user}")

    async def strangers(self) -> Outcome:
        """Nobody comes in without a name, if we have one. Codes: ``welcome``."""
        if self._broker.user is None:
            return _ok("welcome, as we are")
        try:
            async with Probe(replace(self._broker, user=None, password=None), self._tls):
                return "warn", "welcome", ""
        except TransportError as error:
            if error.code in ("auth", "closed"):
                return _ok("turned away")
            raise

    # What is carried.

    async def carry(self) -> Outcome:
        """Our topics, through all our filters. Codes: ``denied``, ``not-carried``."""
        kinds = {kind: self._topic(kind, "topics") for kind in topics.KINDS}
        said = [*kinds.values(), topics.lobby(self._room)]
        wanted = (
            ([topics.heard(self._room, kind) for kind in kinds], list(kinds.values())),
            ([topics.heard(self._room), topics.LOBBIES], said),
            (list(map(topics.everywhere, ("log", "sync"))), [kinds["log"], kinds["sync"]]),
        )
        async with AsyncExitStack() as stack:
            mouth = await stack.enter_async_context(self._probe())
            ears = [await stack.enter_async_context(self._probe(-1)) for _ in wanted]
            for ear, (patterns, _) in zip(ears, wanted, strict=True):
                for pattern in patterns:
                    if not await ear.hear(pattern):
                        return "fail", "denied", pattern
            for topic in said:
                await mouth.say(topic, b"!")
            missing = set()
            deadline = time.monotonic() + HEARD_WITHIN
            for ear, (_, expected) in zip(ears, wanted, strict=True):
                for topic in expected:
                    if not await ear.gets(topic, b"!", deadline - time.monotonic()):
                        missing.add(topic)
        if missing:
            return "fail", "not-carried", ", ".join(sorted(missing))
        return _ok(f"all {len(topics.KINDS)} kinds, and the lobby")

    async def elsewhere(self) -> Outcome:
        """What is not ours cannot be overheard. Codes: ``everything-readable``."""
        outside = f"{self._room}/doctor"
        async with self._probe() as mouth, self._probe(-1) as ear:
            if not await ear.hear("#"):
                return _ok("refused")
            # Many a broker hangs up on who says what it may not.
            with suppress(TransportError):
                await mouth.say(outside, b"!")
            if await ear.gets(outside, b"!", NOTHING_WITHIN):
                return "warn", "everything-readable", ""
        return _ok("nothing comes")

    async def system(self) -> Outcome:
        """What the broker says about itself cannot be read. Codes: ``system-readable``."""
        async with self._probe() as ear:
            if not await ear.hear("$SYS/#"):
                return _ok("refused")
            # Mosquitto grants this to anybody, and then says nothing to most.
            if await ear.count(1, NOTHING_WITHIN):
                return "warn", "system-readable", ear.heard[0].topic
        return _ok("nothing comes")

    async def payload(self) -> Outcome:
        """A payload of ``topics.LIMIT`` bytes comes whole. Codes: ``too-small``."""
        payloads = [os.urandom(size) for size in _SIZES]
        topic = self._topic("log", "payload")
        async with self._probe() as mouth, self._probe(-1) as ear:
            await ear.hear(topic)
            await self._through(mouth, ear, topic, payloads)
            passed = [len(payload) for payload in payloads if ear.got(topic, payload)]
        if len(passed) < len(payloads):
            return "fail", "too-small", f"{max(passed, default=0)} bytes pass"
        return _ok(f"{topics.LIMIT} bytes")

    async def larger(self) -> Outcome:
        """Whether twice as much is refused; it does not matter, since we throw it away."""
        topic = self._topic("log", "larger")
        async with self._probe() as mouth, self._probe(-1) as ear:
            await ear.hear(topic)
            await self._through(mouth, ear, topic, [bytes(2 * topics.LIMIT)])
            passes = ear.losses.oversized > 0
        return _ok(f"{2 * topics.LIMIT} bytes {'pass' if passes else 'are refused'}")

    async def _through(
        self, mouth: Probe, ear: Probe, topic: str, payloads: Sequence[bytes]
    ) -> None:
        """Say ``payloads``, and wait until they have come or it is plain that they will not."""
        with suppress(TransportError):
            for payload in (*payloads, b"end"):
                await mouth.say(topic, payload)
        await ear.until(lambda: mouth.lost or ear.got(topic, b"end"), PATIENCE)
        if mouth.lost:
            # What it said before may still be on its way.
            await ear.count(len(payloads) + 1, NOTHING_WITHIN)

    # What is remembered, and what is said for the dead.

    async def retain(self) -> Outcome:
        """Retained, acknowledged, and taken back. Codes: ``not-retained``, ``not-cleared``."""
        topic = self._topic("here", "retained")
        self._retained.append(topic)
        async with self._probe() as mouth:
            await mouth.say(topic, b"here", 1, retain=True)
            if not await self._late(topic, True):
                return "fail", "not-retained", ""
            await mouth.say(topic, b"", 1, retain=True)
            if not await self._late(topic, False):
                return "fail", "not-cleared", ""
        return _ok("kept, and cleared")

    async def _late(self, topic: str, wanted: bool) -> bool:
        """Whether who subscribes now gets something retained, if ``wanted``, or else nothing."""
        deadline = time.monotonic() + HEARD_WITHIN
        while True:
            # A cluster may take a moment to agree.
            async with self._probe(-1) as ear:
                await ear.hear(topic)
                await ear.count(1, NOTHING_WITHIN / 2)
                if any(heard.retained for heard in ear.heard) == wanted:
                    return True
            if time.monotonic() > deadline:
                return False

    async def will(self) -> Outcome:
        """The will of a client whose connection breaks is said. Codes: ``not-fired``."""
        topic = self._topic("here", "will")
        self._retained.append(topic)
        async with self._probe(-1) as ear:
            await ear.hear(topic)
            async with self._probe(will=Will(topic, b"gone")) as victim:
                await victim.vanish()
                since = time.perf_counter()
                if not await ear.gets(topic, b"gone", PATIENCE):
                    return "fail", "not-fired", f"within {PATIENCE:.0f} s"
            return _ok(f"after {_ms(ear.heard[0].at - since)}")

    async def goodbye(self) -> Outcome:
        """The will of a client that says goodbye is not said. Codes: ``fired``."""
        topic = self._topic("here", "goodbye")
        self._retained.append(topic)
        async with self._probe(-1) as ear:
            await ear.hear(topic)
            async with self._probe(will=Will(topic, b"gone")):
                pass
            if await ear.gets(topic, b"gone", NOTHING_WITHIN):
                return "fail", "fired", ""
        return _ok("no will after it")

    async def silence(self) -> Outcome:
        """Who falls silent is given up, and its will said. Codes: ``not-noticed``."""
        topic = self._topic("here", "silence")
        async with self._probe(-1) as ear:
            await ear.hear(topic)
            writer = await fall_silent(self._broker, self._tls, Will(topic, b"gone"), KEEPALIVE)
            since = time.perf_counter()
            try:
                if not await ear.gets(topic, b"gone", NOTICED_WITHIN):
                    return "warn", "not-noticed", f"within {NOTICED_WITHIN:.0f} s"
            finally:
                writer.close()
            took = ear.heard[0].at - since
        return _ok(f"noticed after {took:.1f} s, with a keepalive of {KEEPALIVE} s")

    # How many, in which order, how fast.

    async def clients(self) -> Outcome:
        """A crowd at a time, who all hear. Codes: ``too-few``: a failure if not even a table."""
        topic = self._topic("log", "clients")
        async with AsyncExitStack() as stack:
            crowd = [self._probe(node) for node in range(CROWD)]
            await asyncio.gather(*map(stack.enter_async_context, crowd), return_exceptions=True)
            there = []
            for ear in crowd:
                with suppress(TransportError):
                    if not ear.lost and await ear.hear(topic):
                        there.append(ear)
            if there:
                await there[0].say(topic, b"!")
            heard = sum([await ear.gets(topic, b"!") for ear in there])
        if heard < CROWD:
            return "fail" if heard < TABLE else "warn", "too-few", f"{heard} of {CROWD}"
        return _ok(f"{CROWD} at a time")

    async def subscriptions(self) -> Outcome:
        """Enough subscriptions for one client. Codes: ``too-few``."""
        async with self._probe() as ear:
            for count in range(FILTERS):
                if not await ear.hear(topics.heard(f"{self._room}-{count}")):
                    return "fail", "too-few", f"{count} of one client"
        return _ok(f"{FILTERS} of one client")

    async def order(self) -> Outcome:
        """What one client says comes in order, once. Codes: ``lost``, ``repeated``, ``mixed``."""
        topic = self._topic("log", "order")
        async with self._probe() as mouth, self._probe(-1) as ear:
            await ear.hear(topic)
            for number in range(BURST):
                await mouth.say(topic, b"%d" % number)
            await ear.gets(topic, b"%d" % (BURST - 1))
            came = [int(heard.payload) for heard in ear.heard]
        missing, again = BURST - len(set(came)), len(came) - len(set(came))
        firsts = list(dict.fromkeys(came))
        if missing:
            return "warn", "lost", f"{missing} of {BURST}"
        if again:
            return "warn", "repeated", f"{again} of {BURST}"
        return _ok(f"{BURST} messages") if firsts == sorted(firsts) else ("warn", "mixed", "")

    async def round_trip(self) -> Outcome:
        """How long a message takes from one client to another. No codes of its own."""
        here, there = self._topic("log", "a"), self._topic("log", "b")
        async with self._probe() as one, self._probe(-1) as other:
            await one.hear(there)
            await other.hear(here)
            for number in range(PAIRS):
                # Who has just spoken does not acknowledge at once: as at a table.
                call = b"%d" % number
                await other.say(there, call)
                await one.gets(there, call)
                since = time.perf_counter()
                await one.say(here, call)
                await one.say(here, call)
                if not await other.count(2 * number + 2):
                    raise TransportError("timeout", f"pair {number}")
                first, second = other.heard[-2:]
                self._trips.append(first.at - since)
                self._gaps.append(second.at - first.at)
        slow = quantiles(self._trips, n=20)[-1]
        return _ok(f"median {_ms(median(self._trips))}, 95 % within {_ms(slow)}")

    async def pairs(self) -> Outcome:
        """The second of two messages is not held back. Codes: ``stalls``."""
        gap = median(self._gaps)
        detail = f"the second of two comes {_ms(gap)} after the first"
        return _ok(detail) if gap < STALL else ("warn", "stalls", detail)

    async def tidy(self) -> None:
        """Take back whatever may still be retained; raises ``TransportError``."""
        if self._retained:
            async with self._probe() as mouth:
                for topic in self._retained:
                    await mouth.say(topic, b"", 1, retain=True)

    def _probe(self, node: int = 0, will: Will | None = None) -> Probe:
        return Probe(self._broker, self._tls, node=node, will=will)

    def _topic(self, kind: str, key: str) -> str:
        return topics.spoken(self._room, kind, key)


def _ok(detail: str) -> Outcome:
    return "ok", "", detail


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"
