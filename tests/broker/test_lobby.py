"""Open tables on real brokers: found, joined in a hurry, and gone with their host."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import rules
from net.link import mqtt, topics
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.link.transport import TransportError, Will
from net.meeting import room as rooms
from net.meeting.invitation import Invitation, read_invitation
from net.meeting.lobby import Lobby, quick
from net.meeting.room import Newcomer, Room, RoomError, invite
from net.meeting.seating import Offer
from net.meeting.tables import OpenTable, Poster, Sitter
from net.people.identity import Identity
from net.play.peer import Peer
from net.play.stream import Stream
from rules.bots import bot
from tests.services import PATIENCE, Service, free_port

pytestmark = pytest.mark.broker

HOST = Path(__file__).with_name("open_host.py")
GAME = rules.load("gnomia")


@asynccontextmanager
async def looking(service: Service) -> AsyncIterator[Lobby]:
    """Somebody in the lobby."""
    broker = Broker.parse(service.url)
    async with Lobby(MqttTransport(broker), broker) as lobby:
        yield lobby


async def until(lobby: Lobby, true: Callable[[tuple[OpenTable, ...]], bool]) -> None:
    """Wait until this is true of the open tables."""
    async with asyncio.timeout(PATIENCE):
        while not true(lobby.tables):  # noqa: ASYNC110  # another process does it
            await asyncio.sleep(0.005)


@asynccontextmanager
async def process(service: Service) -> AsyncIterator[tuple[subprocess.Popen[str], str]]:
    """A host in a process of its own, and its room; it is gone at the end in any case."""
    started = subprocess.Popen(  # noqa: ASYNC220  # nothing here waits for it to start
        [sys.executable, HOST, service.url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=HOST.parents[2],
        env={"PYTHONPATH": str(HOST.parents[2])},
    )
    with started:
        assert started.stdout is not None
        room = await asyncio.to_thread(started.stdout.readline)
        try:
            yield started, room.strip()
        finally:
            started.kill()


async def test_the_table_of_a_killed_host_vanishes_by_its_will(broker: Service) -> None:
    async with looking(broker) as lobby, process(broker) as (host, room):
        await until(lobby, lambda tables: [table.room for table in tables] == [room])
        assert lobby.tables[0].guests == (Sitter("Ana", False),)
        host.kill()
        await until(lobby, lambda tables: tables == ())
        # It was the will, not the silence: nothing is retained either.
        async with looking(broker) as late, process(broker) as (_, other):
            await until(late, lambda tables: len(tables) > 0)
            assert [table.room for table in late.tables] == [other]


async def test_the_table_of_a_host_who_leaves_vanishes_at_once(broker: Service) -> None:
    async with looking(broker) as lobby, process(broker) as (host, room):
        await until(lobby, lambda tables: [table.room for table in tables] == [room])
        assert host.stdin is not None
        host.stdin.close()
        await until(lobby, lambda tables: tables == ())
        assert await asyncio.to_thread(host.wait) == 0


class Table:
    """A host of a table for two on a real broker."""

    def __init__(self, service: Service, name: str) -> None:
        self.url = service.url
        broker = Broker.parse(service.url)
        self.who = Newcomer.fresh(Identity.fresh(name))
        self.told = invite(self.who.key, broker.host, broker.port)
        offer = Offer(GAME, 2)
        self.room = Room(
            MqttTransport(broker, Will(topics.lobby(self.told.room), b"")),
            self.told,
            self.who,
            None,
            offer,
            poster=Poster(self.who.key, self.told.key, offer),
        )

    async def play(self) -> Peer:
        """Wait for somebody, and play to the end with them."""
        await self.room.open()
        peer = await self.room.wait()
        peer.delegate(bot("random", Stream(b"host")))
        await peer.run()
        return peer


async def enter(told: Invitation) -> Room:
    """Somebody else goes there."""
    room = Room(MqttTransport(told.broker), told, Newcomer.fresh(Identity.fresh("Bo")), None)
    await room.open()
    return room


async def why(told: Invitation) -> str:
    """Why that fails."""
    try:
        await enter(told)
    except (RoomError, TransportError) as error:
        return error.code
    return "let in"


async def test_somebody_in_a_hurry_plays_at_an_open_table_and_it_is_gone_at_the_end(
    broker: Service,
) -> None:
    table = Table(broker, "Ana")
    hosting = asyncio.create_task(table.play())
    async with looking(broker) as lobby:

        async def sit_down(found: OpenTable) -> Peer:
            room = await enter(read_invitation(lobby.invitation(found)))
            return await room.wait()

        peer = await quick(lobby, "gnomia", sit_down, PATIENCE)
        running = asyncio.create_task(peer.run())
        # It is our turn, and stays so until we have seen that the game can be watched.
        await until(lobby, lambda tables: [table.begun for table in tables] == [True])
        peer.delegate(bot("random", Stream(b"guest")))
        await asyncio.gather(running, hosting)
        assert hosting.result().result == peer.result
        await until(lobby, lambda tables: tables == ())


async def test_after_a_restart_of_the_broker_the_table_is_there_again(broker: Service) -> None:
    table = Table(broker, "Ana")
    hosting = asyncio.create_task(table.play())
    async with looking(broker) as lobby:
        await until(lobby, lambda tables: len(tables) == 1)
    await broker.stop()
    await broker.start()
    async with looking(broker) as lobby:
        await until(lobby, lambda tables: [t.room for t in tables] == [table.told.room])
    hosting.cancel()
    await asyncio.gather(hosting, return_exceptions=True)


async def test_each_reason_why_one_cannot_sit_down_has_its_code(
    broker: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "HOST_ANSWERS", 3.0)
    table = Table(broker, "Ana")
    told = table.told
    assert await why(told) == "nobody-here"
    hosting = asyncio.create_task(table.play())
    async with looking(broker) as lobby:
        await until(lobby, lambda tables: len(tables) == 1)
        assert await why(replace(told, key=bytes(16))) == "wrong-key"
        # Two want the last seat.
        both = await asyncio.gather(*(_seat(told) for _ in range(2)), return_exceptions=True)
        (peer,) = (one for one in both if isinstance(one, Peer))
        assert [one.code for one in both if isinstance(one, RoomError)] == ["table-full"]
        running = asyncio.create_task(peer.run())
        await until(lobby, lambda tables: [table.begun for table in tables] == [True])
        assert await why(told) == "begun"
        peer.delegate(bot("random", Stream(b"guest")))
        await asyncio.gather(running, hosting)
    assert await why(told) == "nobody-here"


async def _seat(told: Invitation) -> Peer:
    return await (await enter(told)).wait()


async def test_a_broker_that_is_not_there_has_a_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = invite(Newcomer.fresh(Identity.fresh("Ana")).key, "127.0.0.1", free_port())
    assert await why(told) == "refused"
    monkeypatch.setattr(mqtt, "TIMEOUT", 0.3)
    served: list[asyncio.StreamWriter] = []

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.append(writer)

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert await why(replace(told, port=port)) == "timeout"
        for writer in served:
            writer.close()
