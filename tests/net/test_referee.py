"""The referee among tables that play, stop, lie and leave; all in one process."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from nacl.signing import SigningKey

import rules
from net.link import topics
from net.link.channel import Channel
from net.link.memory import Hub
from net.link.transport import Transport, Will
from net.meeting.invitation import Invitation
from net.meeting.seating import Offer
from net.people.identity import Identity
from net.play import charter, patience
from net.play.audit import audit
from net.play.journal import Heard, Ticket
from net.play.peer import Peer
from net.play.resume import restored
from net.play.sync import INTRODUCTION, WHAT_TABLE
from net.play.wire import compose, pack
from net.referee import beats, claims, logline, referee
from net.referee import watch as watching_module
from net.referee.calling import Announced, call, read_announcement
from net.referee.record import Record, figures, transcripts
from net.referee.referee import Referee
from tests.net.test_room import Party, files
from tests.sim.nodes import agreed

GAME = rules.load("gnomia")
DUEL = rules.load("gobelin")
WHO = Identity("Arbitre", SigningKey(b"r" * 32))
OFFER = Offer(GAME, 3, referee=WHO.public, escrow=True)
PATIENCE = 60.0
"""Seconds to wait for something to happen."""


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one process, what others say is here at once."""
    for module in (beats, claims):
        monkeypatch.setattr(module, "SETTLE", 0.1)


class Watch:
    """A referee that runs, what it tells, and its record at ``path``."""

    def __init__(self, hub: Hub, path: Path, tables: int = 200) -> None:
        self.path = path
        self.lines: list[str] = []
        self.record = Record(path)
        self.transport = hub.transport()

        def way(will: Will) -> Transport:
            self.transport = hub.transport(will)
            return self.transport

        self.referee = Referee(way, WHO, self.record, self.lines.append, tables=tables)

    def told(self, event: str) -> list[str]:
        """The lines about ``event``, without their time."""
        word = f"event={logline.quoted(event)}"
        return [line.split(" ", 1)[1] for line in self.lines if word in line]

    async def until(self, event: str, times: int = 1) -> None:
        """Wait until ``event`` has been told so often."""
        await until(lambda: len(self.told(event)) >= times)


async def until(true: Callable[[], bool]) -> None:
    """Wait for it."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


@asynccontextmanager
async def watching(hub: Hub, folder: Path, tables: int = 200) -> AsyncIterator[Watch]:
    """A referee while the block lasts; its record stays."""
    watch = Watch(hub, folder / "record.db", tables)
    running = asyncio.create_task(watch.referee.run())
    await watch.until("serving")
    try:
        yield watch
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        watch.record.close()


async def test_a_referee_has_of_a_game_what_the_players_have(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, OFFER)
    async with watching(hub, tmp_path) as watch:
        await party.sit_down()
        await party.play()
        await watch.until("result")
    (table,) = transcripts(watch.path)
    assert {table[1]} == files(party)
    assert audit(table[1]).good
    assert len(watch.told("table opened")) == 1
    scores = ",".join(str(score.total) for score in audit(table[1]).result.scores)  # type: ignore[union-attr]
    assert f"scores={scores}" in watch.told("result")[0]
    assert figures(watch.path).tables["finished"] == 1
    assert not hub.retained


async def test_many_tables_are_watched_over_one_connection(tmp_path: Path) -> None:
    hub = Hub()
    parties = [Party(hub, tmp_path / str(number), OFFER) for number in range(3)]
    async with watching(hub, tmp_path) as watch:
        await asyncio.gather(*(party.sit_down() for party in parties))
        await asyncio.gather(*(party.play() for party in parties))
        await watch.until("result", 3)
    assert {data for _, data in transcripts(watch.path)} == set().union(*map(files, parties))


async def test_it_goes_on_from_its_record_even_if_its_end_is_lost(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, OFFER)
    async with watching(hub, tmp_path) as watch:
        await party.sit_down()
        await party.reach(30)
        await until(lambda: bool(watch.told("table opened")))
        await until(lambda: any(peer.step > 20 for peer in watch.referee.peers.values()))
    base = sqlite3.connect(watch.path)
    (noted,) = next(base.execute("SELECT max(number) FROM entries"))
    base.execute("DELETE FROM entries WHERE number > ?", (noted - 10,))
    base.commit()
    base.close()
    async with watching(hub, tmp_path) as again:
        await party.play()
        await again.until("result")
        assert len(again.told("table resumed")) == 1
        assert "step=0" not in again.told("table resumed")[0].split()
    ((_, transcript),) = transcripts(again.path)
    assert {transcript} == files(party)


async def test_with_a_referee_one_player_can_go_on_without_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charter, "SHORTEST_LIMIT", 1)
    monkeypatch.setattr(patience, "GRACE", 0.5)
    hub = Hub()
    party = Party(hub, tmp_path, Offer(DUEL, 2, 1, WHO.public, True))
    async with watching(hub, tmp_path) as watch:
        await party.sit_down()
        await party.reach(14)
        await watch.until("table opened")
        party.running.pop(1).cancel()
        await party.play()
        await watch.until("result")
    ((_, transcript),) = transcripts(watch.path)
    assert audit(transcript).good
    assert "absent=1" in watch.told("ruling")[0].split()
    assert figures(watch.path).rulings == len(watch.told("ruling"))


async def test_a_player_who_missed_the_end_is_told_it_later(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, OFFER)
    async with watching(hub, tmp_path) as watch:
        await party.sit_down()
        await party.play()
        await watch.until("result")
        old = party.peers[1]
        await until(lambda: not watch.referee.peers)
        assert old.me is not None
        messages = old.table.transcript.messages
        ticket = Ticket(
            old.table.charter.data(),
            old.me,
            bytes(party.newcomers[1].key),
            party.newcomers[1].secret,
        )
        table = restored(ticket, [Heard(message) for message in messages[: len(messages) // 2]])
        told = party.invitation
        late = Peer(table, Channel(hub.transport(), told.room, table.charter.keys[1], told.key))
        await late.run()
        assert late.result == old.result
        assert len(watch.told("end told again")) == 1
        assert len(watch.told("result")) == 1


# Calls that lead nowhere.


class Liar:
    """Somebody on the hub who calls the referee, and may answer in the room ``told``."""

    def __init__(self, hub: Hub, told: Invitation, introduction: bytes | None = None) -> None:
        self.told = told
        self.asked = 0
        self._introduction = introduction
        self.channel = Channel(hub.transport(), told.room, bytes(32), told.key)
        self.channel.listen(self._hear, lambda up: None)

    def _hear(self, kind: str, payload: bytes) -> None:
        if payload == WHAT_TABLE:
            self.asked += 1
            if self._introduction is not None:
                self.channel.publish("sync", self._introduction)

    async def call(self) -> None:
        """Come, and call."""
        await self.channel.open()
        self.channel.call(WHO.public)


def introduced(seed: int, **changes: object) -> tuple[Invitation, bytes]:
    """A table with the terms of ``changes`` that nobody plays at, and what is said of it."""
    found, players = agreed(seed, 3, GAME)
    found = replace(found, **changes)  # type: ignore[arg-type]
    sign = compose(players[0].key, found.table, 0, 0, 0, found.table, "sign", None).data
    told = Invitation("127.0.0.1", 1883, found.room, bytes(16))
    return told, pack([INTRODUCTION, found.data(), sign])


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, "not-ours"),
        ({"referee": Identity.fresh("other").public}, "not-ours"),
        ({"referee": WHO.public, "rules": 99}, "other-rules"),
        ({"referee": WHO.public, "game": "chess"}, "unknown-game"),
    ],
)
async def test_only_tables_that_name_it_and_that_it_knows_are_followed(
    changes: dict[str, object], why: str, tmp_path: Path
) -> None:
    hub = Hub()
    liar = Liar(hub, *introduced(1, **changes))
    async with watching(hub, tmp_path) as watch:
        await liar.call()
        await watch.until("not followed")
        assert f"why={why}" in watch.told("not followed")[0].split()
        await liar.call()
        await hub.quiet()
        assert not watch.referee._rooms
    assert liar.asked == 1
    assert sum(figures(watch.path).tables.values()) == 0


async def test_where_nobody_answers_it_gives_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee, "ANSWERED_WITHIN", 0.2)
    hub = Hub()
    told, _ = introduced(1)
    async with watching(hub, tmp_path) as watch:
        await Liar(hub, told).call()
        await watch.until("not followed")
    assert "why=nobody-here" in watch.told("not followed")[0]


async def test_a_flood_of_false_calls_keeps_no_table_from_being_followed(tmp_path: Path) -> None:
    hub = Hub()
    party = Party(hub, tmp_path, OFFER)
    async with watching(hub, tmp_path) as watch, hub.transport() as liar:
        room = watch.referee.room
        for number in range(3 * referee.GUESSES):
            where = f"ROOM{number}" if number % 2 else party.invitation.room
            spoken = topics.spoken(room, "room", f"{number:064x}")
            liar.publish(spoken, call(WHO.public, where, number.to_bytes(16, "big")))
            liar.publish(spoken, b"garbage")
        await until(lambda: len(watch.referee._rooms) == referee.GUESSES)
        assert set(watch.referee._rooms) == set(watch.referee._guesses)
        await party.sit_down()
        await party.play()
        await watch.until("result")


async def test_a_table_is_followed_in_one_place_only(tmp_path: Path) -> None:
    hub = Hub()
    told, introduction = introduced(1, referee=WHO.public)
    async with watching(hub, tmp_path) as watch:
        await Liar(hub, told, introduction).call()
        await watch.until("table opened")
        await Liar(hub, replace(told, key=b"k" * 16), introduction).call()
        await watch.until("not followed")
        assert "why=watched" in watch.told("not followed")[0]
        assert len(watch.referee.peers) == 1


async def test_no_more_tables_than_agreed_are_followed(tmp_path: Path) -> None:
    hub = Hub()
    async with watching(hub, tmp_path, tables=2) as watch:
        for seed in range(3):
            await Liar(hub, *introduced(seed, referee=WHO.public)).call()
            await until(lambda seed=seed: len(watch.lines) >= 3 + seed)  # type: ignore[misc]
        assert len(watch.told("table opened")) == 2
        assert "why=full" in watch.told("not followed")[0]


# Coming and going.


async def test_a_table_that_nobody_comes_to_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching_module, "ABANDONED_AFTER", 0.3)
    hub = Hub()
    async with watching(hub, tmp_path) as watch:
        await Liar(hub, *introduced(1, referee=WHO.public)).call()
        await watch.until("abandoned")
        await until(lambda: not watch.referee.peers)
    assert figures(watch.path).tables["abandoned"] == 1


async def test_it_is_announced_while_it_is_there(tmp_path: Path) -> None:
    hub = Hub()
    async with watching(hub, tmp_path) as watch:
        lobby = topics.lobby(watch.referee.room)
        await hub.quiet()
        found = read_announcement(watch.referee.room, hub.retained[lobby])
        assert found == Announced(watch.referee.room, WHO.public, "Arbitre")
        watch.transport.lose()
        await hub.quiet()
        assert not hub.retained
        watch.transport.regain()
        await hub.quiet()
        assert lobby in hub.retained
        assert (len(watch.told("link up")), len(watch.told("link lost"))) == (2, 1)
    assert not hub.retained
    assert watch.told("stopped")


async def test_a_record_that_cannot_be_written_ends_it(tmp_path: Path) -> None:
    hub = Hub()
    watch = Watch(hub, tmp_path / "record.db")
    running = asyncio.create_task(watch.referee.run())
    await watch.until("serving")
    watch.record.note(1, "heard", b"1")
    watch.record._base.execute("DROP TABLE entries")
    with pytest.raises(sqlite3.Error):
        await asyncio.wait_for(running, PATIENCE)
    assert not hub.retained


def test_a_line_is_one_line_whatever_is_in_it() -> None:
    assert logline.quoted("plain-1") == "plain-1"
    for text in ("", "two words", "a=b", 'a"b', "a\nb", "\x1b[2J", "é\u202e"):
        told = logline.quoted(text)
        assert told.startswith('"')
        assert told.isascii()
        assert told.isprintable()


async def test_garbage_in_its_own_room_is_ignored(tmp_path: Path) -> None:
    hub = Hub()
    async with watching(hub, tmp_path) as watch, hub.transport() as liar:
        room = watch.referee.room
        own = call(WHO.public, room, bytes(16))
        for payload in (b"", b"x" * 2000, call(Identity.fresh("x").public, "ROOM", bytes(16)), own):
            liar.publish(topics.spoken(room, "room", "x"), payload)
        liar.publish(topics.spoken("ELSEWHERE", "log", "x"), call(WHO.public, "ROOM", bytes(16)))
        await hub.quiet()
        assert not watch.referee._rooms
