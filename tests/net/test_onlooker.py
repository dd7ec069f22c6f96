"""Coming late and without a seat: whoever is there tells what is played, and lies lead nowhere."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import rules
from net.deck.sealed import SealedDeck
from net.link.channel import Channel
from net.link.memory import Hub
from net.meeting import onlooker
from net.meeting.invitation import Invitation
from net.meeting.onlooker import Lookout, follow
from net.meeting.room import RoomError
from net.meeting.seating import Offer
from net.play.notices import Happened, Notice
from net.play.peer import Peer
from net.play.sync import INTRODUCTION, WHAT_TABLE
from net.play.wire import compose, pack
from rules.game import Dealt, Face, Illegal, Opened, Slot
from rules.gnomia import Gnome
from tests.net.test_room import Party, files
from tests.sim.nodes import agreed

GAME = rules.load("gnomia")
KEY = bytes(range(32))
"""Where the onlooker speaks in the room."""


def channel(hub: Hub, told: Invitation, key: bytes = KEY) -> Channel:
    """A way into the room."""
    return Channel(hub.transport(), told.room, key, told.key)


def lookout(hub: Hub, told: Invitation, folder: Path | None = None) -> Lookout:
    """Somebody who comes to look."""
    return Lookout(hub.transport(), told, "Zoé", folder)


async def followed(hub: Hub, told: Invitation, folder: Path | None = None) -> Peer:
    """A game that has begun, seen by somebody who comes to look."""
    found = lookout(hub, told, folder)
    await found.open()
    assert found.begun
    return await found.wait()


async def test_who_comes_late_sees_all_that_has_happened_and_the_end(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, Offer(GAME, 3))
    await party.sit_down()
    await party.reach(20)
    folders = [tmp_path / f"watch {at}" for at in range(4)]
    peers = await asyncio.gather(*(followed(hub, party.invitation, folder) for folder in folders))
    notices: list[Notice] = []
    peers[0].listen(notices.append)
    gone = asyncio.create_task(peers[3].run())
    await party.reach(40)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    await asyncio.gather(*(peer.run() for peer in peers[:3]), party.play())
    told = [notice for notice in notices if isinstance(notice, Happened)]
    states = [told[0].before, *(notice.after for notice in told)]
    assert states[0] == GAME.start(3)
    assert states[-1] == party.peers[0].state
    (data,) = files(party)
    for peer in peers[:3]:
        assert peer.result == party.peers[0].result
        assert (peer.me, peer.moves()) == (None, ())
        assert peer.saved is not None
        assert peer.saved.read_bytes() == data
    # Who leaves before the end takes nothing along.
    assert peers[3].saved is None
    assert party.peers[0].table.refused["signature"] == 0
    # However many look on, a seat keeps account of one.
    assert len(party.peers[0]._sync._heads) <= 3


@pytest.mark.parametrize("name", rules.names())
async def test_who_looks_on_holds_no_face_that_does_not_lie_open(name: str, tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, Offer(rules.load(name), 3))
    await party.sit_down()
    peer = await followed(hub, party.invitation)
    opened: dict[Slot, Face] = {}
    deck = peer.table._machine.deck
    assert isinstance(deck, SealedDeck)
    dealt = set[Slot]()
    sealed = 0

    def look(notice: Notice) -> None:
        nonlocal sealed
        # The table may be further than what it has told so far.
        for known in (notice, *peer.table.notices):
            if isinstance(known, Happened) and isinstance(known.event, Opened):
                opened.update(known.event.faces)
        if isinstance(notice, Happened) and isinstance(notice.event, Dealt):
            dealt.update(notice.event.slots)
        assert dict(peer.sight) == {slot: opened[slot] for slot in peer.sight}
        for slot, token in deck._tokens.items():
            assert slot in opened or not token.open
        sealed = max(sealed, len(deck._tokens) - len(opened))
        assert deck._party.me is None

    peer.listen(look)
    await asyncio.gather(peer.run(), party.play())
    assert peer.result == party.peers[0].result
    assert sealed > 10
    # What was dealt to a seat and never opened stays between that seat and its cards.
    assert dealt or name != "gobelin"
    assert not (dealt - opened.keys()) & peer.sight.keys()


async def test_who_looks_on_cannot_choose(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, Offer(GAME, 3))
    await party.sit_down()
    peer = await followed(hub, party.invitation)
    refused: list[str] = []

    def try_it(notice: Notice) -> None:
        with pytest.raises(Illegal) as caught:
            peer.choose(Gnome(10))
        refused.append(caught.value.code)

    peer.listen(try_it)
    await asyncio.gather(peer.run(), party.play())
    assert set(refused) == {"not-asked"}
    assert party.peers[0].result is not None


async def test_before_the_game_one_sees_who_sits_down_and_waits_for_it_to_begin(
    tmp_path: Path,
) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, Offer(GAME, 3, limit=60))
    host = asyncio.create_task(party.enter(0))
    found = lookout(hub, party.invitation)
    changes: list[int] = []
    found.listen(lambda: changes.append(len(found.guests)))
    await found.open()
    assert not found.begun
    assert (found.game.name, found.seats, found.limit, found.words) == ("gnomia", 3, 60, None)
    assert [guest.name for guest in found.guests] == ["Ana"]
    assert found.looking_on
    assert not any(guest.mine for guest in found.guests)
    waiting = asyncio.create_task(found.wait())
    seated = await asyncio.gather(host, party.enter(1), party.enter(2))
    peer = await waiting
    assert changes[-1] == 3
    await asyncio.gather(peer.run(), party.play())
    assert peer.result == seated[0].result
    # Nobody took us for a guest.
    assert "Zoé" not in peer.names


async def test_a_host_who_leaves_before_the_game_is_not_waited_for_by_who_looks_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onlooker, "HOST_SILENT", 0.2)
    hub = Hub()
    party = Party(hub, tmp_path, Offer(GAME, 3))
    await party.rooms[0].open()
    host = asyncio.create_task(party.rooms[0].wait())
    found = lookout(hub, party.invitation)
    await found.open()
    host.cancel()
    await asyncio.gather(host, return_exceptions=True)
    with pytest.raises(RoomError) as caught:
        await found.wait()
    assert caught.value.code == "host-left"
    assert len(hub._joined) == 0


async def test_with_the_key_of_another_room_one_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onlooker, "HOST_ANSWERS", 1.5)
    hub = Hub()
    party = Party(hub, tmp_path, Offer(GAME, 3))
    await party.rooms[0].open()
    host = asyncio.create_task(party.rooms[0].wait())
    found = lookout(hub, replace(party.invitation, key=bytes(16)))
    with pytest.raises(RoomError) as caught:
        await found.open()
    assert caught.value.code == "wrong-key"
    host.cancel()
    await asyncio.gather(host, return_exceptions=True)


async def test_a_game_that_is_over_is_shown_as_long_as_somebody_stays(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, Offer(GAME, 3))
    await party.sit_down()
    talk = party.rooms[0].talk
    assert talk is not None
    async with talk.staying(seated=True):
        await party.play()
        peer = await followed(hub, party.invitation)
        await peer.run()
        assert peer.result == party.peers[0].result


async def test_nobody_answers_in_an_empty_room(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub()
    charter, _ = agreed(1, 3, GAME)
    told = Invitation("127.0.0.1", 1883, charter.room, bytes(16))
    monkeypatch.setattr(onlooker, "ASK_EVERY", 0.05)
    asked: list[bytes] = []
    other = channel(hub, told, bytes(32))
    other.listen(lambda kind, payload: asked.append(payload), lambda up: None)
    await other.open()
    way = channel(hub, told)
    await way.open()
    with pytest.raises(RoomError) as caught:
        await onlooker.what_table(way, told.room, 0.3)
    assert caught.value.code == "nobody-here"
    assert len(asked) > 2
    assert set(asked) == {WHAT_TABLE}
    count = len(asked)
    await asyncio.sleep(0.15)
    assert len(asked) == count


async def test_only_what_the_host_has_signed_is_believed() -> None:
    hub = Hub()
    charter, players = agreed(1, 3, GAME)
    other, others = agreed(2, 3, GAME)
    told = Invitation("127.0.0.1", 1883, charter.room, bytes(16))
    liar = channel(hub, told, bytes(32))
    signs = [
        compose(player.key, charter.table, player.seat, 0, 0, charter.table, "sign", None).data
        for player in players
    ]
    later = compose(players[0].key, charter.table, 0, 1, 1, charter.table, "sign", None).data
    fake = compose(others[0].key, other.table, 0, 0, 0, other.table, "sign", None).data
    moved = replace(other, room=charter.room)
    mine = compose(others[0].key, moved.table, 0, 0, 0, moved.table, "sign", None).data
    lies = [
        pack([INTRODUCTION, charter.data(), signs[1]]),
        pack([INTRODUCTION, charter.data(), later]),
        pack([INTRODUCTION, charter.data(), fake]),
        pack([INTRODUCTION, other.data(), fake]),
        pack([INTRODUCTION, moved.data(), mine]),
        pack([INTRODUCTION, replace(charter, chairs=()).data(), signs[0]]),
        pack([INTRODUCTION, replace(charter, limit=60).data(), signs[0]]),
        pack(["charte", charter.data(), signs[0]]),
        b"garbage",
    ]

    def answer(kind: str, payload: bytes) -> None:
        for lie in lies:
            liar.publish("sync", lie)
        liar.publish("log", pack([INTRODUCTION, charter.data(), signs[0]]))

    liar.listen(answer, lambda up: None)
    await liar.open()
    way = channel(hub, told)
    await way.open()
    with pytest.raises(RoomError) as caught:
        await onlooker.what_table(way, told.room, 0.3)
    assert caught.value.code == "nobody-here"
    lies.append(pack([INTRODUCTION, charter.data(), signs[0]]))
    assert await onlooker.what_table(way, told.room, 5.0) == charter


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"rules": 99}, "other-rules"),
        ({"deck": "other cards"}, "bad-deck"),
        ({"chairs": ()}, "other-rules"),
        ({"referee": bytes(32)}, "other-rules"),
    ],
)
def test_what_we_cannot_follow_says_why(changes: dict[str, object], code: str) -> None:
    charter, _ = agreed(1, 3, GAME)
    with pytest.raises(RoomError) as caught:
        follow(replace(charter, **changes), None)  # type: ignore[arg-type]
    assert caught.value.code == code


async def test_who_does_not_find_a_table_has_left_the_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub = Hub()
    charter, _ = agreed(1, 3, GAME)
    told = Invitation("127.0.0.1", 1883, charter.room, bytes(16))
    monkeypatch.setattr(onlooker, "HOST_ANSWERS", 0.1)
    transport = hub.transport()
    with pytest.raises(RoomError) as caught:
        await Lookout(transport, told, "Zoé").open()
    assert caught.value.code == "nobody-here"
    assert not hub.joined(transport)
