"""Who of several processes with one key speaks where: shared, taken over, lost; without a clock."""

from __future__ import annotations

import pytest

from net.referee.beats import BEAT_EVERY, DEAD_AFTER, DOUBTED, LEASE, SETTLE
from net.referee.claim import weight
from net.referee.claims import TURN, Lost, Taken
from tests.net.paper import PLACE, SEAL, TICK, Stage, begun, name, room

# Sharing.


def test_one_alone_speaks_as_soon_as_it_hears_itself() -> None:
    stage = Stage(1)
    stage.run(SETTLE + TICK)
    assert stage.claim(0, 1) == [True]
    assert stage.speakers(1) == []
    stage.deliver()
    assert stage.speakers(1) == [0]
    assert not stage[0].inherited(name(1))


def test_among_several_it_first_lets_its_claim_settle() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.deliver()
    assert stage.speakers(1) == []
    assert stage.claim(1, 1) == [False]
    stage.run(SETTLE + TICK)
    assert stage.speakers(1) == [0]
    assert stage[1].taken(room(1), stage.now)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_for_each_table_it_is_the_turn_of_one_and_the_load_is_shared(count: int) -> None:
    stage = begun(count)
    turns = [
        [at for at in range(count) if stage[at].turn(room(t), 0, stage.now)] for t in range(400)
    ]
    assert all(len(turn) == 1 for turn in turns)
    shares = [sum(turn == [at] for turn in turns) for at in range(count)]
    assert min(shares) > 400 / count * 0.7
    # Who comes next, if the first cannot: everybody once.
    for table in range(20):
        late = [
            sum(stage[at].turn(room(table), waited * TURN, stage.now) for at in range(count))
            for waited in range(count)
        ]
        assert late == list(range(1, count + 1))


def test_who_is_full_takes_no_turn() -> None:
    stage = begun(2, most=1)
    table = next(t for t in range(64) if stage[0].turn(room(t), 0, stage.now) and t)
    stage.claim(0, 0)
    stage.run(2.0)
    assert not stage[0].turn(room(table), 1000, stage.now)
    assert stage[1].turn(room(table), 0, stage.now)


def test_of_two_that_claim_at_once_exactly_one_speaks() -> None:
    for table in range(20):
        stage = begun(2)
        assert stage.claim(0, table) == stage.claim(1, table) == [True]
        stage.run(LEASE + SETTLE)
        first = max((0, 1), key=lambda at: weight(room(table), stage.names[at]))
        assert stage.speakers(table) == [first]
        assert stage.told(Lost) == [1 - first]


# Death.


def test_a_table_whose_holder_dies_is_taken_over_exactly_once() -> None:
    stage = begun(3)
    stage.claim(0, *range(30))
    stage.run(2 * SETTLE)
    stage.kill(0)
    stage.run(DEAD_AFTER - 2 * BEAT_EVERY)
    assert stage.changes == []
    stage.run(2 * BEAT_EVERY + SETTLE + 2 * TICK)
    assert sorted(stage.told(Taken)) == sorted(
        max((1, 2), key=lambda at: weight(room(t), stage.names[at])) for t in range(30)
    )
    assert all(len(stage.speakers(t)) == 1 for t in range(30))
    assert all(stage[stage.speakers(t)[0]].inherited(name(t)) for t in range(30))
    before = list(stage.changes)
    stage.run(60.0)
    assert stage.changes == before


def test_who_leaves_in_peace_is_replaced_at_once() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    stage[0].leave()
    stage.deliver()
    stage.kill(0)
    stage.run(TICK)
    assert stage.told(Taken) == [1]
    stage.run(SETTLE + TICK)
    assert stage.speakers(1) == [1]


def test_when_the_broker_loses_somebody_who_does_not_answer_is_dead() -> None:
    stage = begun(3)
    stage.claim(0, 1)
    stage.claim(1, 2)
    stage.run(2 * SETTLE)
    stage.kill(0)
    for at in (1, 2):
        stage[at].beats.doubt(stage.now)
    stage.run(DOUBTED + TICK)
    assert len(stage.told(Taken)) == 1
    assert stage[1].holds(name(2))


def test_a_table_that_has_ended_is_taken_over_by_nobody() -> None:
    stage = begun(2)
    stage.claim(0, 1, 2)
    stage.run(2 * SETTLE)
    stage[0].release(name(1))
    stage.run(2 * BEAT_EVERY + TICK)
    assert not stage[1].taken(room(1), stage.now)
    stage.kill(0)
    stage.run(30.0)
    assert [c.claim.table for _, c in stage.changes if isinstance(c, Taken)] == [name(2)]
    assert stage.retained[SEAL.place(name(1))] == b""


def test_the_last_one_leaves_its_claims_to_who_comes_later() -> None:
    stage = begun(1)
    stage.claim(0, 1)
    stage[0].promise(name(1), PLACE, (4,))
    stage.run(SETTLE)
    stage.kill(0)
    stage.start(1)
    stage.run(DEAD_AFTER - TICK)
    assert stage.changes == []
    stage.run(SETTLE)
    assert stage.told(Taken) == [1]
    assert stage[1].promises(name(1)) == {PLACE: (4,)}


def test_a_process_that_starts_again_with_its_record_knows_that_it_was_dead() -> None:
    stage = begun(1)
    stage.claim(0, 1)
    stage.run(SETTLE)
    stage.kill(0)
    stage.start(0, former=stage.names[0])
    assert stage.claim(0, 1) == [False]
    stage.run(SETTLE)
    assert stage[0].holder(name(1)) is None
    assert stage.claim(0, 2) == [True]
    stage.run(TICK)
    assert stage.speakers(1) == stage.speakers(2) == [0]
    assert not stage[0].inherited(name(1))


def test_a_process_that_starts_again_finds_what_another_has_taken() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    stage.kill(0)
    stage.run(DEAD_AFTER + 2 * SETTLE)
    stage.start(0, former=stage.names[0])
    stage.run(SETTLE + TICK)
    assert stage[0].holder(name(1)) == stage.names[1]
    assert stage.claim(0, 1) == [False]


# Being cut off.


def test_who_does_not_hear_itself_falls_silent_before_others_take_its_tables() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    stage.cut.add(0)
    stage.run(LEASE + TICK)
    assert stage.speakers(1) == []
    stage.run(DEAD_AFTER)
    assert stage.speakers(1) == [1]
    assert stage[0].holds(name(1))


def test_who_comes_back_gives_up_what_was_taken_before_it_speaks() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    stage.cut.add(0)
    stage[0].link(False, stage.now)
    stage.run(DEAD_AFTER + 2 * SETTLE)
    stage.back(0)
    assert stage.told(Lost) == []
    stage.deliver()
    assert stage.told(Lost) == [0]
    stage.run(10.0)
    assert stage.speakers(1) == [1]
    assert stage.told(Taken) == [1]


def test_who_comes_back_soon_goes_on() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    stage[0].link(False, stage.now)
    stage.cut.add(0)
    stage.run(2.0)
    stage.back(0)
    assert stage.speakers(1) == []
    stage.run(SETTLE + TICK)
    assert stage.speakers(1) == [0]
    assert stage.changes == []


def test_being_cut_off_is_not_the_death_of_the_others() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    stage.cut.add(1)
    stage.run(10 * DEAD_AFTER)
    stage.back(1)
    stage.run(10.0)
    assert stage.changes == []
    assert stage.speakers(1) == [0]


def test_a_broker_that_has_forgotten_everything_learns_it_from_the_processes() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage[0].promise(name(1), PLACE, (4,))
    stage.run(2 * SETTLE)
    stage.retained.clear()
    stage.kill(1)
    stage.start(1)
    stage.run(2 * BEAT_EVERY)
    assert stage.retained.keys() == {SEAL.place(name(1))}
    stage.kill(0)
    stage.run(DEAD_AFTER + SETTLE)
    assert stage[1].promises(name(1)) == {PLACE: (4,)}
