"""Peers and channels where something is wrong: a false proof, a stranger, a broken disk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from nacl.signing import SigningKey

import rules
from net.deck.verified import Verified
from net.link import channel as channels
from net.link import topics
from net.link.channel import Channel
from net.link.memory import Hub
from net.link.transport import TransportError
from net.meeting import room as rooms
from net.meeting.room import Newcomer, Room, RoomError, invite
from net.meeting.seating import Offer, Seating
from net.people.identity import Identity
from net.play import peer as peers
from net.play import wire
from net.play.audit import audit
from net.play.course import Player
from net.play.notices import Blamed, Link, Notice
from net.play.peer import Peer
from net.play.replica import replica
from net.play.stream import Stream
from rules.bots import bot
from tests.sim.nodes import agreed

SEED = 20261130
GAME = rules.load("taverne")
CHARTER, PLAYERS = agreed(SEED, 3, GAME)
KEYS = [SigningKey(bytes([at]) * 32) for at in range(3)]


class Lying(Channel):
    """Says something else, well signed, in place of its seat's messages of one ``kind``."""

    def __init__(self, hub: Hub, player: Player, kind: str) -> None:
        super().__init__(hub.transport(), CHARTER.room, bytes(player.key.verify_key), None)
        self._player = player
        self._lie = kind
        self._told: set[bytes] = set()

    def publish(self, kind: str, payload: bytes) -> None:
        """Send ``payload``, or the lie; and never what would prove two faces."""
        if kind == "log":
            said = wire.parse(payload)
            ours = said.kind == self._lie and said.seat == self._player.seat
            if ours and payload not in self._told:
                body = said.body()
                false = body[:-1] + bytes([body[-1] ^ 1])
                fields = (said.table, said.seat, said.seq, said.step, said.prev, said.kind)
                payload = wire.compose(self._player.key, *fields, false).data
                self._told.add(payload)
        elif kind == "sync":
            return
        super().publish(kind, payload)


def seated(hub: Hub, player: Player, folder: Path | None, channel: Channel | None = None) -> Peer:
    """A bot at the table of ``CHARTER`` that checks everything itself."""
    key = bytes(player.key.verify_key)
    peer = Peer(
        replica(CHARTER, player, Verified()),
        channel or Channel(hub.transport(), CHARTER.room, key, None),
        folder=folder,
    )
    peer.delegate(bot("random", Stream(b"peer", bytes([player.seat]))))
    return peer


@pytest.mark.parametrize("kind", ["key", "shuffled", "share"])
async def test_a_false_proof_convicts_and_ends_the_run(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "LINGER", 1.0)
    hub = Hub()
    liar = seated(hub, PLAYERS[1], None, Lying(hub, PLAYERS[1], kind))
    honest = [seated(hub, PLAYERS[at], tmp_path / str(at)) for at in (0, 2)]
    told: list[Notice] = []
    honest[0].listen(told.append)
    lying = asyncio.create_task(liar.run())
    await asyncio.gather(*(peer.run() for peer in honest))
    lying.cancel()
    await asyncio.gather(lying, return_exceptions=True)
    for peer in honest:
        assert peer.blame is not None
        assert peer.blame[0] == 1
        assert peer.result is None
        assert peer.request is None
        assert peer.saved is not None
        verdict = audit(peer.saved.read_bytes())
        assert (verdict.good, verdict.seat, verdict.fault) == (False, 1, peer.blame[1])
    assert [notice.seat for notice in told if isinstance(notice, Blamed)] == [1]


async def test_a_disk_that_is_full_does_not_stop_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hub = Hub()
    (tmp_path / "file").write_text("not a folder")
    party = [seated(hub, player, tmp_path / "file") for player in PLAYERS]
    await asyncio.gather(*(peer.run() for peer in party))
    assert len({peer.result for peer in party}) == 1
    assert party[0].result is not None
    assert party[0].saved is None
    assert "not saved" in caplog.text


async def test_a_seat_that_comes_late_is_brought_up_to_date(tmp_path: Path) -> None:
    hub = Hub()
    party = [seated(hub, player, tmp_path / str(player.seat)) for player in PLAYERS]
    running = [asyncio.create_task(peer.run()) for peer in party[:2]]
    await asyncio.sleep(0.2)
    assert {peer.step for peer in party} == {0}
    await asyncio.gather(party[2].run(), *running)
    files = {peer.saved.read_bytes() for peer in party if peer.saved is not None}
    assert len(files) == 1
    assert audit(files.pop()).good


class Early(Channel):
    """Finds the broker away twice before it is there: for a reason ``code``."""

    def __init__(self, hub: Hub, player: Player, code: str) -> None:
        super().__init__(hub.transport(), CHARTER.room, bytes(player.key.verify_key), None)
        self._codes = [code, code]

    async def open(self) -> None:
        if self._codes:
            raise TransportError(self._codes.pop())
        await super().open()


async def test_whoever_comes_back_before_the_broker_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(channels, "PAUSE", 0.01)
    hub = Hub()
    early = seated(hub, PLAYERS[0], None, Early(hub, PLAYERS[0], "failed"))
    told: list[Notice] = []
    early.listen(told.append)
    await asyncio.gather(early.run(), *(seated(hub, player, None).run() for player in PLAYERS[1:]))
    assert early.result is not None
    assert [notice.up for notice in told if isinstance(notice, Link)] == [False, False, True]


@pytest.mark.parametrize("code", ["auth", "denied", "tls"])
async def test_whom_the_broker_does_not_want_is_told_so(code: str) -> None:
    hub = Hub()
    refused = seated(hub, PLAYERS[0], None, Early(hub, PLAYERS[0], code))
    with pytest.raises(TransportError, match=code):
        await refused.run()


async def test_a_seat_is_given_to_a_program_and_taken_back() -> None:
    hub = Hub()
    party = [seated(hub, player, None) for player in PLAYERS]
    player = party[0]
    player.delegate(None)
    states = [player.delegated]
    running = [asyncio.create_task(peer.run()) for peer in party]

    told = asyncio.Event()
    player.listen(lambda notice: told.set())

    async def asked() -> None:
        while not player.moves():
            told.clear()
            await asyncio.wait_for(told.wait(), 60.0)

    await asked()
    first = player.step
    player.choose(player.moves()[0])
    await asked()
    assert player.step > first
    player.delegate(bot("random", Stream(b"stand-in")))
    states.append(player.delegated)
    assert states == [False, True]
    assert not player.moves()
    await asyncio.gather(*running)
    assert player.result is not None


async def test_junk_on_every_topic_of_the_room_hurts_nobody(tmp_path: Path) -> None:
    hub = Hub()
    party = [seated(hub, player, tmp_path / str(player.seat)) for player in PLAYERS]
    stranger = hub.transport()
    await stranger.open()
    stream = Stream(b"junk")

    async def shout() -> None:
        while True:
            for kind in ("log", "sync", "room"):
                key = PLAYERS[stream.below(3)].key.verify_key
                for name in (bytes(key).hex(), "stranger"):
                    junk = stream.take(stream.below(300))
                    stranger.publish(topics.spoken(CHARTER.room, kind, name), junk)
            await asyncio.sleep(0.01)

    shouting = asyncio.create_task(shout())
    await asyncio.gather(*(peer.run() for peer in party))
    shouting.cancel()
    assert {peer.blame for peer in party} == {None}
    assert len({peer.result for peer in party}) == 1
    assert sum(party[0].table.refused.values()) > 20


# Channels.


def ear(hub: Hub, at: int, secret: bytes | None) -> tuple[Channel, list[tuple[str, bytes]]]:
    """A channel into one room, and what it hears."""
    channel = Channel(hub.transport(), "ROOM", bytes(KEYS[at].verify_key), secret)
    heard: list[tuple[str, bytes]] = []
    channel.listen(lambda kind, payload: heard.append((kind, payload)), lambda up: None)
    return channel, heard


async def test_a_channel_carries_every_kind_to_those_with_the_key_and_to_nobody_else() -> None:
    hub = Hub()
    (ana, hers), (bo, his), (eve, nothing) = (
        ear(hub, 0, b"k" * 16),
        ear(hub, 1, b"k" * 16),
        ear(hub, 2, b"x" * 16),
    )
    for channel in (ana, bo, eve):
        await channel.open()
    said = [(kind, kind.encode() * 3) for kind in ("log", "sync", "room")]
    for kind, payload in said:
        ana.publish(kind, payload)
    eve.publish("log", b"let me in")
    await hub.quiet()
    assert his == said
    assert (hers, nothing) == ([], [])
    assert (ana.refused["sealed"], bo.refused["sealed"], eve.refused["sealed"]) == (1, 1, 3)


async def test_the_broker_sees_no_payload_and_never_the_same_bytes_twice() -> None:
    hub = Hub()
    ana, _ = ear(hub, 0, b"k" * 16)
    broker, seen = hub.transport(), list[bytes]()
    broker.subscribe("#")
    broker.listen(lambda topic, payload: seen.append(payload), lambda up: None)
    await broker.open()
    await ana.open()
    for _ in range(2):
        ana.publish("log", b"a secret everybody wants")
    await hub.quiet()
    assert len(set(seen)) == 2
    assert not any(b"secret" in payload for payload in seen)


async def test_a_sealed_payload_with_any_bit_turned_is_dropped() -> None:
    hub = Hub()
    ana, _ = ear(hub, 0, b"k" * 16)
    bo, heard = ear(hub, 1, b"k" * 16)
    broker, seen = hub.transport(), list[bytes]()
    broker.subscribe("#")
    broker.listen(lambda topic, payload: seen.append(payload), lambda up: None)
    for way in (ana, bo, broker):
        await way.open()
    ana.publish("log", b"hello")
    await hub.quiet()
    (sealed,) = seen
    topic = topics.spoken("ROOM", "log", bytes(KEYS[0].verify_key).hex())
    for at in range(len(sealed)):
        broker.publish(topic, sealed[:at] + bytes([sealed[at] ^ 4]) + sealed[at + 1 :])
    for short in (b"", b"x", sealed[:24], sealed[:-1]):
        broker.publish(topic, short)
    await hub.quiet()
    assert heard == [("log", b"hello")]
    assert bo.refused["sealed"] == len(sealed) + 4


# Rooms that cannot be.


@pytest.mark.parametrize("seats", [2, 7])
async def test_a_host_of_a_table_that_the_rules_do_not_know_is_refused(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Hub()
    host = Newcomer.fresh(Identity.fresh("Ana"))
    told = invite(host.key, "127.0.0.1", 1883)
    transport = hub.transport()
    channel = Channel(transport, told.room, bytes(host.key.verify_key), told.key)
    hosting = Seating(told.room, host.identity, host.key, host.secret, host=Offer(GAME, seats))
    await channel.open()

    async def host_it() -> None:
        while True:
            hosting.hurry()
            for payload in hosting.tick(1.0):
                channel.publish("room", payload)
            await asyncio.sleep(0.02)

    monkeypatch.setattr(rooms, "HOST_ANSWERS", 5.0)
    task = asyncio.create_task(host_it())
    guest = Room(hub.transport(), told, Newcomer.fresh(Identity.fresh("Bo")), None)
    with pytest.raises(RoomError) as caught:
        await guest.open()
    task.cancel()
    assert caught.value.code == "other-rules"
