"""Times the sealed deck: one shuffle and its proof, a whole set-up, shares. Prints JSON.

Nothing here is asserted: the figures are for reading. Every replica has a memory of its own, so no
check is skipped that a replica on its own machine would make.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

from net.deck import shuffle, sigma
from net.deck.group import EDWARDS, Cipher, Claim
from net.deck.pack import cards
from net.deck.sealed import SealedDeck
from net.deck.verified import Verified
from net.play import wire
from net.play.digest import digest
from net.play.rounds import Gate, Here, Job, Present, Round, Script, Start
from net.play.stream import Stream

CONTEXT = digest(b"bench", b"context")
SECRET = digest(b"bench", b"secret")
TOKENS = (30, 53, 60)
SEATS = (2, 4, 6)


def milliseconds(work: Callable[[], object], times: int = 5) -> dict[str, float]:
    """The best and the median of some runs of ``work``."""
    taken = []
    for _ in range(times):
        begin = perf_counter()
        work()
        taken.append((perf_counter() - begin) * 1000)
    return {"best": round(min(taken), 1), "median": round(median(taken), 1)}


def one_step(count: int) -> dict[str, Any]:
    """What one seat's shuffle of ``count`` tokens costs its maker and each of the others."""
    group, source = EDWARDS, Stream(SECRET, b"step")
    key = group.base(source.below(group.order))
    before = tuple(Cipher(group.generator, group.add(card, key)) for card in cards(group, count))
    order = source.permutation(count)
    exponents = [source.below(group.order) for _ in before]
    shuffle.generators(group, count)
    after = shuffle.reencrypt(group, key, before, order, exponents)
    made = shuffle.prove(group, CONTEXT, key, before, after, order, exponents, SECRET)
    raw = made.write(group)
    points = [point for cipher in after for point in cipher]

    def prove() -> None:
        shuffle.prove(group, CONTEXT, key, before, after, order, exponents, SECRET)

    def verify() -> None:
        proof = shuffle.read_proof(group, count, raw)
        shuffle.verify(group, CONTEXT, key, before, after, proof)

    return {
        "shuffle": milliseconds(lambda: shuffle.reencrypt(group, key, before, order, exponents)),
        "prove": milliseconds(prove),
        "validate points": milliseconds(lambda: [group.decode(point) for point in points]),
        "verify": milliseconds(verify),
        "bytes": len(raw) + sum(map(len, points)),
    }


def shares(count: int) -> dict[str, Any]:
    """What one seat's shares of ``count`` tokens cost to make and to check."""
    group, x = EDWARDS, 123456789
    key = group.base(x)
    points = cards(group, count)
    made, proof = sigma.make_shares(group, CONTEXT, x, key, points, SECRET)
    claims = [Claim(share) for share in made]
    return {
        "make": milliseconds(lambda: sigma.make_shares(group, CONTEXT, x, key, points, SECRET), 20),
        "check": milliseconds(
            lambda: sigma.check_shares(group, CONTEXT, key, points, claims, proof), 20
        ),
        "bytes": len(proof) + sum(map(len, made)),
    }


class Replica:
    """One seat on a machine of its own with two cores: a clock for the loop, one for threads.

    Jobs are run here, one after the other, and what they take is entered into the clocks as if
    every replica had run at the same time: that is the time a table waits, without the network.
    """

    def __init__(self, seats: int, script: Script[Any]) -> None:
        self.seats = seats
        self.script = script
        self.now = 0.0
        self.thread = 0.0
        self.busy = 0.0
        self.worst = 0.0
        self.done: dict[Job, float] = {}

    def spend(self, work: Callable[[], Any]) -> Any:
        """Do ``work`` on the loop's clock."""
        begin = perf_counter()
        result = work()
        taken = perf_counter() - begin
        self.now += taken
        self.busy += taken
        self.worst = max(self.worst, taken)
        return result

    def begin(self, job: Job) -> None:
        """Do ``job`` on the second core, after what it has to do already."""
        if job in self.done:
            return
        begin = perf_counter()
        job.run()
        taken = perf_counter() - begin
        self.busy += taken
        self.thread = max(self.thread, self.now) + taken
        self.done[job] = self.thread

    def make(self, round_: Round, here: Here) -> Any:
        """Our contribution; a job of it runs on the first core, before all else."""
        make = round_.make
        assert make is not None
        made = self.spend(lambda: make(here))
        if isinstance(made, Job):
            begin = perf_counter()
            result = made.run()
            taken = perf_counter() - begin
            self.now += taken
            self.busy += taken
            return result
        return made

    def go_on(self, answer: Any) -> Round | None:
        """Up to the next round; ``None`` at the end."""
        while True:
            try:
                asked = self.spend(partial(self.script.send, answer))
            except StopIteration:
                return None
            if isinstance(asked, Round):
                return asked
            if isinstance(asked, Present):
                answer = dict.fromkeys(range(self.seats))
                continue
            jobs = [job for _, job in asked.jobs]
            for job in jobs:
                self.begin(job)
            if isinstance(asked, Gate):
                self.now = max([self.now, *(self.done[job] for job in jobs)])
            else:
                assert isinstance(asked, Start)
            answer = {}


def set_up(seats: int, count: int) -> dict[str, Any]:
    """A whole shuffle by all seats, each on a machine of its own, on a network that takes no time.

    ``seconds`` is when the last seat is ready to deal; ``busy`` what one seat computes in all;
    ``longest`` the longest that the loop of any seat was held up.
    """
    replicas = []
    for seat in range(seats):
        secret = digest(b"bench", bytes([seat]))
        deck = SealedDeck(bytes(32), seats, seat, secret, EDWARDS, Verified())
        replicas.append(Replica(seats, deck.shuffle(tuple(range(count)))))
    asked = [replica.go_on(None) for replica in replicas]
    step, size, prev = 0, 0, bytes(32)
    while (round_ := asked[0]) is not None:
        here = Here(bytes(32), step, prev)
        bodies: dict[int, Any] = {}
        for seat in round_.seats:
            own = asked[seat]
            assert own is not None
            bodies[seat] = replicas[seat].make(own, here)
            size += len(wire.pack(bodies[seat]))
        said = max(replicas[seat].now for seat in round_.seats)
        step, prev = step + 1, digest(b"bench prev", prev, *map(wire.pack, bodies.values()))
        answers = []
        for replica, each in zip(replicas, asked, strict=True):
            assert each is not None
            check = each.check
            replica.now = max(replica.now, said)
            answers.append(
                {
                    seat: replica.spend(partial(check, here, seat, body))
                    for seat, body in bodies.items()
                }
            )
        asked = [replica.go_on(answer) for replica, answer in zip(replicas, answers, strict=True)]
    return {
        "seconds": round(max(replica.now for replica in replicas), 3),
        "busy": round(max(replica.busy for replica in replicas), 3),
        "longest": round(max(replica.worst for replica in replicas), 4),
        "bytes": size,
    }


def together(seats: int, count: int) -> dict[str, Any]:
    """The same in one process that has one memory of checks, as when playing against bots."""
    verified = Verified()
    begin = perf_counter()
    scripts = [
        SealedDeck(
            bytes(32), seats, seat, digest(b"bench", bytes([seat])), EDWARDS, verified
        ).shuffle(tuple(range(count)))
        for seat in range(seats)
    ]
    with ThreadPoolExecutor() as threads:
        running: list[dict[Job, Future[Any]]] = [{} for _ in scripts]

        def go_on(at: int, answer: Any) -> Round | None:
            while True:
                try:
                    asked = scripts[at].send(answer)
                except StopIteration:
                    return None
                if isinstance(asked, Round):
                    return asked
                if isinstance(asked, Present):
                    answer = dict.fromkeys(range(seats))
                    continue
                for _, job in asked.jobs:
                    if job not in running[at]:
                        running[at][job] = threads.submit(job.run)
                if isinstance(asked, Gate):
                    for _, job in asked.jobs:
                        running[at][job].result()
                answer = {}

        rounds = [go_on(at, None) for at in range(seats)]
        step = 0
        while (first := rounds[0]) is not None:
            here = Here(bytes(32), step, digest(b"bench prev", bytes([step])))
            bodies = {}
            for seat in first.seats:
                own = rounds[seat]
                assert own is not None
                assert own.make is not None
                made = own.make(here)
                bodies[seat] = threads.submit(made.run).result() if isinstance(made, Job) else made
            step += 1
            parsed = [
                {seat: each.check(here, seat, body) for seat, body in bodies.items()}
                for each in rounds
                if each is not None
            ]
            rounds = [go_on(at, answer) for at, answer in enumerate(parsed)]
    return {"seconds": round(perf_counter() - begin, 3)}


def figures() -> dict[str, Any]:
    """All figures: milliseconds unless their name says otherwise."""
    return {
        "one step": {str(count): one_step(count) for count in TOKENS},
        "set-up of 53": {f"{seats} seats": set_up(seats, 53) for seats in SEATS},
        "set-up of 53 in one process": {f"{seats} seats": together(seats, 53) for seats in SEATS},
        "shares": {str(count): shares(count) for count in (1, 5, 60)},
    }


if __name__ == "__main__":
    print(json.dumps(figures(), indent=1))
