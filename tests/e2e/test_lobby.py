"""The doors of strangers: tables in the lobby of a shared broker, and bots for empty seats."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from broker.engine import Engine
from net.link.address import Broker
from net.meeting import lobby as lobbies
from net.meeting import reserve
from net.meeting.room import RoomError
from net.meeting.tables import OpenTable, Sitter
from tui.doors import BOTS, NetworkDoors
from tui.places import Places
from tui.sitting import Host
from tui.terms import Terms

pytestmark = pytest.mark.broker

PATIENCE = 30.0


def doors(folder: Path, url: str | None, name: str) -> NetworkDoors:
    """The ways to a table of the player called ``name``."""
    here = folder / name
    places = Places(here / "config", here / "data", here / "state")
    broker = None if url is None else Broker.parse(url)
    return NetworkDoors(places, Terms(name, broker=broker, level="random", port=0))


@asynccontextmanager
async def meanwhile(going_on: Coroutine[Any, Any, object]) -> AsyncIterator[None]:
    """A host waits for guests, or a seat is played, while the block lasts."""
    task = asyncio.create_task(going_on)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def listed(ways: NetworkDoors, count: int) -> tuple[OpenTable, ...]:
    """The open tables, once there are so many."""
    async with asyncio.timeout(PATIENCE), ways.lobby() as lobby:
        while len(lobby.tables) != count:  # noqa: ASYNC110  # as they come
            await asyncio.sleep(0.02)
        return lobby.tables


async def test_strangers_find_an_open_table_and_sit_down_but_no_private_one(
    tmp_path: Path,
) -> None:
    async with (
        Engine(tmp_path) as engine,
        doors(tmp_path, engine.url, "Ana") as ana,
        doors(tmp_path, engine.url, "Bo") as bo,
        doors(tmp_path, engine.url, "Cy") as cy,
    ):
        private = await cy.host(Host("gnomia", 2))
        shown = await ana.host(Host("gnomia", 3, bots=1, open=True, limit=60))
        async with meanwhile(private.wait()), meanwhile(shown.wait()):
            (table,) = await listed(bo, 1)
            assert (table.game, table.seats, table.terms) == ("gnomia", 3, (60, b"", False))
            assert table.room in shown.invitation
            sat = await bo.quick("gnomia")
            peer = await sat.wait()
            assert peer.names[0] == "Ana"
            assert sorted(peer.names[1:]) == sorted(["Bo", BOTS[0]])
            (table,) = await listed(bo, 1)


async def test_without_a_shared_broker_there_is_no_lobby(tmp_path: Path) -> None:
    async with doors(tmp_path, None, "Ana") as ana:
        with pytest.raises(RoomError) as caught:
            ana.lobby()
        assert caught.value.code == "no-broker"


async def test_an_invitation_to_another_broker_than_the_one_in_use_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.meeting.room.HOST_ANSWERS", 0.5)
    monkeypatch.setattr("net.meeting.onlooker.HOST_ANSWERS", 0.5)
    async with (
        Engine(tmp_path) as engine,
        doors(tmp_path, None, "Ana") as ana,
        doors(tmp_path, engine.url, "Bo") as bo,
    ):
        invitation = (await ana.host(Host("gnomia", 2))).invitation
        for way in (bo.join, bo.watch):
            with pytest.raises(RoomError) as caught:
                await way(invitation)
            assert caught.value.code == "other-broker"


async def test_where_no_table_is_open_one_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobbies, "SETTLES_WITHIN", 0.1)
    monkeypatch.setattr(lobbies, "FOUND_WITHIN", 0.3)
    async with Engine(tmp_path) as engine, doors(tmp_path, engine.url, "Ana") as ana:
        with pytest.raises(RoomError) as caught:
            await ana.quick()
        assert caught.value.code == "no-open-table"


async def test_a_table_whose_host_has_crashed_is_listed_again_when_the_host_is_back(
    tmp_path: Path,
) -> None:
    async with Engine(tmp_path) as engine, doors(tmp_path, engine.url, "Bo") as bo:
        async with doors(tmp_path, engine.url, "Ana") as ana:
            room = await ana.host(Host("gnomia", 2, bots=1, open=True, limit=60))
            async with meanwhile((await room.wait()).run()):
                (before,) = await listed(bo, 1)
        await listed(bo, 0)
        async with doors(tmp_path, engine.url, "Ana") as ana:
            (table,) = ana.saved()
            async with meanwhile((await ana.resume(table)).run()):
                (after,) = await listed(bo, 1)
    guests = Sitter("Ana", bot=False), Sitter(BOTS[0], bot=True)
    assert after == replace(
        before, guests=guests, begun=True, since=after.since, at=max(before.at, after.at)
    )


async def test_bots_take_seats_when_the_host_says_so_and_the_rest_after_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reserve, "ANOTHER_EVERY", 0.1)
    async with Engine(tmp_path) as engine, doors(tmp_path, engine.url, "Ana") as ana:
        room = await ana.host(Host("gnomia", 4, bots=1, bots_after=0.2))
        assert room.can_add_bot
        room.add_bot()
        peer = await room.wait()
        assert sorted(peer.names[1:]) == sorted(BOTS[:3])
        assert [guest.bot for guest in room.guests] == [False, True, True, True]
