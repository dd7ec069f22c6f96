"""The memory of checks: it repeats only what has succeeded, of the same everything, and forgets."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest

from net.deck.verified import Verified
from net.play.rounds import Fault


class Check:
    """Counts how often it is run; refuses as long as it is told to."""

    def __init__(self, refuse: bool = False) -> None:
        self.runs = 0
        self.refuse = refuse

    def __call__(self) -> None:
        """Run once more."""
        self.runs += 1
        if self.refuse:
            raise Fault("no")


def test_a_check_that_succeeded_is_not_run_again() -> None:
    verified, check = Verified(), Check()
    for _ in range(3):
        verified.once(b"kind", (b"a", b"b"), check)
    assert check.runs == 1


def test_any_other_name_or_part_is_another_check() -> None:
    verified, check = Verified(), Check()
    calls = [
        (b"k", (b"a", b"b")),
        (b"l", (b"a", b"b")),
        (b"k", (b"ab",)),
        (b"k", (b"a", b"b", b"")),
    ]
    for name, parts in calls:
        verified.once(name, parts, check)
    assert check.runs == len(calls)


def test_a_refusal_is_found_anew_each_time() -> None:
    verified, check = Verified(), Check(refuse=True)
    for _ in range(2):
        with pytest.raises(Fault):
            verified.once(b"k", (b"a",), check)
    check.refuse = False
    verified.once(b"k", (b"a",), check)
    verified.once(b"k", (b"a",), check)
    assert check.runs == 3


def test_it_forgets_what_was_not_asked_for_longest() -> None:
    verified, first, other = Verified(2), Check(), Check()
    verified.once(b"k", (b"1",), first)
    verified.once(b"k", (b"2",), other)
    verified.once(b"k", (b"1",), first)
    verified.once(b"k", (b"3",), other)
    verified.once(b"k", (b"1",), first)
    assert first.runs == 1
    verified.once(b"k", (b"2",), other)
    assert other.runs == 3
    assert len(verified._done) == 2
    assert verified._running == {}


def test_of_threads_with_the_same_check_one_runs_it_and_the_others_wait() -> None:
    verified, check = Verified(), Check()
    barrier = Barrier(4)
    done: list[int] = []

    def work() -> None:
        barrier.wait()
        verified.once(b"k", (b"a",), check)
        done.append(check.runs)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [1, 1, 1, 1]
