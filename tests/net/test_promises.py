"""What one process of a referee has promised, no other contradicts; whatever dies or is cut off."""

from __future__ import annotations

import os
from random import Random

import pytest

from net.referee.beats import BEAT_EVERY, DEAD_AFTER, SETTLE
from net.referee.claim import MOST_PLACES, Claim, weight
from net.referee.claims import Learned, Lost
from tests.net.paper import KEY, PLACE, SEAL, TICK, Stage, begun, name, room

SEED = int(os.environ.get("FARFADET_SEED", "20261130"))


def test_a_promise_is_kept_once_it_has_come_back() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    assert stage[0].kept(name(1))
    assert stage[0].promise(name(1), PLACE, (4,))
    assert not stage[0].kept(name(1))
    stage.deliver()
    assert stage[0].kept(name(1))
    assert stage[0].promise(name(1), PLACE, (4,))
    assert stage[0].promise(name(1), PLACE, (4, 0))
    assert not stage[0].promise(name(1), PLACE, (0,))
    assert not stage[0].promise(name(1), PLACE, (4, 1))
    assert not stage[0].promise(name(2), PLACE, (4,))


def test_there_is_an_end_to_the_places_at_which_something_can_be_promised() -> None:
    stage = begun(1)
    stage.claim(0, 1)
    for step in range(MOST_PLACES):
        assert stage[0].promise(name(1), (step, bytes(32)), (1,))
    assert not stage[0].promise(name(1), (MOST_PLACES, bytes(32)), (1,))
    assert stage[0].promise(name(1), (3, bytes(32)), (1, 0))


def test_a_promise_that_did_not_come_back_is_never_kept_once_somebody_else_has_claimed() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    # The other thinks us dead; its claim is before our promise in the order of the broker.
    stage[1].beats._others[stage.names[0]].heard = -100.0
    assert stage.claim(1, 1) == [True]
    stage[0].promise(name(1), PLACE, (4,))
    claim, promise = stage[1].outbox.popleft(), stage[0].outbox.popleft()
    for _, payload, _ in (claim, promise):
        for at in (0, 1):
            stage[at].hear(payload, stage.now)
    assert not stage[0].kept(name(1))
    stage.deliver()
    assert stage.told(Lost) == [0]
    # It was never said, but does no harm: the other says it was.
    assert stage[1].promises(name(1)) == {PLACE: (4,)}
    assert stage.told(Learned) == [1]


def test_a_promise_is_in_the_hands_of_who_takes_over() -> None:
    stage = begun(3)
    stage.claim(0, 1)
    stage[0].promise(name(1), PLACE, (4,))
    stage.run(2 * SETTLE)
    stage[0].promise(name(1), PLACE, (4, 0))
    stage.deliver()
    stage.kill(0)
    stage.run(DEAD_AFTER + 2 * SETTLE)
    (taker,) = stage.speakers(1)
    assert stage[taker].promises(name(1)) == {PLACE: (4, 0)}
    assert not stage[taker].promise(name(1), PLACE, (4, 1))


def test_who_knows_of_a_promise_that_a_new_claim_does_not_repeat_says_so() -> None:
    stage = begun(3)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    taker = max((1, 2), key=lambda at: weight(room(1), stage.names[at]))
    stage[0].promise(name(1), PLACE, (4,))
    # All but the one that will need it hear it.
    stage.cut.add(taker)
    stage.deliver()
    stage.cut.discard(taker)
    stage.kill(0)
    stage.retained.clear()
    stage.run(DEAD_AFTER + 2 * SETTLE)
    assert stage.speakers(1) == [taker]
    assert stage[taker].promises(name(1)) == {PLACE: (4,)}
    assert stage.told(Learned) == [taker]


def test_who_was_replaced_tells_what_it_had_promised() -> None:
    stage = begun(2)
    stage.claim(0, 1)
    stage.run(2 * SETTLE)
    stage[0].tell(name(2), room(2), KEY, {PLACE: (8,)})
    stage.deliver()
    stage[1].tell(name(1), room(1), KEY, {PLACE: (4,)})
    stage.deliver()
    assert stage[0].promises(name(1)) == {PLACE: (4,)}
    assert stage.told(Learned) == [0]


def test_old_claims_and_old_signs_of_life_change_nothing() -> None:
    stage = begun(2)
    heard: list[bytes] = []
    stage.claim(0, 1)
    heard += [payload for _, payload, _ in stage[0].outbox]
    stage.run(2 * SETTLE)
    stage[0].tick(stage.now + BEAT_EVERY)
    heard += [payload for _, payload, _ in stage[0].outbox]
    stage.deliver()
    stage.kill(0)
    stage.run(DEAD_AFTER + 3 * SETTLE)
    assert stage.speakers(1) == [1]
    for payload in heard:
        stage[1].hear(payload, stage.now)
    assert stage.speakers(1) == [1]
    assert stage[1].beats.living(stage.now) == []
    for garbage in (
        b"",
        b"x" * 100,
        SEAL.close(Claim(name(1), room(1), KEY, 9, b"instance", 0, {}))[:-1],
    ):
        stage[1].hear(garbage, stage.now)
    stage.run(2.0)
    assert stage.speakers(1) == [1]


# All of it.


@pytest.mark.parametrize("seed", range(SEED, SEED + 10))
def test_through_any_deaths_and_cuts_promises_are_never_contradicted(seed: int) -> None:
    print(f"seed {seed}")
    source = Random(seed)
    stage = Stage(3)
    said: dict[tuple[int, int, bytes], tuple[int, ...]] = {}
    votes = 0
    for _ in range(600):
        stage.run(TICK)
        at = source.randrange(3)
        match source.choice(("kill", "start", "cut", "back", *["claim"] * 8)):
            case "kill" if source.random() < 0.3:
                stage.kill(at)
            case "start" if at not in stage.there:
                stage.cut.discard(at)
                stage.start(at, source.choice([None, stage.former(at)]))
            case "cut" if source.random() < 0.5 and at in stage.there:
                stage.cut.add(at)
            case "back" if at in stage.cut and at in stage.there:
                stage.back(at)
            case "claim" if at in stage.there:
                stage.claim(at, source.randrange(5))
        for table in range(5):
            votes += vote(stage, table, source, said)
    assert votes > 50


def vote(
    stage: Stage, table: int, source: Random, said: dict[tuple[int, int, bytes], tuple[int, ...]]
) -> int:
    """Whoever may speak at ``table`` votes on at some place, as it remembers it; how often."""
    for at in stage.speakers(table):
        if not stage[at].kept(name(table)) or source.random() < 0.5:
            continue
        place = source.randrange(3), bytes(32)
        known = stage[at].promises(name(table)).get(place, ())
        history = (*known, source.randrange(8))
        if len(history) > 8:
            continue
        assert stage[at].promise(name(table), place, history)
        stage.deliver()
        if stage[at].kept(name(table)) and stage[at].speaks(name(table), stage.now):
            before = said.get((table, *place), ())
            assert history[: len(before)] == before
            said[table, *place] = history
            return 1
    return 0
