"""A replica under pressure: late and shuffled work, early words, and what comes after the end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from net.play import wire
from net.play.audit import audit
from net.play.notices import Blamed, Contributed
from net.play.rounds import Fault, Job
from net.play.table import AHEAD, Table
from net.play.wire import Message, Refusal
from tests.net.test_table import GAME, fresh, seated, settle
from tests.sim import cheats
from tests.sim.world import CALM, World

SEED = 20261130


@pytest.fixture(scope="module")
def world() -> World:
    """A game of three that was played to its end."""
    world = World(SEED, 3)
    world.run()
    return world


def contradiction(world: World, number: int) -> bytes:
    """Seat 1's message of its ``number``-th step, but with another body."""
    said = [wire.parse(data) for data in world.nodes[0].table.transcript.messages]
    theirs = [message for message in said if message.seat == 1][number]
    return cheats.forge(world, theirs, body=b"something else")


def run(table: Table, job: Job) -> None:
    """Do one piece of long work."""
    try:
        outcome: object = job.run()
    except Fault as fault:
        outcome = fault
    table.finished(job, outcome)


@pytest.mark.parametrize("seed", range(SEED, SEED + 4))
def test_long_work_may_end_in_any_order_and_late(world: World, seed: int) -> None:
    print(f"seed {seed}")
    source = Random(seed)
    table = seated(world.charter, None)
    begun: list[Job] = []
    most = 0
    for data in world.nodes[0].table.transcript.messages:
        table.receive(data)
        begun += table.jobs
        table.jobs.clear()
        most = max(most, len(begun))
        while begun and (source.random() < 0.05 or wire.parse(data).step >= table.step + AHEAD - 1):
            run(table, begun.pop(source.randrange(len(begun))))
            begun += table.jobs
            table.jobs.clear()
    while begun:
        run(table, begun.pop(source.randrange(len(begun))))
        begun += table.jobs
        table.jobs.clear()
    assert most > 1
    assert table.over
    assert table.transcript.data() == world.nodes[0].table.transcript.data()


def test_what_is_said_early_waits_and_takes_effect_in_its_turn() -> None:
    tables = fresh()
    settle(tables)
    steps = tables[0].transcript.steps[:3]
    ours = [data for step in steps for data in step if wire.parse(data).seat != 1]
    late = fresh()[1]
    for data in reversed(ours):
        late.receive(data)
    assert late.transcript.steps == steps
    assert sum(isinstance(notice, Contributed) for notice in late.notices) >= 6
    assert not late.refused


def test_what_is_said_after_the_end_changes_nothing(world: World) -> None:
    table = seated(world.charter, None)
    for data in world.nodes[0].table.transcript.messages:
        table.receive(data)
        table.work()
    assert table.over
    file = table.transcript.data()
    for number in (0, 5, 20, -1):
        with pytest.raises(Refusal, match="too-late"):
            table.take(contradiction(world, number))
    assert table.blame is None
    assert table.transcript.data() == file
    assert audit(file).good


@pytest.mark.parametrize("number", [0, 2, 5, 20])
def test_a_contradiction_before_the_end_convicts_and_then_nothing_moves(
    world: World, number: int
) -> None:
    table = seated(world.charter, None)
    messages = world.nodes[0].table.transcript.messages
    for data in messages[:-1]:
        table.receive(data)
        table.work()
    contradicting = contradiction(world, number)
    table.take(contradicting)
    assert table.blame == Blamed(1, "two-messages")
    assert contradicting in table.outbox
    assert list(table.notices)[-1] == table.blame
    file, notices = table.transcript.data(), len(table.notices)
    with pytest.raises(Refusal, match="stopped"):
        table.take(messages[-1])
    with pytest.raises(Refusal, match="stopped"):
        table.take(contradiction(world, number + 1))
    assert (table.transcript.data(), len(table.notices)) == (file, notices)
    assert table.request is None
    assert not table.owing
    assert not table.moves()
    assert not table.over
    verdict = audit(file)
    assert (verdict.fault, verdict.seat) == ("two-messages", 1)


def test_work_that_ends_after_a_conviction_is_forgotten(world: World) -> None:
    table = seated(world.charter, None)
    begun: list[Job] = []
    for data in world.nodes[0].table.transcript.messages:
        table.receive(data)
        begun += table.jobs
        table.jobs.clear()
        if begun:
            break
    table.take(contradiction(world, 0))
    stopped = table.transcript.data()
    for job in begun:
        run(table, job)
    assert table.transcript.data() == stopped
    assert not table.jobs


@pytest.mark.parametrize("kind", ["key", "shuffled", "share", "commit", "reveal"])
def test_every_kind_of_false_message_is_found_where_it_stands(kind: str) -> None:
    world = World(SEED, 3, CALM, tampers={1: cheats.altered(kind, change)})
    world.run()
    for node in world.honest:
        blame, transcript = node.table.blame, node.table.transcript
        assert blame is not None
        verdict = audit(transcript.data())
        assert (verdict.seat, verdict.fault) == (1, blame.code)
        everything = [wire.parse(m) for m in (*transcript.messages, *transcript.evidence)]
        assert verdict.message is not None
        found = everything[verdict.message - 1]
        # What was wrong is in the message named, or earlier in the step that it completes.
        guilty = [m for m in everything[: verdict.message] if m.seat == 1][-1]
        assert guilty.step == found.step
        assert guilty.kind in (kind, "reveal")


def change(world: World, message: Message) -> dict[str, object]:
    """Something else of the same form."""
    if message.kind == "reveal":
        return dict(cheats.swapped_move(world, message))
    return dict(cheats.flipped(world, message))


def test_a_version_that_only_compares_equal_is_refused() -> None:
    (table, *_) = fresh()
    message = wire.parse(table.outbox[0])
    for version in (True, 1):
        fields = [version, message.table, 0, 0, 0, message.prev, message.kind, message.packed]
        raw = wire.pack(fields)
        assert table.player is not None
        data = raw + table.player.key.sign(wire.DOMAIN + raw).signature
        if version is True:
            with pytest.raises(Refusal, match="version"):
                wire.parse(data)
        else:
            assert wire.parse(data) == message


def test_a_table_is_not_begun_on_terms_that_do_not_hold() -> None:
    tables = fresh()
    settle(tables)
    charter = tables[0].charter
    with pytest.raises(Refusal, match="other-rules"):
        seated(replace(charter, rules=GAME.version + 1), None)
