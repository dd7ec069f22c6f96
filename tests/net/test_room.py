"""Sitting down, rooms and peers: from an invitation to the same file on everybody's disk."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from net.link.memory import Hub, MemoryTransport
from net.meeting import room as rooms
from net.meeting.invitation import BadInvitation, Invitation, read_invitation
from net.meeting.room import Newcomer, Room, RoomError, invite
from net.meeting.seating import SILENT_AFTER, Offer, Seating, room_of
from net.people.identity import Identity, acceptable, load
from net.play.audit import audit
from net.play.charter import words
from net.play.local import sit_down
from net.play.notices import Ended, Happened, Link, Notice
from net.play.peer import Peer
from net.play.rounds import Job
from net.play.stream import Stream
from rules.bots import bot
from rules.gobelin.deck import write_deck

GAME = rules.load("taverne")
OFFER = Offer(GAME, 3)
SEED = 20261130


# Identity and invitation.


def test_an_identity_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "config"
    made = load(folder, "Ana")
    assert load(folder, "Ana").public == made.public
    assert (folder / "identity.key").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    (folder / "identity.key").write_bytes(b"short")
    with pytest.raises(ValueError, match="not a key"):
        load(folder, "Ana")


def test_first_starts_at_the_same_time_agree_on_one_identity(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: load(tmp_path / "config", "Ana").public, range(32)))
    assert len(set(made)) == 1
    assert [path.name for path in (tmp_path / "config").iterdir()] == ["identity.key"]


def test_keys_of_small_order_are_not_acceptable() -> None:
    assert acceptable(Identity.fresh("Ana").public)
    for bad in (bytes(32), b"\x01" + bytes(31), b"\xec" + b"\xff" * 30 + b"\x7f", b"", bytes(31)):
        assert not acceptable(bad)


@given(
    st.sampled_from(["example.org", "192.168.1.20", "::1", "2001:db8::2", "laptop"]),
    st.integers(1, 65535),
    st.binary(min_size=16, max_size=16),
    st.booleans(),
)
def test_an_invitation_survives_being_written_and_read(
    host: str, port: int, key: bytes, tls: bool
) -> None:
    told = Invitation(host, port, "ABCDEFGHIJKLMNOP", key, tls)
    assert read_invitation(f' "{told}"\n') == told
    assert (told.broker.host, told.broker.port, told.broker.tls) == (host, port, tls)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-invitation"),
        ("http://example.org/ABCDEFGHIJKLMNOP#AAAAAAAAAAAAAAAAAAAAAA", "bad-invitation"),
        ("farfadet://example.org/ABCDEFGHIJKLMNOP", "bad-invitation"),
        ("farfadet://example.org/ABC#AAAAAAAAAAAAAAAAAAAAAA", "bad-invitation"),
        ("farfadet://example.org/ABCDEFGHIJKLMNOP#AAAA", "bad-invitation"),
        ("farfadet://example.org:99999/ABCDEFGHIJKLMNOP#AAAAAAAAAAAAAAAAAAAAAA", "bad-port"),
    ],
)
def test_what_is_no_invitation_says_what_is_wrong(text: str, code: str) -> None:
    with pytest.raises(BadInvitation) as caught:
        read_invitation(text)
    assert caught.value.code == code


# Sitting down, without any network.


def guests(names: str, offer: Offer = OFFER) -> list[Seating]:
    """The first of ``names`` hosts a room of three; the others want to join."""
    newcomers = [Newcomer.fresh(Identity.fresh(name)) for name in names]
    room = room_of(bytes(newcomers[0].key.verify_key))
    return [
        Seating(room, n.identity, n.key, n.secret, host=offer if at == 0 else None)
        for at, n in enumerate(newcomers)
    ]


def gather(seatings: list[Seating], source: Random, loss: float, until: float = 60.0) -> float:
    """Let the guests talk, losing and repeating messages; returns when they agreed."""
    now = 0.0
    while now < until and not all(s.charter for s in seatings):
        now += 0.25
        said = [data for seating in seatings for data in seating.tick(now)]
        source.shuffle(said)
        for data in said:
            for seating in seatings:
                if source.random() >= loss:
                    seating.receive(data, now)
    return now


def taken(seating: Seating) -> int:
    """How many seats are taken."""
    return 0 if seating.plan is None else len(seating.plan.hellos)


@pytest.mark.parametrize("loss", [0.0, 0.4])
def test_guests_agree_on_one_charter_whatever_is_lost(loss: float) -> None:
    print(f"seed {SEED}")
    seatings = guests("ABC")
    gather(seatings, Random(SEED), loss)
    charters = {seating.charter for seating in seatings}
    assert len(charters) == 1
    charter = charters.pop()
    assert charter is not None
    charter.check(GAME)
    assert charter.names[0] == "A"
    assert sorted(seating.me or 0 for seating in seatings) == [0, 1, 2]
    assert len(words(charter.table).split()) == 4


def test_one_guest_too_many_is_told_that_the_table_is_full() -> None:
    seatings = guests("ABCD")
    gather(seatings, Random(SEED), 0.0, until=10)
    refused = [seating for seating in seatings if seating.refusal == "table-full"]
    assert len(refused) == 1
    assert refused[0].charter is None
    assert sum(seating.charter is not None for seating in seatings) == 3


def test_a_guest_who_falls_silent_makes_room_for_another() -> None:
    host, gone, late, other = guests("ABCD")
    gather([host, gone], Random(SEED), 0.0, until=2)
    assert taken(host) == 2
    assert host.tick(2 + SILENT_AFTER + 1)
    assert taken(host) == 1
    gather([host, late, other], Random(SEED), 0.0)
    assert host.charter is not None
    assert sorted(host.charter.names) == ["A", "C", "D"]


def test_a_stranger_cannot_seat_people_in_anothers_room() -> None:
    host, guest, _ = guests("ABC")
    stranger = Newcomer.fresh(Identity.fresh("X"))
    usurper = Seating(host.room, stranger.identity, stranger.key, stranger.secret, host=None)
    usurper._host = Offer(GAME, 2)
    guest.receive(usurper._seating(), 1.0)
    assert guest.me is None
    assert not gather([guest], Random(SEED), 0.0, until=2) < 2
    for data in host.tick(1.0):
        guest.receive(data, 1.0)
    assert guest.plan is not None


@given(st.binary(max_size=200))
def test_anything_else_said_in_a_room_is_ignored(data: bytes) -> None:
    host = guests("A")[0]
    before = host.plan
    host.receive(data, 1.0)
    assert host.plan == before


# Rooms and peers.


class Party:
    """Rooms on one hub for all seats of an offer; the first hosts, all are played by bots."""

    def __init__(self, hub: Hub, folder: Path, offer: Offer = OFFER) -> None:
        self.newcomers = [
            Newcomer.fresh(Identity.fresh(name)) for name in ("Ana", "Bo", "Chloé")[: offer.seats]
        ]
        self.transports = [hub.transport() for _ in self.newcomers]
        self.invitation = invite(self.newcomers[0].key, "127.0.0.1", 1883)
        self.rooms = [
            Room(
                self.transports[at],
                self.invitation,
                newcomer,
                folder / str(at),
                offer if at == 0 else None,
            )
            for at, newcomer in enumerate(self.newcomers)
        ]
        self.peers: list[Peer] = []
        self.notices: list[Notice] = []
        self.running: dict[int, asyncio.Task[None]] = {}
        """By seat."""

    async def sit_down(self) -> None:
        """Everybody enters, takes a seat and begins to play."""
        self.peers = list(await asyncio.gather(*map(self.enter, range(len(self.rooms)))))

    async def enter(self, at: int) -> Peer:
        """One enters, takes a seat and begins to play."""
        await self.rooms[at].open()
        peer = await self.rooms[at].wait()
        peer.delegate(bot("random", Stream(b"party", bytes([at]))))
        if at == 1:
            peer.listen(self.notices.append)
        assert peer.me is not None
        self.running[peer.me] = asyncio.create_task(peer.run())
        return peer

    async def play(self) -> None:
        """To the end."""
        await asyncio.gather(*self.running.values())

    async def reach(self, step: int) -> None:
        """Until the host is at this step."""
        reached = asyncio.Event()
        host = self.peers[0]
        host.listen(lambda _: reached.set() if host.step >= step else None)
        await reached.wait()


def files(party: Party) -> set[bytes]:
    """What is on everybody's disk."""
    saved = [peer.saved for peer in party.peers]
    assert all(path is not None for path in saved)
    return {path.read_bytes() for path in saved if path is not None}


async def test_friends_meet_under_an_invitation_and_play_to_the_same_file(tmp_path: Path) -> None:
    party = Party(Hub(), tmp_path)
    changes: list[int] = []
    party.rooms[0].listen(lambda: changes.append(len(party.rooms[0].guests)))
    await party.sit_down()
    await party.play()
    assert changes[-1] == 3
    assert len({room.words for room in party.rooms}) == 1
    found = files(party)
    assert len(found) == 1
    assert audit(found.pop()).good
    assert {peer.result for peer in party.peers} == {party.peers[0].result}
    assert sum(isinstance(notice, Happened) for notice in party.notices) > 20
    assert isinstance(party.notices[-1], Ended)


async def test_guests_need_no_file_to_play_with_the_cards_of_the_host(tmp_path: Path) -> None:
    own = rules.load("gobelin")
    cards = own.cards[::-1]  # type: ignore[attr-defined]
    game = rules.load("gobelin", write_deck(cards))
    party = Party(Hub(), tmp_path, Offer(game, 3))
    await party.sit_down()
    assert [peer.game.deck for peer in party.peers] == [game.deck] * 3
    assert game.deck
    await party.play()
    found = files(party)
    assert len(found) == 1
    assert audit(found.pop()).good


async def test_a_link_that_is_lost_and_regained_loses_nothing(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path)
    await party.sit_down()

    async def trouble() -> None:
        for count, victim in ((6, 1), (20, 0), (40, 2)):
            await party.reach(count)
            transport: MemoryTransport = party.transports[victim]
            transport.lose()
            await asyncio.sleep(0.05)
            transport.regain()

    await asyncio.gather(party.play(), trouble())
    assert len(files(party)) == 1
    assert Link(False) in party.notices
    assert Link(True) in party.notices


async def test_a_broker_that_restarts_empty_changes_nothing(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path)
    await party.sit_down()

    async def trouble() -> None:
        await party.reach(25)
        hub.forget()
        await asyncio.sleep(0.1)
        for transport in party.transports:
            transport.regain()

    await asyncio.gather(party.play(), trouble())
    assert len(files(party)) == 1


async def test_the_wrong_key_opens_nothing_and_hurts_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = Hub()
    party = Party(hub, tmp_path)
    told = party.invitation
    wrong = Invitation(told.host, told.port, told.room, bytes(16))
    stranger = Room(hub.transport(), wrong, Newcomer.fresh(Identity.fresh("X")), None)

    async def try_it() -> None:
        monkeypatch.setattr(rooms, "HOST_ANSWERS", 0.5)
        with pytest.raises(RoomError) as caught:
            await stranger.open()
        assert caught.value.code == "wrong-key"

    await asyncio.gather(party.sit_down(), try_it())
    await party.play()
    assert len(files(party)) == 1


async def test_a_guest_learns_that_the_host_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = Party(Hub(), tmp_path)
    monkeypatch.setattr(rooms, "HOST_SILENT", 0.5)
    await party.rooms[0].open()
    hosting = asyncio.create_task(party.rooms[0].wait())
    await party.rooms[1].open()
    hosting.cancel()
    with pytest.raises(RoomError) as caught:
        await party.rooms[1].wait()
    assert caught.value.code == "host-left"


async def test_leaving_in_the_middle_keeps_what_there_is(tmp_path: Path) -> None:
    party = Party(Hub(), tmp_path)
    await party.sit_down()
    running = asyncio.create_task(party.play())
    await party.reach(25)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await asyncio.sleep(0.1)
    saved = party.peers[0].saved
    assert saved is not None
    assert audit(saved.read_bytes()).fault == "unfinished"


@pytest.mark.parametrize("seats", [3, 6])
async def test_a_whole_table_in_one_process_plays_to_a_good_file(
    seats: int, tmp_path: Path
) -> None:
    bots = [(f"bot {at}", bot("steady", Stream(b"b", bytes([at])))) for at in range(seats - 1)]
    peer = sit_down(GAME, Identity.fresh("me"), bots, tmp_path)
    peer.delegate(bot("random", Stream(b"me")))
    await peer.run()
    assert peer.saved is not None
    verdict = audit(peer.saved.read_bytes())
    assert verdict.good
    assert verdict.result == peer.result


async def test_a_job_that_fails_in_an_unforeseen_way_ends_the_sitting_with_its_error() -> None:
    bots = [("bot", bot("random", Stream(b"b", bytes([at])))) for at in range(2)]
    peer = sit_down(GAME, Identity.fresh("me"), bots, None)

    def broken() -> None:
        raise ZeroDivisionError

    job = Job("seal", broken)
    peer.table._machine.works.begin(job, 0, 0)
    with pytest.raises(ZeroDivisionError):
        await asyncio.wait_for(peer.run(), 20)
