"""As many simulated games as one likes: ``python -m tests.sim --games 2000 --seed 1``.

With ``--toy``, decks are sealed in a group of small numbers: everything but the
strength of the cards' secrecy is as it is, in a fraction of the time.

Prints a report, also when it is interrupted or told to end; exits 1 and names the seeds if any game
got stuck, differed or was not good.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial

from tests.sim.nodes import small_numbers
from tests.sim.test_games import play, problem


def one(seed: int, toy: bool) -> tuple[int, str | None, Counter[str]]:
    """Play the world of ``seed``: what was wrong with it, and what it went through."""
    try:
        with small_numbers() if toy else nullcontext():
            world = play(seed)
            wrong = problem(world)
    except Exception as error:
        return seed, repr(error), Counter()
    seen = Counter(world.faults)
    table = world.honest[0].table
    seen["games"] = 1
    seen["steps"] = table.step
    seen["rulings"] = len(table.transcript.rulings)
    seen["seconds"] = int(world.now)
    seen["delivered"] = world.delivered
    return seed, wrong, seen


def deaf() -> None:
    """A worker goes on with its game until the pool ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so long")
    parser.add_argument("--toy", action="store_true", help="small numbers instead of the curve")
    wanted = parser.parse_args()
    end = time.monotonic() + 60 * wanted.minutes
    total: Counter[str] = Counter()
    bad: list[int] = []
    # Our workers must not die of what we are told: they are told to end by the pool.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ProcessPoolExecutor(initializer=deaf) as pool:
        seeds = range(wanted.seed, wanted.seed + wanted.games)
        try:
            for seed, wrong, seen in pool.map(partial(one, toy=wanted.toy), seeds, chunksize=4):
                total += seen
                if wrong is not None:
                    bad.append(seed)
                    print(f"seed {seed}: {wrong}", flush=True)
                if time.monotonic() > end:
                    break
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        pool.shutdown(wait=False, cancel_futures=True)
    for name, count in sorted(total.items()):
        print(f"{name}: {count}")
    print(f"bad: {len(bad)} {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
