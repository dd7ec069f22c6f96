"""Why one cannot sit down: each reason has its own code. And tables that are open, and bots."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from nacl.signing import SigningKey

import rules
from net.link import topics
from net.link.channel import Channel
from net.link.memory import Hub
from net.link.transport import Will
from net.meeting import room as rooms
from net.meeting.invitation import Invitation
from net.meeting.reserve import Reserve
from net.meeting.room import Newcomer, Room, RoomError, invite, seat_bot
from net.meeting.seating import Offer, Seating, room_of
from net.meeting.tables import OpenTable, Poster, Sitter, read_table
from net.people.identity import Identity
from net.play.stream import Stream
from net.play.sync import WHAT_TABLE, ended, introduced
from rules.bots import bot
from rules.game import Game
from tests.net.test_room import GAME, Party

IMPATIENT = 1.5
"""Seconds that a newcomer in these tests waits for an answer."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long."""
    monkeypatch.setattr(rooms, "HOST_ANSWERS", IMPATIENT)
    monkeypatch.setattr(rooms, "ASK_AFTER", 0.1)


def newcomer(hub: Hub, told: Invitation) -> Room:
    """Somebody who wants to sit down."""
    return Room(hub.transport(), told, Newcomer.fresh(Identity.fresh("X")), None)


async def why(hub: Hub, told: Invitation) -> str:
    """The reason why a newcomer cannot sit down."""
    with pytest.raises(RoomError) as caught:
        await newcomer(hub, told).open()
    return caught.value.code


def offered(name: str = "taverne", later: int = 0, deck: str = "", seats: int = 3) -> Offer:
    """What a host offers who has a later version of farfadet."""
    version = rules.load(name).version if name in rules.names() else 1
    game = SimpleNamespace(name=name, version=version + later, deck=deck)
    return Offer(cast(Game, game), seats)


async def test_nobody_answers_in_an_empty_room() -> None:
    assert await why(Hub(), invite(SigningKey.generate(), "127.0.0.1", 1883)) == "nobody-here"


async def test_a_key_that_opens_nothing_is_the_wrong_one(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path)
    await party.rooms[0].open()
    hosting = asyncio.create_task(party.rooms[0].wait())
    assert await why(hub, replace(party.invitation, key=bytes(16))) == "wrong-key"
    hosting.cancel()


async def test_where_only_guests_wait_the_host_has_left(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path)
    await party.rooms[0].open()
    hosting = asyncio.create_task(party.rooms[0].wait())
    await party.rooms[1].open()
    waiting = asyncio.create_task(party.rooms[1].wait())
    hosting.cancel()
    await asyncio.sleep(0.1)
    assert await why(hub, party.invitation) == "host-left"
    waiting.cancel()


async def test_who_comes_when_the_last_seat_is_taken_is_told_that_it_is_full(
    tmp_path: Path,
) -> None:
    hub = Hub()
    party = Party(hub, tmp_path)
    late = newcomer(hub, party.invitation)
    await party.rooms[0].open()
    hosting = asyncio.create_task(party.rooms[0].wait())
    # All three ask for the two seats that are left: one of them is too late.
    others = (*party.rooms[1:], late)
    got = await asyncio.gather(*(room.open() for room in others), return_exceptions=True)
    waiting = [room for room, error in zip(others, got, strict=True) if error is None]
    sat = await asyncio.gather(*(room.wait() for room in waiting), return_exceptions=True)
    codes = [error.code for error in (*got, *sat) if isinstance(error, RoomError)]
    assert codes == ["table-full"]
    await hosting


async def test_a_game_that_has_begun_and_one_that_is_over_say_so(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path)
    await party.sit_down()
    await party.reach(3)
    party.peers[2].delegate(None)
    assert await why(hub, party.invitation) == "begun"
    party.peers[2].delegate(bot("random", Stream(b"go on")))
    # The referee, and whoever lingers, answer a while after the end.
    witness = Channel(hub.transport(), party.invitation.room, bytes(32), party.invitation.key)
    await witness.open()
    await party.play()
    table = party.peers[0].table
    assert table.over
    (answer,) = party.peers[0]._sync.receive(WHAT_TABLE, 1e9)
    charter = introduced(answer, party.invitation.room)
    assert ended(answer, charter)
    assert not ended(answer[:-1] + bytes([answer[-1] ^ 1]), charter)

    def again(kind: str, payload: bytes) -> None:
        if payload == WHAT_TABLE:
            witness.publish("sync", answer)

    witness.listen(again, lambda up: None)
    assert await why(hub, party.invitation) == "game-over"


@pytest.mark.parametrize(
    ("offer", "code"),
    [
        (offered("chess"), "unknown-game"),
        (offered("chess", deck="?"), "unknown-game"),
        (offered(later=1), "other-rules"),
        (offered("gobelin", later=1, deck="cards of the future"), "other-rules"),
        (offered(seats=12), "other-rules"),
        (offered(deck="cards"), "bad-deck"),
        (offered("gobelin", deck="?"), "bad-deck"),
    ],
)
async def test_what_we_cannot_play_says_why(offer: Offer, code: str) -> None:
    hub = Hub()
    host = Newcomer.fresh(Identity.fresh("Ana"))
    told = invite(host.key, "127.0.0.1", 1883)
    seating = Seating(told.room, host.identity, host.key, host.secret, host=offer)
    channel = Channel(hub.transport(), told.room, bytes(host.key.verify_key), told.key)

    def hear(kind: str, payload: bytes) -> None:
        seating.receive(payload, 0.0)
        for answer in seating.said():
            channel.publish("room", answer)

    channel.listen(hear, lambda up: None)
    await channel.open()
    assert await why(hub, told) == code


# Open tables.


class OpenHost:
    """A host at an open table of three, whose bots come when they are called."""

    def __init__(self, hub: Hub, after: float = 0.0, watched: bool = True) -> None:
        self.hub = hub
        self.who = Newcomer.fresh(Identity.fresh("Ana"))
        self.told = invite(self.who.key, "127.0.0.1", 1883)
        self.topic = topics.lobby(self.told.room)
        self.transport = hub.transport(Will(self.topic, b""))
        offer = Offer(GAME, 3)
        self.room = Room(
            self.transport,
            self.told,
            self.who,
            None,
            offer,
            poster=Poster(self.who.key, self.told.key, offer, watched=watched),
            reserve=Reserve(self.send, after),
        )
        self.bots: list[asyncio.Task[None]] = []

    def send(self, number: int) -> asyncio.Task[None]:
        """One more bot."""
        guest = Newcomer.fresh(Identity.fresh(f"bot {number}"), "random")
        room = Room(self.hub.transport(), self.told, guest, None)
        task = asyncio.create_task(seat_bot(room, bot("random", Stream(b"b", bytes([number])))))
        self.bots.append(task)
        return task

    def listed(self) -> OpenTable | None:
        """What the lobby says of the table."""
        data = self.hub.retained.get(self.topic)
        return None if data is None else read_table(self.told.room, data)

    async def until_listed(self, guests: int, begun: bool = False) -> OpenTable:
        """Wait until that is what it says."""
        async with asyncio.timeout(30):
            while True:
                table = self.listed()
                if table is not None and (len(table.guests), table.begun) == (guests, begun):
                    return table
                await asyncio.sleep(0.02)


async def test_an_open_table_is_announced_from_the_first_guest_to_the_end_of_the_game() -> None:
    hub = Hub()
    host = OpenHost(hub)
    await host.room.open()
    hosting = asyncio.create_task(host.room.wait())
    first = await host.until_listed(1)
    assert (first.room, first.key) == (host.told.room, host.told.key)
    assert (first.game, first.seats, first.guests) == ("taverne", 3, (Sitter("Ana", False),))
    assert host.room.can_add_bot
    host.room.add_bot()
    assert (await host.until_listed(2)).guests[1] == Sitter("bot 0", True)
    host.room.add_bot()
    assert [host.room.can_add_bot, len(host.bots)] == [False, 2]
    peer = await hosting
    running = asyncio.create_task(peer.run())
    playing = await host.until_listed(3, begun=True)
    assert playing.free == 0
    # A stranger takes it back; a new link puts it there again.
    async with hub.transport() as stranger:
        stranger.publish(host.topic, b"", retain=True)
        await hub.quiet()
    assert host.listed() is None
    host.transport.lose()
    host.transport.regain()
    await host.until_listed(3, begun=True)
    peer.delegate(bot("random", Stream(b"host")))
    await running
    assert host.listed() is None
    await asyncio.gather(*host.bots)
    assert host.listed() is None


async def test_a_host_who_leaves_takes_the_announcement_back_at_once() -> None:
    hub = Hub()
    host = OpenHost(hub)
    await host.room.open()
    hosting = asyncio.create_task(host.room.wait())
    await host.until_listed(1)
    hosting.cancel()
    await asyncio.gather(hosting, return_exceptions=True)
    await hub.quiet()
    assert host.listed() is None


async def test_a_table_that_nobody_may_watch_is_taken_back_when_the_game_begins() -> None:
    hub = Hub()
    host = OpenHost(hub, watched=False)
    await host.room.open()
    hosting = asyncio.create_task(host.room.wait())
    await host.until_listed(1)
    host.room.add_bot()
    host.room.add_bot()
    peer = await hosting
    running = asyncio.create_task(peer.run())
    async with asyncio.timeout(10):
        while host.listed() is not None or peer.step == 0:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    for task in (running, *host.bots):
        task.cancel()
    await asyncio.gather(running, *host.bots, return_exceptions=True)


async def test_a_private_table_is_never_announced(tmp_path: Path) -> None:
    hub = Hub()
    heard: list[str] = []
    async with hub.transport() as witness:
        witness.subscribe(topics.LOBBIES)
        witness.listen(lambda topic, payload: heard.append(topic), lambda up: None)
        party = Party(hub, tmp_path)
        await party.sit_down()
        await party.play()
    assert heard == []


async def test_bots_fill_the_table_after_a_time_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("net.meeting.reserve.ANOTHER_EVERY", 0.3)
    hub = Hub()
    host = OpenHost(hub, after=0.2)
    counts: list[int] = []
    host.room.listen(lambda: counts.append(len(host.room.guests)))
    await host.room.open()
    peer = await host.room.wait()
    assert [guest.bot for guest in host.room.guests] == [False, True, True]
    assert list(dict.fromkeys(count for count in counts if count > 1)) == [2, 3]
    assert len(host.bots) == 2
    assert peer.names[0] == "Ana"
    for task in host.bots:
        task.cancel()


async def test_a_guest_who_comes_with_the_last_bot_has_a_seat_or_is_told_that_it_is_full() -> None:
    hub = Hub()
    host = OpenHost(hub)
    await host.room.open()
    hosting = asyncio.create_task(host.room.wait())
    host.room.add_bot()
    await host.until_listed(2)
    host.room.add_bot()
    guest = newcomer(hub, host.told)

    async def sit_down() -> str:
        try:
            await guest.open()
            await guest.wait()
        except RoomError as error:
            return error.code
        return "seated"

    got = await sit_down()
    await hosting
    bots = sum(person.bot for person in host.room.guests)
    assert (got, bots) in {("table-full", 2), ("seated", 1)}
    for task in host.bots:
        task.cancel()


async def test_a_bot_without_a_seat_just_goes(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path)
    await party.sit_down()
    await party.reach(2)
    guest = Newcomer.fresh(Identity.fresh("bot"), "random")
    late = Room(hub.transport(), party.invitation, guest, None)
    await seat_bot(late, bot("random", Stream(b"late")))
    assert late.guests == ()


async def test_only_the_host_can_let_bots_in(tmp_path: Path) -> None:
    hub = Hub()
    host = OpenHost(hub)
    await host.room.open()
    hosting = asyncio.create_task(host.room.wait())
    guest = newcomer(hub, host.told)
    await guest.open()
    assert not guest.can_add_bot
    guest.add_bot()
    assert host.bots == []
    assert room_of(bytes(host.who.key.verify_key)) == host.told.room
    hosting.cancel()
