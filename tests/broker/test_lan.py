"""Tables on the local network, which is this machine here: they appear, change and go."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import random
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from broker import lan
from broker.announcement import SERVICE, Announced, service
from broker.lan import Lan
from broker.links import GROUP_4, PORT, Link, links
from tests.broker.lan_tables import GAME, HOME, as_seen, some_table
from tests.broker.neighbour import Neighbour
from tests.services import PATIENCE

LOOPBACK = ("127.0.0.1",)


def _near(network: Lan) -> list[Announced]:
    """The tables found that are ours."""
    return [table for table in network.tables if table.game == GAME]


async def _until(wanted: Callable[[], bool]) -> None:
    """Wait for what the network must bring."""
    async with asyncio.timeout(PATIENCE):
        while not wanted():  # noqa: ASYNC110 - not all that is waited for is told
            await asyncio.sleep(0.01)


async def _sees(network: Lan, *tables: Announced) -> None:
    """Wait until ``network`` has found these and no others."""
    await _until(lambda: _near(network) == [as_seen(table) for table in tables])


@asynccontextmanager
async def _two() -> AsyncIterator[tuple[Lan, Lan]]:
    async with Lan(LOOPBACK) as one, Lan(LOOPBACK) as other:
        yield one, other


async def test_a_table_appears_changes_and_goes() -> None:
    table, next_one = some_table(), some_table()
    async with _two() as (host, guest):
        assert host.available
        assert not _near(guest)
        await host.announce(table)
        await _sees(guest, table)
        for taken in (2, 1, 4):
            table = replace(table, taken=taken, open=taken < 4)
            await host.update(table)
            await _sees(guest, table)
        assert not _near(host)
        await host.withdraw()
        await _sees(guest)
        await host.update(table)
        await host.announce(next_one)
        await _sees(guest, next_one)


async def test_answers_made_before_a_change_do_not_undo_it() -> None:
    table = some_table()
    async with Lan(LOOPBACK) as host:
        await host.announce(table)
        async with Lan(LOOPBACK) as guest:
            for taken in range(4):
                # The answer to our question is on its way while the table changes.
                guest._ask(asyncio.get_running_loop().time())
                await asyncio.sleep(0.1 * taken)
                table = replace(table, taken=taken)
                await host.update(table)
                await asyncio.sleep(0.7)
                await _sees(guest, table)
            guest._ask(asyncio.get_running_loop().time())
            await asyncio.sleep(0.1)
            await host.withdraw()
            await asyncio.sleep(1.5)
            assert not _near(guest)


async def test_a_table_that_is_withdrawn_may_be_announced_again_at_once() -> None:
    table = some_table()
    async with _two() as (host, guest):
        await host.announce(table)
        await _sees(guest, table)
        await host.withdraw()
        await host.announce(table)
        await _sees(guest, table)


async def test_a_table_goes_when_its_host_leaves() -> None:
    table = some_table()
    async with Lan(LOOPBACK) as guest:
        async with Lan(LOOPBACK) as host:
            await host.announce(table)
            await _sees(guest, table)
        await _sees(guest)


async def test_a_new_table_takes_the_place_of_the_old_one() -> None:
    first, second = some_table(), some_table()
    async with _two() as (host, guest):
        await host.announce(first)
        await host.announce(second)
        await _sees(guest, second)


async def test_who_comes_later_sees_what_is_there() -> None:
    table = some_table()
    async with Lan(LOOPBACK) as host:
        await host.announce(table)
        await _until(lambda: host._unheard is None)
        async with Lan(LOOPBACK) as guest:
            await _sees(guest, table)


async def test_hosts_of_the_same_name_do_not_disturb_each_other() -> None:
    async with _two() as (one, other), Lan(LOOPBACK) as guest:
        await asyncio.gather(one.announce(some_table()), other.announce(some_table()))
        await _until(lambda: len(_near(guest)) == 2)
        assert {table.host for table in _near(guest)} == {"Lou"}
        await _until(lambda: len(_near(one)) == len(_near(other)) == 1)


async def test_listeners_are_told_even_if_one_of_them_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = some_table()
    seen: list[int] = []

    def fail() -> None:
        raise RuntimeError("a screen that is gone")

    async with _two() as (host, guest):
        guest.listen(fail)
        guest.listen(lambda: seen.append(len(_near(guest))))
        await host.announce(table)
        await _until(lambda: seen[-1:] == [1])
        await host.withdraw()
        await _until(lambda: seen[-1:] == [0])
    assert caplog.text.count("RuntimeError: a screen that is gone") == len(seen)


async def test_many_changes_in_a_row_are_told_as_few() -> None:
    told: list[list[int]] = []
    table = some_table()
    async with _two() as (host, guest):
        guest.listen(lambda: told.append([found.taken for found in _near(guest)]))
        await host.announce(table)
        for taken in (0, 1, 2, 3, 4) * 20:
            await host.update(replace(table, taken=taken))
        await _until(lambda: told[-1:] == [[4]])
    assert len(told) < 50


@asynccontextmanager
async def _stranger() -> AsyncIterator[AsyncZeroconf]:
    stranger = AsyncZeroconf(interfaces=list(LOOPBACK))
    await stranger.zeroconf.async_wait_for_start()
    try:
        yield stranger
    finally:
        await stranger.async_close()


async def test_a_stranger_who_announces_nonsense_is_not_listed() -> None:
    table = some_table()
    async with _stranger() as stranger, _two() as (host, guest):
        for at in range(3):
            room = "B" * 15 + "ABC"[at]
            text = (b"", b"\xffoops", b"\x03v=1\x08seats=-4")[at]
            server = f"farfadet-{room.lower()}.local."
            info = ServiceInfo(SERVICE, f"{room}.{SERVICE}", 1883, properties=text, server=server)
            info.addresses = [socket.inet_aton("127.0.0.1")]
            await stranger.async_register_service(info, cooperating_responders=True)
        await _until(lambda: guest.dropped >= 3)
        await host.announce(table)
        await _sees(guest, table)


async def test_packets_of_garbage_change_nothing() -> None:
    seed = int(os.environ.get("FARFADET_SEED", secrets.randbits(32)))
    print("FARFADET_SEED", seed)
    chance = random.Random(seed)
    good = AsyncZeroconf(interfaces=list(LOOPBACK))
    packet = good.zeroconf.generate_service_broadcast(service(some_table(), HOME), None).packets()[
        0
    ]
    await good.async_close()
    table = some_table()
    async with _two() as (host, guest):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, b"\x7f\x00\x00\x01")
            for _ in range(500):
                garbage = bytearray(packet)
                for _ in range(chance.randint(1, 40)):
                    garbage[chance.randrange(len(garbage))] = chance.randrange(256)
                sender.sendto(bytes(garbage), (GROUP_4, PORT))
                sender.sendto(chance.randbytes(chance.randrange(1500)), (GROUP_4, PORT))
                await asyncio.sleep(0)
        await host.announce(table)
        await _until(lambda: as_seen(table) in guest.tables)


async def test_without_an_interface_nothing_fails() -> None:
    async with Lan(("192.0.2.77",)) as network:
        assert not network.available
        assert network.problem == "no-multicast"
        await network.announce(some_table())
        await network.update(some_table())
        await network.withdraw()
        assert network.tables == ()


async def test_without_sockets_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**settings: object) -> None:
        raise OSError("in use")

    monkeypatch.setattr(lan, "AsyncZeroconf", refuse)
    async with Lan(LOOPBACK) as network:
        assert network.problem == "no-multicast"
        await network.announce(some_table())


async def test_where_ipv6_does_not_work_ipv4_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[list[str]] = []

    def refuse(interfaces: list[str]) -> AsyncZeroconf:
        tried.append(interfaces)
        if "::1" in interfaces:
            raise OSError("no IPv6")
        return AsyncZeroconf(interfaces=interfaces)

    [link] = links(LOOPBACK)
    monkeypatch.setattr(lan, "links", lambda only: (replace(link, senders=("127.0.0.1", "::1")),))
    monkeypatch.setattr(lan, "AsyncZeroconf", refuse)
    async with Lan(LOOPBACK) as network:
        assert network.problem == ""
    assert tried == [["127.0.0.1", "::1"], ["127.0.0.1"]]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "TICK", 0.02)
    monkeypatch.setattr(lan, "RESCAN", 2)


@pytest.mark.usefixtures("quick")
async def test_who_is_not_even_heard_by_itself_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    table = some_table()
    async with Lan(LOOPBACK) as network:
        network.listen(lambda: told.append(network.problem))
        assert network._zeroconf is not None
        send = network._zeroconf.zeroconf.async_send
        monkeypatch.setattr(network._zeroconf.zeroconf, "async_send", lambda *packet: None)
        await network.announce(table)
        await _until(lambda: told[-1:] == ["no-multicast"])
        monkeypatch.setattr(network._zeroconf.zeroconf, "async_send", send)
        await network.update(replace(table, taken=2))
        await _until(lambda: told[-1:] == [""])


@pytest.mark.usefixtures("quick")
async def test_what_is_wanted_happens_once_there_is_a_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing: list[Link] = []
    monkeypatch.setattr(lan, "links", lambda only: tuple(nothing))
    async with Lan(LOOPBACK) as host, Lan(LOOPBACK) as guest:
        await host.announce(some_table())
        assert host.problem == "no-multicast"
        nothing.extend(links(LOOPBACK))
        await _until(lambda: len(_near(guest)) == 1)
        assert host.problem == guest.problem == ""
        nothing.clear()
        await _until(lambda: not guest.available and not host.available)
        assert not _near(guest)
        nothing.extend(links(LOOPBACK))
        await _until(lambda: guest.available and len(_near(guest)) == 1)


async def test_who_gives_up_while_the_network_is_opened_leaves_nothing_open() -> None:
    for turns in range(12):
        network = Lan(LOOPBACK)
        opening = asyncio.create_task(network.__aenter__())
        for _ in range(turns):
            await asyncio.sleep(0.002)
        opening.cancel()
        await asyncio.wait((opening,))
        await network.__aexit__(None, None, None)
    # A socket that was left open fails the test.
    gc.collect()


@pytest.mark.usefixtures("quick")
async def test_interfaces_that_cannot_be_read_are_looked_at_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    calls: list[int] = []

    def fail(only: object) -> tuple[Link, ...]:
        calls.append(1)
        if len(calls) < 4:
            raise OSError("just changing")
        return links(LOOPBACK)

    monkeypatch.setattr(lan, "links", fail)
    async with Lan(LOOPBACK) as network:
        await _until(lambda: network.available)
    assert caplog.text.count("just changing") == 3


@pytest.mark.broker
async def test_a_killed_host_is_gone_when_its_time_is_up() -> None:
    neighbour = Neighbour("host", interfaces=LOOPBACK, ttl=3, game=GAME)
    async with Lan(LOOPBACK) as guest, neighbour as host:
        said = await host.says(problem="")
        await _until(lambda: len(_near(guest)) == 1)
        assert _near(guest)[0].invitation.room == said["hosts"]
        # It was announced for three seconds only, and is asked for again in time.
        await asyncio.sleep(2 * 3)
        await _until(lambda: len(_near(guest)) == 1)
        host.kill()
        await _until(lambda: _near(guest) == [])


@pytest.mark.broker
async def test_two_processes_find_each_other_and_say_goodbye() -> None:
    async with Neighbour("look", interfaces=LOOPBACK, game=GAME) as guest:
        await guest.says(tables=0, problem="")
        async with Neighbour("host", interfaces=LOOPBACK, game=GAME) as host:
            await guest.says(tables=1, at="127.0.0.1", taken=1)
            host.tell("3")
            await guest.says(tables=1, taken=3)
        await guest.says(tables=0)
