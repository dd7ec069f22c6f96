"""Catching up among seats that answer with nonsense, ask for nonsense, or ask too much."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.play import wire
from net.play.replica import replica
from net.play.sync import (
    ANSWER_EVERY,
    AWAY_AFTER,
    DOMAIN,
    HEAD_EVERY,
    OUTSIDER,
    PAST,
    WHAT_TABLE,
    Sync,
    introduced,
)
from net.play.table import Table
from net.play.wire import LONGEST, SIGNATURE, Refusal, compose, pack, unpack
from tests.sim.world import World

SEED = 20261130


def middle() -> World:
    """A game of three, some way into it."""
    world = World(SEED, 3)
    world.run(3.0)
    assert 20 < world.nodes[0].table.step < 60
    return world


WORLD = middle()


def head(step: Any, holds: Any = 0, asks: Any = 0, seat: Any = 1, table: bytes = b"") -> bytes:
    """A head that seat 1 has signed, whatever is in it."""
    heads = WORLD.nodes[0].table.transcript.head_at
    prev = heads(step) if step in range(WORLD.nodes[0].table.step + 1) else bytes(32)
    raw = pack([table or WORLD.charter.table, seat, step, prev, holds, asks])
    return raw + WORLD.players[1].key.sign(DOMAIN + raw).signature


def answered(data: bytes) -> list[list[bytes]]:
    """The bundles with which seat 0 answers ``data``."""
    return [unpack(bundle) for bundle in Sync(WORLD.nodes[0].table).receive(data, 10.0)]


def test_a_seat_far_behind_gets_the_first_of_what_it_lacks() -> None:
    (bundle,) = answered(head(0))
    steps = [wire.parse(data).step for data in bundle]
    assert steps == sorted(steps)
    assert steps[0] == 0
    assert steps[-1] > 2


def test_a_seat_is_told_only_what_it_does_not_hold() -> None:
    (bundle,) = answered(head(0, holds=0b101))
    assert [(m.step, m.seat) for m in map(wire.parse, bundle)][:2] == [(0, 1), (1, 0)]


def test_a_seat_that_asks_another_gets_our_own_messages_alone() -> None:
    (bundle,) = answered(head(0, asks=2))
    assert {wire.parse(data).seat for data in bundle} == {0}


@pytest.mark.parametrize("step", [-1, -4, -(10**6), -(2**63), None, "0", b"", 2**63, 10**6])
def test_a_signed_head_of_no_possible_step_is_answered_with_nothing(step: Any) -> None:
    assert answered(head(step)) == []


@pytest.mark.parametrize("holds", [-1, -(2**63), 2**64 - 1])
@pytest.mark.parametrize("asks", [-1, 63, 2**64 - 1])
def test_absurd_heads_do_no_harm(holds: int, asks: int) -> None:
    for bundle in answered(head(WORLD.nodes[0].table.step - 1, holds, asks)):
        assert all(wire.parse(data).table == WORLD.charter.table for data in bundle)


@pytest.mark.parametrize("seat", [0, 2, 3, 62, 64, -1, None])
def test_a_head_in_anothers_name_or_nobodys_is_not_answered(seat: Any) -> None:
    assert answered(head(0, seat=seat)) == []


def test_an_outsider_is_answered_too_but_all_of_them_together_no_faster_than_one_seat() -> None:
    sync = Sync(WORLD.nodes[0].table)
    asked = head(0, seat=OUTSIDER)
    assert len(sync.receive(asked, 10.0)) == 1
    assert sync.receive(asked, 10.0 + ANSWER_EVERY / 2) == []
    assert len(sync.receive(asked, 10.0 + ANSWER_EVERY * 2)) == 1
    assert Sync(WORLD.nodes[1].table).receive(asked, 10.0) != []


def test_who_has_asked_all_members_in_vain_is_answered_by_who_looks_on() -> None:
    onlooker = replica(WORLD.charter, None)
    for data in WORLD.nodes[0].table.transcript.messages:
        onlooker.receive(data)
        onlooker.work()
    alone = replica(WORLD.charter, WORLD.players[1])
    asking, answering = Sync(alone), Sync(onlooker)
    now, asked = 0.0, list[int]()
    while alone.step < onlooker.step:
        now += HEAD_EVERY
        for asks in asking.tick(now):
            asked.append(unpack(asks[:-SIGNATURE])[-1])
            for bundle in answering.receive(asks, now):
                asking.receive(bundle, now)
                alone.work()
        assert now < 100 * HEAD_EVERY
    assert asked[:3] == [0, 2, OUTSIDER]
    assert alone.transcript.head == onlooker.transcript.head


def test_a_newcomer_is_told_the_charter_with_the_hosts_signature() -> None:
    (answer,) = Sync(WORLD.nodes[2].table).receive(WHAT_TABLE, 10.0)
    assert introduced(answer, WORLD.charter.room) == WORLD.charter
    word, charter, sign = unpack(answer)
    other = WORLD.nodes[0].table.transcript.steps[0][1]
    for false in (
        [word, charter, other],
        [word, charter[:-1], sign],
        [word, charter, sign[:-1] + bytes([sign[-1] ^ 1])],
        ["charter?", charter, sign],
        [word, charter],
    ):
        with pytest.raises(Refusal):
            introduced(pack(false), WORLD.charter.room)
    with pytest.raises(Refusal):
        introduced(answer, "A" * 16)


def test_a_head_of_another_table_is_not_answered() -> None:
    assert answered(head(0, table=bytes(32))) == []


def test_every_flipped_bit_of_a_head_is_answered_with_nothing() -> None:
    data = head(0)
    for at in range(len(data)):
        for bit in range(8):
            assert answered(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]) == []


@given(st.binary(max_size=300) | st.lists(st.binary(max_size=20), max_size=20).map(pack))
def test_arbitrary_bytes_change_nothing(data: bytes) -> None:
    table = WORLD.nodes[0].table
    before = table.step, table.transcript.head, table.held()
    assert answered(data) == []
    assert answered(data + bytes(SIGNATURE)) == []
    assert (table.step, table.transcript.head, table.held()) == before


def test_whoever_is_ahead_makes_us_say_soon_where_we_are() -> None:
    table = WORLD.nodes[0].table
    sync = Sync(table)
    sync.tick(10.0)
    assert sync.tick(10.0 + 2 * ANSWER_EVERY) == []
    sync.receive(head(table.step + 5), 10.0 + 2 * ANSWER_EVERY)
    assert len(sync.tick(10.0 + 3 * ANSWER_EVERY)) == 1


def test_the_longest_message_there_can_be_is_handed_over_too() -> None:
    world = middle()
    table: Table = world.nodes[0].table
    player = world.players[1]
    fields = (player.key, table.table, 1, 0, table.step, bytes(32), "play")
    room = LONGEST - len(compose(*fields, b"").data)
    longest = compose(*fields, bytes(room - 10))
    assert LONGEST - 20 < len(longest.data) <= LONGEST
    table.evidence = (longest.data,)
    (bundle,) = Sync(table).receive(head(table.step, holds=0b111), 10.0)
    assert unpack(bundle) == [longest.data]
    assert len(bundle) < LONGEST + 10


def test_what_convicts_a_seat_is_shown_again_whole_in_several_payloads() -> None:
    world = middle()
    table: Table = world.nodes[0].table
    player = world.players[1]
    large = tuple(
        compose(player.key, table.table, 1, 0, table.step, bytes(32), "play", bytes(40_000)).data
        for _ in range(3)
    )
    table.evidence = large
    table.diverged.add(1)
    payloads = Sync(table).tick(10.0)
    assert len(payloads) > len(large) - 1
    assert all(len(payload) <= LONGEST for payload in payloads)
    shown = [data for payload in payloads for data in unpack(payload)]
    assert shown == [message.data for message in table.since(table.step - PAST, frozenset())]


def test_a_seat_is_away_when_it_has_been_silent_while_one_step_was_open() -> None:
    table = WORLD.nodes[0].table
    sync = Sync(table)
    assert sync.away(100.0) == frozenset()
    assert sync.away(100.0 + AWAY_AFTER) == frozenset()
    assert sync.away(100.1 + AWAY_AFTER) == {1, 2}
    sync.receive(head(table.step), 101.0 + AWAY_AFTER)
    assert sync.away(102.0 + AWAY_AFTER) == {2}
    sync.meet_again()
    assert sync.away(200.0) == frozenset()


def test_who_contributes_is_not_away_even_without_a_head() -> None:
    world = World(SEED, 3)
    sync = Sync(world.nodes[0].table)
    for second in range(1, 30):
        world.run(float(second))
        assert sync.away(second * (AWAY_AFTER - 1)) == frozenset()
        if world.done:
            break
    assert world.done
    assert sync.away(1e6) == frozenset()
