"""Looking for a table: who is listed, who is not, and the best place for somebody in a hurry."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from nacl.signing import SigningKey

import rules
from net.link import topics
from net.link.address import Broker
from net.link.memory import Hub, MemoryTransport
from net.link.transport import Will
from net.meeting import lobby as lobbies
from net.meeting.invitation import read_invitation
from net.meeting.lobby import GONE_AFTER, SKEW, Lobby, quick
from net.meeting.room import RoomError
from net.meeting.seating import room_of
from net.meeting.tables import OpenTable, Sitter, announcement

BROKER = Broker("127.0.0.1", 1883)
NOW = 1_800_000_000
VERSION = rules.load("taverne").version


class Time:
    """Both clocks of somebody who looks on, to be set by hand."""

    def __init__(self) -> None:
        self.passed = 0.0

    def clock(self) -> float:
        """Seconds of a clock that only goes forward."""
        return 1_000 + self.passed

    def wall(self) -> float:
        """Seconds since 1970."""
        return NOW + self.passed


class Host:
    """A host whose table key is made of ``name``, and who says in the lobby what it is told to."""

    def __init__(self, hub: Hub, name: str, **terms: object) -> None:
        self.key = SigningKey(name.encode().ljust(32, b"."))
        self.topic = topics.lobby(room_of(bytes(self.key.verify_key)))
        self.transport: MemoryTransport = hub.transport(Will(self.topic, b""))
        plain = OpenTable(
            room_of(bytes(self.key.verify_key)),
            name.encode().ljust(16, b".")[:16],
            "taverne",
            VERSION,
            b"",
            4,
            (Sitter(name, False),),
            (0, b"", False),
            NOW - 60,
            NOW,
            False,
        )
        self.table: OpenTable = replace(plain, **terms)  # type: ignore[arg-type]

    @property
    def data(self) -> bytes:
        """What it says."""
        return announcement(self.key, self.table)

    def say(self, **changes: object) -> None:
        """Announce the table, after these changes."""
        self.table = replace(self.table, **changes)  # type: ignore[arg-type]
        self.transport.publish(self.topic, self.data, retain=True)


@asynccontextmanager
async def looking(hub: Hub, time: Time | None = None) -> AsyncIterator[Lobby]:
    """Somebody in the lobby, who has heard all that was said so far."""
    time = time or Time()
    async with Lobby(hub.transport(), BROKER, clock=time.clock, wall=time.wall) as lobby:
        await hub.quiet()
        yield lobby


def names(lobby: Lobby) -> list[str]:
    """The hosts of the tables, in their order."""
    return [table.guests[0].name for table in lobby.tables]


async def test_tables_are_found_changed_and_gone() -> None:
    hub = Hub()
    ana = Host(hub, "Ana")
    async with ana.transport, looking(hub) as lobby:
        assert lobby.link
        ana.say()
        await hub.quiet()
        (found,) = lobby.tables
        assert found == replace(ana.table, since=NOW - 60, at=NOW)
        assert read_invitation(lobby.invitation(found)).room == ana.table.room
        ana.say(guests=(Sitter("Ana", False), Sitter("Puck", True)), at=NOW + 1)
        await hub.quiet()
        assert [guest.name for guest in lobby.tables[0].guests] == ["Ana", "Puck"]
        async with looking(hub) as late:
            assert names(late) == ["Ana"]
        ana.transport.publish(ana.topic, b"", retain=True)
        await hub.quiet()
        assert lobby.tables == ()
        async with looking(hub) as late:
            assert late.tables == ()


async def test_a_host_that_dies_is_gone_by_its_will() -> None:
    hub = Hub()
    ana = Host(hub, "Ana")
    async with ana.transport, looking(hub) as lobby:
        ana.say()
        await hub.quiet()
        assert names(lobby) == ["Ana"]
        ana.transport.lose()
        await hub.quiet()
        assert lobby.tables == ()
        ana.transport.regain()
        ana.say(at=NOW + 1)
        await hub.quiet()
        assert names(lobby) == ["Ana"]


async def test_what_its_host_does_not_renew_is_not_listed_any_more() -> None:
    hub, time = Hub(), Time()
    ana, bo = Host(hub, "Ana"), Host(hub, "Bo")
    async with ana.transport, bo.transport, looking(hub, time) as lobby:
        ana.say()
        bo.say()
        await hub.quiet()
        time.passed = GONE_AFTER - 1
        bo.say(at=NOW + 59)
        await hub.quiet()
        assert sorted(names(lobby)) == ["Ana", "Bo"]
        time.passed = GONE_AFTER + 1
        assert names(lobby) == ["Bo"]


async def test_what_only_the_broker_remembers_is_not_listed() -> None:
    hub = Hub()
    ana = Host(hub, "Ana")
    hub.retained[ana.topic] = ana.data
    time = Time()
    time.passed = SKEW + 1
    async with looking(hub, time) as lobby:
        assert lobby.tables == ()


@pytest.mark.parametrize("off", [-40 * 365 * 86_400, -SKEW - 1, SKEW + 1, 86_400])
async def test_a_host_with_a_wrong_clock_is_listed_once_it_is_heard_again(off: int) -> None:
    hub, time = Hub(), Time()
    ana = Host(hub, "Ana", since=NOW + off - 60, at=NOW + off)
    async with ana.transport, looking(hub, time) as lobby:
        ana.say()
        await hub.quiet()
        assert names(lobby) == []
        time.passed = 20
        ana.say(at=NOW + off + 20)
        await hub.quiet()
        (found,) = lobby.tables
        assert (found.age(time.wall()), found.at) == (80, NOW + 20)


async def test_what_is_said_again_by_others_keeps_no_table_alive() -> None:
    hub, time = Hub(), Time()
    ana, liar = Host(hub, "Ana"), Host(hub, "Liar")
    async with ana.transport, liar.transport, looking(hub, time) as lobby:
        ana.say()
        await hub.quiet()
        for passed in (30, 59, 61):
            time.passed = passed
            liar.transport.publish(ana.topic, ana.data, retain=True)
            await hub.quiet()
        assert lobby.tables == ()
        assert lobby.refused["old"] == 3
        ana.say(at=NOW + 62)
        ana.transport.publish(ana.topic, b"", retain=True)
        liar.transport.publish(ana.topic, ana.data, retain=True)
        await hub.quiet()
        assert lobby.tables == ()


async def test_lies_are_not_listed() -> None:
    hub = Hub()
    ana, liar = Host(hub, "Ana"), Host(hub, "Liar")
    async with liar.transport, looking(hub) as lobby:
        liar.transport.publish(ana.topic, liar.data)
        liar.transport.publish(ana.topic, ana.data[:-1] + b"x")
        liar.transport.publish(ana.topic, b"garbage")
        liar.transport.publish(topics.spoken("ROOM", "log", "k"), liar.data)
        liar.transport.publish(liar.topic, bytes(60_000))
        await hub.quiet()
        assert lobby.tables == ()
        assert lobby.refused.total() == 4


async def test_of_a_flood_of_tables_little_is_kept_and_those_that_are_there_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lobbies, "MOST", 10)
    hub, time = Hub(), Time()
    ana = Host(hub, "Ana")
    liars = [Host(hub, f"liar {number}") for number in range(50)]
    async with ana.transport, looking(hub, time) as lobby:
        ana.say()
        for liar in liars:
            ana.transport.publish(liar.topic, liar.data)
        await hub.quiet()
        assert len(lobby.tables) == 10
        assert lobby.refused == {"full": 41}
        time.passed = GONE_AFTER - 1
        ana.say(at=NOW + 59)
        await hub.quiet()
        time.passed = GONE_AFTER + 1
        assert names(lobby) == ["Ana"]
        late = Host(hub, "Bo", at=NOW + 61)
        ana.transport.publish(late.topic, late.data)
        await hub.quiet()
        assert sorted(names(lobby)) == ["Ana", "Bo"]
        assert len(lobby._entries) == 10


async def test_the_tables_where_one_can_sit_down_soonest_come_first() -> None:
    hub = Hub()
    two = (Sitter("x", False),)
    hosts = [
        Host(hub, "playing", begun=True),
        Host(hub, "full", seats=2, guests=(Sitter("full", False), *two)),
        Host(hub, "three wanted"),
        Host(hub, "one wanted", guests=(Sitter("one wanted", False), *two, *two)),
        Host(hub, "three wanted long", since=NOW - 600),
        Host(hub, "other", game="gnomia", seats=2),
    ]
    async with looking(hub) as lobby, hub.transport() as all_of_them:
        for host in hosts:
            all_of_them.publish(host.topic, host.data)
        await hub.quiet()
        found = names(lobby)
        assert found[2:] == ["three wanted long", "three wanted", "full", "playing"]
        assert sorted(found[:2]) == ["one wanted", "other"]
        assert [table.game for table in lobby.find("gnomia")] == ["gnomia"]
        assert len(lobby.find(free=True)) == 4
        assert len(lobby.find("taverne", begun=False)) == 4
        assert [t.guests[0].name for t in lobby.find(begun=True)] == ["playing"]


async def test_who_listens_hears_of_every_change_but_not_of_every_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lobbies, "LOOK_EVERY", 0.01)
    monkeypatch.setattr(lobbies, "TELL_EVERY", 0.01)
    hub, time = Hub(), Time()
    ana, bo = Host(hub, "Ana"), Host(hub, "Bo")
    seen: list[list[str]] = []
    heard = asyncio.Event()

    def changed() -> None:
        seen.append(sorted(names(lobby)))
        heard.set()

    async def until(hosts: list[str]) -> None:
        async with asyncio.timeout(10):
            while not seen or seen[-1] != hosts:
                heard.clear()
                await heard.wait()

    def broken() -> None:
        raise ZeroDivisionError

    async with ana.transport, bo.transport, looking(hub, time) as lobby:
        lobby.listen(broken)
        lobby.listen(changed)
        ana.say()
        bo.say()
        await until(["Ana", "Bo"])
        count = len(seen)
        for _ in range(50):
            bo.transport.publish(bo.topic, b"garbage")
        await hub.quiet()
        await asyncio.sleep(0.05)
        assert len(seen) == count
        bo.transport.publish(bo.topic, b"", retain=True)
        await until(["Ana"])
        time.passed = GONE_AFTER + 1
        await until([])


# In a hurry.


async def entering(table: OpenTable) -> str:
    """Sit down at once."""
    return table.guests[0].name


async def test_the_best_table_is_taken_and_another_when_somebody_was_quicker() -> None:
    hub = Hub()
    bo = Sitter("Bo", False)
    best = Host(hub, "best", guests=(Sitter("best", False), bo, bo))
    second = Host(hub, "second", guests=(Sitter("second", False), bo))
    third = Host(hub, "third")
    tried: list[str] = []

    async def enter(table: OpenTable) -> str:
        tried.append(table.guests[0].name)
        if len(tried) < 3:
            raise RoomError(("table-full", "begun")[len(tried) - 1])
        return tried[-1]

    async with hub.transport() as all_of_them, looking(hub) as lobby:
        for host in (third, best, second):
            all_of_them.publish(host.topic, host.data)
        await hub.quiet()
        assert await quick(lobby, "taverne", entering) == "best"
        assert await quick(lobby, "taverne", enter) == "third"
    assert tried == ["best", "second", "third"]


async def test_no_table_is_tried_twice_nor_one_that_we_cannot_play_at() -> None:
    hub = Hub()
    tried: list[str] = []

    async def enter(table: OpenTable) -> None:
        tried.append(table.guests[0].name)
        raise RoomError("table-full")

    hosts = [
        Host(hub, "right"),
        Host(hub, "new rules", rules=VERSION + 1),
        Host(hub, "unknown", game="chess"),
        Host(hub, "begun", begun=True),
        Host(hub, "gnomia", game="gnomia"),
    ]
    async with hub.transport() as all_of_them, looking(hub) as lobby:
        for host in hosts:
            all_of_them.publish(host.topic, host.data)
        await hub.quiet()
        with pytest.raises(RoomError) as caught:
            await quick(lobby, "taverne", enter, 0.1)
        assert caught.value.code == "no-open-table"
        assert tried == ["right"]


async def test_a_table_that_opens_while_one_looks_is_taken() -> None:
    hub = Hub()
    ana = Host(hub, "Ana")
    async with ana.transport, looking(hub) as lobby:
        looked = asyncio.create_task(quick(lobby, "", entering, 10))
        await asyncio.sleep(0.1)
        ana.say()
        assert await looked == "Ana"


async def test_what_else_goes_wrong_is_told() -> None:
    hub = Hub()
    ana = Host(hub, "Ana")

    async def enter(table: OpenTable) -> None:
        raise ZeroDivisionError

    async with ana.transport, looking(hub) as lobby:
        ana.say()
        with pytest.raises(ZeroDivisionError):
            await quick(lobby, "", enter)
