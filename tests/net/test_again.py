"""Playing again: who has played together finds the new room, and nobody else can lead there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

import rules
from net.link.channel import Channel
from net.link.memory import Hub
from net.meeting import again
from net.meeting.again import DOMAIN, Proposal, Reunion, proposal, read_proposal
from net.meeting.invitation import Invitation
from net.play.charter import Charter
from net.play.course import Player
from net.play.wire import Refusal, pack
from tests.sim.nodes import agreed

GAME = rules.load("gnomia")
SECRET = bytes(range(16))
ROOM, KEY = "ABCDEFGHIJKLMNOP", bytes(range(16, 32))
NEW = Invitation("127.0.0.1", 1883, ROOM, KEY)


def table() -> tuple[Charter, list[Player]]:
    """A table of three that has been played."""
    return agreed(1, 3, GAME)


@asynccontextmanager
async def reunion(hub: Hub, charter: Charter, player: Player) -> AsyncIterator[Reunion]:
    """One player's part, running."""
    public = bytes(player.key.verify_key)
    channel = Channel(hub.transport(), charter.room, public, SECRET)
    told = Invitation("127.0.0.1", 1883, charter.room, SECRET)
    here = Reunion(channel, told, charter, player.seat, player.key)
    running = asyncio.create_task(here.run())
    await asyncio.sleep(0)
    await hub.quiet()
    try:
        yield here
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_proposal_is_heard_by_the_others_and_not_by_oneself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(again, "SAY_EVERY", 0.02)
    hub, (charter, players) = Hub(), table()
    async with (
        reunion(hub, charter, players[0]) as ana,
        reunion(hub, charter, players[1]) as bo,
    ):
        told: list[Proposal | None] = []
        ana.listen(lambda: told.append(ana.offered))
        bo.propose(NEW)
        await asyncio.sleep(0.06)
        assert told == [Proposal(1, ROOM, KEY)]
        assert ana.way(Proposal(1, ROOM, KEY)) == NEW
        assert bo.offered is None
        # Who comes later is told as well.
        async with reunion(hub, charter, players[2]) as chloe:
            await asyncio.sleep(0.06)
            assert chloe.offered == Proposal(1, ROOM, KEY)


async def test_of_two_proposals_all_take_that_of_the_lower_seat() -> None:
    hub, (charter, players) = Hub(), table()
    async with (
        reunion(hub, charter, players[0]) as ana,
        reunion(hub, charter, players[1]) as bo,
        reunion(hub, charter, players[2]) as chloe,
    ):
        chloe.propose(replace(NEW, room="C" * 16))
        await hub.quiet()
        ana.propose(replace(NEW, room="A" * 16))
        await hub.quiet()
        assert bo.offered == chloe.offered == Proposal(0, "A" * 16, KEY)
        assert ana.offered == Proposal(2, "C" * 16, KEY)


async def test_a_proposal_that_is_not_repeated_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub, (charter, players) = Hub(), table()
    async with reunion(hub, charter, players[0]) as ana:
        async with reunion(hub, charter, players[1]) as bo:
            bo.propose(NEW)
            await hub.quiet()
            assert ana.offered is not None
        monkeypatch.setattr(again, "LASTS", 0.0)
        assert ana.offered is None


def test_a_proposal_that_is_none_is_refused() -> None:
    charter, players = table()
    other, _ = agreed(2, 3, GAME)
    key = players[1].key
    good = proposal(charter, 1, key, ROOM, KEY)
    assert read_proposal(charter, good) == Proposal(1, ROOM, KEY)

    def signed(*content: object) -> bytes:
        raw = pack(list(content))
        return raw + key.sign(DOMAIN + raw).signature

    for data in (
        b"",
        good[:-1],
        good[:-1] + bytes([good[-1] ^ 1]),
        proposal(charter, 0, key, ROOM, KEY),
        proposal(other, 1, key, ROOM, KEY),
        proposal(charter, 3, key, ROOM, KEY),
        proposal(charter, 1, key, "a/b", KEY),
        proposal(charter, 1, key, "+", KEY),
        proposal(charter, 1, key, ROOM, KEY + b"\0"),
        signed("again", charter.table, 1, ROOM),
        signed("again", charter.table, 1, ROOM * 30, KEY),
        signed("other", charter.table, 1, ROOM, KEY),
        b"\xc1" * 100,
    ):
        with pytest.raises(Refusal):
            read_proposal(charter, data)
