"""Coming late and without a seat: whoever is there tells what is played, and lies lead nowhere."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import rules
from net import onlooker
from net.channel import Channel
from net.invitation import Invitation
from net.memory import Hub
from net.notices import Notice
from net.onlooker import follow, look_on
from net.room import RoomError
from net.seating import Offer
from net.sync import INTRODUCTION, WHAT_TABLE
from net.wire import compose, pack
from tests.net.test_room import Party
from tests.sim.nodes import agreed

GAME = rules.load("gnomia")
KEY = bytes(range(32))
"""Where the onlooker speaks in the room."""


def channel(hub: Hub, told: Invitation, key: bytes = KEY) -> Channel:
    """A way into the room."""
    return Channel(hub.transport(), told.room, key, told.key)


async def test_who_comes_late_sees_all_that_has_happened_and_the_end(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, Offer(GAME, 3))
    await party.sit_down()
    await party.reach(20)
    peer = await look_on(channel(hub, party.invitation), party.invitation.room)
    notices: list[Notice] = []
    peer.listen(notices.append)
    await asyncio.gather(peer.run(), party.play())
    assert peer.result == party.peers[0].result
    assert peer.table.transcript.data() == party.peers[0].table.transcript.data()
    assert (peer.me, peer.moves()) == (None, ())
    assert party.peers[0].table.refused["signature"] == 0


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
    with pytest.raises(RoomError):
        await look_on(Channel(transport, told.room, KEY, told.key), told.room)
    assert not hub.joined(transport)
