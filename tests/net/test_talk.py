"""The talk of a room over its sealed channel, beside a game and after it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import rules
from net.link.channel import Channel
from net.link.memory import Hub
from net.meeting.seating import Offer
from net.people import talk
from net.people.chat import ChatError
from net.people.talk import Talk
from tests.net.test_chat import KEYS, ROOM, SEATS
from tests.net.test_room import Party, files


class Corner:
    """Some who talk in one room over a hub; whose ``secret`` differs hears nothing."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.transports = {name: hub.transport() for name in KEYS}
        self.channels = {
            name: Channel(self.transports[name], ROOM, bytes(key.verify_key), self.secret(name))
            for name, key in KEYS.items()
        }
        self.talks = {
            name: Talk(self.channels[name], ROOM, key, name) for name, key in KEYS.items()
        }
        for each in self.talks.values():
            each.sit(SEATS)

    @staticmethod
    def secret(name: str) -> bytes:
        return b"other" if name == "Yan" else b"invitation"

    async def open(self) -> None:
        """All come in."""
        for channel in self.channels.values():
            await channel.open()

    def heard(self, name: str) -> list[str]:
        """What one of them can read."""
        return [said.text for said in self.talks[name].lines]


async def test_talk_goes_through_the_sealed_channel_and_to_nobody_else() -> None:
    corner = Corner(Hub())
    told: list[str] = []
    payloads: list[bytes] = []
    stranger = corner.hub.transport()
    stranger.subscribe("#")
    stranger.listen(lambda topic, payload: payloads.append(payload), lambda up: None)
    await stranger.open()
    await corner.open()
    corner.talks["Bo"].listen(lambda: told.append("new"))
    corner.talks["Ana"].say("a secret word")
    await corner.hub.quiet()
    assert corner.heard("Ana") == corner.heard("Bo") == corner.heard("Zoé") == ["a secret word"]
    assert told == ["new"]
    assert corner.heard("Yan") == []
    assert corner.channels["Yan"].refused == {"sealed": 1}
    assert len(payloads) == 1
    assert b"secret" not in payloads[0]


async def test_nobody_is_told_anything_while_the_link_is_down() -> None:
    corner = Corner(Hub())
    await corner.open()
    corner.transports["Ana"].lose()
    with pytest.raises(ChatError) as caught:
        corner.talks["Ana"].say("hello?")
    assert caught.value.code == "offline"
    corner.transports["Ana"].regain()
    corner.talks["Ana"].say("hello!")
    await corner.hub.quiet()
    assert corner.heard("Bo") == corner.heard("Ana") == ["hello!"]


async def test_who_stays_for_the_talk_leaves_the_room_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(talk, "HERE_EVERY", 0.01)
    corner = Corner(Hub())
    await corner.open()
    zoe, way, counted = corner.channels["Zoé"], corner.transports["Zoé"], asyncio.Event()
    corner.talks["Bo"].listen(counted.set)
    async with corner.talks["Zoé"].staying(seated=False):
        await zoe.close()
        assert corner.hub.joined(way)
        await counted.wait()
        assert corner.talks["Bo"].watching == 1
        corner.talks["Ana"].say("well played")
        await corner.hub.quiet()
    assert corner.heard("Zoé") == ["well played"]
    assert not corner.hub.joined(way)
    async with corner.talks["Ana"].staying(seated=True):
        pass
    assert not corner.hub.joined(corner.transports["Ana"])


async def test_friends_talk_before_during_and_after_a_game_and_the_file_knows_nothing_of_it(
    tmp_path: Path,
) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, Offer(rules.load("gnomia"), 3))
    first, second, third = (room.talk for room in party.rooms)
    assert first is not None
    assert second is not None
    assert third is not None
    asked: list[str] = []

    def ask() -> None:
        if len(party.rooms[1].guests) == 3 and not asked:
            asked.append("who begins?")
            second.say(asked[0])

    party.rooms[1].listen(ask)
    await party.sit_down()
    assert party.peers[1].talk is second
    async with second.staying(seated=True), third.staying(seated=True):
        third.say("not I")
        await party.play()
        third.say("well played")
        await hub.quiet()
        assert [said.text for said in second.lines] == ["who begins?", "not I", "well played"]
    assert [said.text for said in first.lines] == ["who begins?", "not I"]
    seats = {said.voice.name: said.voice.seat for said in second.lines}
    assert seats == {
        room._newcomer.identity.name: peer.me
        for room, peer in zip(party.rooms[1:], party.peers[1:], strict=True)
    }
    (data,) = files(party)
    assert b"well played" not in data
    assert b"who begins" not in data
