"""What a member has voted holds: after going through steps again, after a crash, in any order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from net.play import wire
from net.play.journal import Heard
from net.play.resume import restored
from net.play.table import Table
from net.play.votes import VOTE
from tests.sim.nodes import small_numbers
from tests.sim.world import World

SEED = 20261130


@pytest.fixture(autouse=True)
def in_small_numbers() -> Iterator[None]:
    """No test here needs cards that nobody can read."""
    with small_numbers():
        yield


def voted() -> World:
    """A table of three and a referee, in a step in which seat 0 has voted against seat 2, twice."""
    world = World(SEED, 3, referee=True)
    world.run(2.0)
    table = world.nodes[0].table
    table.vote(frozenset({2}))
    their_vote(world, 1, [0, 0])
    table.vote(frozenset({2}))
    assert ours(table) == [4, 4]
    return world


def their_vote(world: World, voter: int, history: list[int]) -> None:
    """Another member's vote reaches seat 0."""
    table, key = world.nodes[0].table, world.players[voter].key
    place = table.step, table.transcript.head
    vote = wire.compose(key, table.table, voter, len(history) - 1, *place, VOTE, history)
    table.receive(vote.data)


def ours(table: Table) -> object:
    """What seat 0 has voted in the open step."""
    votes = [m for m in table.since(table.step, frozenset()) if m.kind == VOTE and m.seat == 0]
    return votes[-1].body() if votes else None


def votes_on(world: World, table: Table) -> None:
    """Seat 0 votes for others than before, and does not contradict itself."""
    their_vote(world, 1, [0, 0, 0])
    table.vote(frozenset({1}))
    assert ours(table) == [4, 4, 1 << 1]


@pytest.mark.parametrize("back", [1, 5])
def test_a_vote_is_not_forgotten_by_going_through_its_past_again(back: int) -> None:
    world = voted()
    table = world.nodes[0].table
    step = table.step
    table._rewind(step - back)
    assert table.step == step
    assert ours(table) == [4, 4]
    votes_on(world, table)


def test_a_vote_noted_down_before_its_step_can_be_reached_counts_when_it_is() -> None:
    world = voted()
    node = world.nodes[0]
    votes = [
        entry
        for entry in node.entries
        if isinstance(entry, Heard) and wire.parse(entry.message).kind == VOTE
    ]
    others = [entry for entry in node.entries if entry not in votes]
    node.table = restored(node.ticket, [*votes, *others])
    assert ours(node.table) == [4, 4]
    assert any(wire.parse(data).kind == VOTE for data in node.table.outbox)
    votes_on(world, node.table)
