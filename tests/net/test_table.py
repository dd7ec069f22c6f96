"""The table: one replica, whatever order messages and results come in."""

from __future__ import annotations

import os
from functools import partial
from itertools import combinations
from random import Random

import pytest

import rules
from net.deck.sealed import SealedDeck
from net.play import wire
from net.play.charter import Charter
from net.play.course import Player
from net.play.notices import Contributed, Ended, Happened
from net.play.replica import replica
from net.play.rounds import Script, Void
from net.play.sync import ANSWER_EVERY, HEAD_EVERY, Sync
from net.play.table import AHEAD, Table
from net.play.wire import LONGEST, Refusal
from rules.game import Chosen, Face, Illegal, Opened, Slot
from rules.taverne import Mushroom, Protect
from tests.sim.nodes import agreed
from tests.sim.world import World

SEED = int(os.environ.get("FARFADET_SEED", "20261130"))
GAME = rules.load("taverne")


def fresh(seats: int = 3) -> list[Table]:
    """Replicas of a table that has just been agreed on."""
    charter, players = agreed(SEED, seats, GAME)
    return [seated(charter, player) for player in players]


def seated(charter: Charter, player: Player | None) -> Table:
    """One replica."""
    return replica(charter, player)


def settle(tables: list[Table]) -> None:
    """Deliver everything to everybody until nothing more is said."""
    busy = True
    while busy:
        busy = False
        for table in tables:
            table.work()
            while table.outbox:
                busy = True
                data = table.outbox.popleft()
                for other in tables:
                    if other is not table:
                        other.receive(data)


@pytest.fixture(scope="module")
def file() -> tuple[World, list[bytes]]:
    """A finished game and its messages."""
    world = World(SEED, 3)
    world.run()
    return world, world.nodes[0].table.transcript.messages


def test_messages_in_any_order_lead_to_the_same_transcript(
    file: tuple[World, list[bytes]],
) -> None:
    world, messages = file
    source = Random(SEED)
    for window in (2, 5):
        table = seated(world.charter, None)
        waiting = list(messages)
        while waiting:
            at = source.randrange(min(window, len(waiting)))
            table.receive(waiting.pop(at))
            table.work()
        assert table.over
        assert table.transcript.data() == world.nodes[0].table.transcript.data()


def test_what_is_repeated_has_no_effect_and_is_counted(file: tuple[World, list[bytes]]) -> None:
    world, messages = file
    table = seated(world.charter, None)
    for message in messages:
        table.receive(message)
        table.work()
        table.receive(message)
    assert table.over
    assert table.refused["known"] == len(messages)


def test_a_choice_is_refused_without_any_change_unless_it_is_asked_and_legal() -> None:
    tables = fresh()
    with pytest.raises(Illegal, match="not-asked"):
        tables[0].choose(Mushroom(0))
    settle(tables)
    assert tables[0].moves() == (Mushroom(0), Mushroom(1))
    for move, code in ((Protect(), "first-turn"), (Mushroom(7), "no-such-mushroom")):
        with pytest.raises(Illegal, match=code):
            tables[0].choose(move)
    assert not tables[0].outbox
    tables[0].choose(Mushroom(1))
    assert tables[0].chosen == Mushroom(1)
    assert tables[0].moves() == ()
    with pytest.raises(Illegal, match="not-asked"):
        tables[0].choose(Mushroom(0))


def test_who_has_sealed_is_shown_and_never_what() -> None:
    tables = fresh()
    settle(tables)
    tables[0].choose(Mushroom(1))
    commit = tables[0].outbox[0]
    settle(tables)
    assert tables[1].owing == {1, 2}
    assert wire.parse(commit).kind == "commit"
    assert wire.pack(["Mushroom", 1]) not in commit
    before = tables[1].state
    tables[1].choose(Mushroom(0))
    settle(tables)
    assert tables[2].owing == {2}
    assert tables[1].state == before
    tables[2].choose(Mushroom(0))
    settle(tables)
    assert len({table.transcript.head for table in tables}) == 1
    assert tables[1].state.tiles[0] != (0, 0, 0, 0)


def test_a_secret_round_is_exactly_two_hops_and_two_messages_a_seat() -> None:
    tables = fresh(4)
    settle(tables)
    step = tables[0].step
    for table in tables:
        table.choose(Mushroom(0))
    hops = 0
    said: list[bytes] = []
    while tables[0].step < step + 2:
        hops += 1
        flying = [(table, list(table.outbox)) for table in tables]
        for table in tables:
            table.outbox.clear()
        for table, messages in flying:
            said += messages
            for other in tables:
                if other is not table:
                    for message in messages:
                        other.receive(message)
    assert hops == 2
    assert [wire.parse(data).kind for data in said] == ["commit"] * 4 + ["reveal"] * 4


def test_notices_tell_what_happened_in_order() -> None:
    tables = fresh()
    settle(tables)
    for table in tables:
        table.choose(Mushroom(0))
    settle(tables)
    events = [n.event for n in tables[1].notices if isinstance(n, Happened)]
    assert any(isinstance(event, Opened) for event in events)
    assert any(isinstance(event, Chosen) for event in events)
    assert sum(isinstance(n, Contributed) for n in tables[1].notices) > 20
    assert not any(isinstance(n, Ended) for n in tables[1].notices)


def test_messages_far_ahead_are_not_kept() -> None:
    tables = fresh()
    settle(tables)
    step = tables[0].step
    player = tables[0].player
    assert player is not None
    for ahead, code in ((AHEAD, None), (AHEAD + 1, "far-ahead")):
        data = wire.compose(
            player.key, tables[0].table, 0, 0, step + ahead, bytes(32), "play", None
        ).data
        if code is None:
            tables[1].take(data)
        else:
            with pytest.raises(Refusal, match=code):
                tables[1].take(data)


def test_a_deck_that_contradicts_itself_voids_the_game_and_blames_nobody() -> None:
    class Broken(SealedDeck):
        def open(self, slots: tuple[Slot, ...]) -> Script[tuple[tuple[Slot, Face], ...]]:
            yield from super().open(slots)
            raise Void("no-face")

    charter, players = agreed(SEED, 3, GAME)
    tables = [
        Table(
            charter,
            GAME,
            partial(Broken, charter.table, 3, player.seat, player.secret),
            player,
        )
        for player in players
    ]
    settle(tables)
    for table in tables:
        assert table.void == "no-face"
        assert table.blame is None
        assert table.moves() == ()


# Catching up.


def test_a_peer_that_missed_everything_catches_up_from_answers_alone() -> None:
    world = World(SEED, 3)
    world.run()
    ahead, late = world.nodes[0].table, seated(world.charter, world.players[1])
    late.outbox.clear()
    answering, asking = Sync(ahead), Sync(late)
    now = 0.0
    for _ in range(200):
        now += HEAD_EVERY
        for head in asking.tick(now):
            for bundle in answering.receive(head, now):
                assert len(bundle) <= LONGEST
                asking.receive(bundle, now)
        late.work()
        late.outbox.clear()
        if late.over:
            break
    assert late.transcript.data() == ahead.transcript.data()
    assert not answering.all_done
    answering.receive(asking.head(), now + 1)
    answering.receive(Sync(world.nodes[2].table).head(), now + 1)
    assert answering.all_done


def test_heads_are_published_only_when_a_step_is_stuck() -> None:
    tables = fresh()
    settle(tables)
    sync = Sync(tables[0])
    assert sync.tick(100.0) == []
    assert sync.tick(100.0 + HEAD_EVERY - 0.1) == []
    assert len(sync.tick(100.0 + HEAD_EVERY)) == 1
    assert sync.tick(100.1 + HEAD_EVERY) == []
    sync.hurry()
    assert len(sync.tick(100.2 + HEAD_EVERY)) == 1


def test_the_same_seat_is_not_answered_too_often_and_a_forged_head_never() -> None:
    tables = fresh()
    settle(tables)
    for table in tables:
        table.outbox.clear()
    behind = fresh()[1]
    answering, asking = Sync(tables[0]), Sync(behind)
    assert answering.receive(asking.head(), 10.0)
    assert answering.receive(asking.head(), 10.0 + ANSWER_EVERY / 2) == []
    head = asking.head()
    for at in range(0, len(head), 7):
        forged = head[:at] + bytes([head[at] ^ 1]) + head[at + 1 :]
        assert answering.receive(forged, 20.0 + at) == []


def test_all_seats_hold_different_secrets_and_the_same_state() -> None:
    tables = fresh(4)
    settle(tables)
    assert len({table.state for table in tables}) == 1
    for one, other in combinations(tables, 2):
        assert one.player is not None
        assert other.player is not None
        assert one.player.secret != other.player.secret
