"""As many simulated games as one likes: ``python -m tests.sim --games 2000 --seed 1``.

Prints a report; exits 1 and names the seeds if any game got stuck, differed or was not good.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.sim.test_games import play, problem


def one(seed: int) -> tuple[int, str | None, Counter[str]]:
    """Play the world of ``seed``: what was wrong with it, and what it went through."""
    try:
        world = play(seed)
    except AssertionError as error:
        return seed, str(error), Counter()
    seen = Counter(world.faults)
    table = world.honest[0].table
    seen["games"] = 1
    seen["steps"] = table.step
    seen["rulings"] = len(table.transcript.rulings)
    seen["seconds"] = int(world.now)
    seen["delivered"] = world.delivered
    return seed, problem(world), seen


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    wanted = parser.parse_args()
    total: Counter[str] = Counter()
    bad: list[int] = []
    with ProcessPoolExecutor() as pool:
        seeds = range(wanted.seed, wanted.seed + wanted.games)
        for seed, wrong, seen in pool.map(one, seeds, chunksize=4):
            total += seen
            if wrong is not None:
                bad.append(seed)
                print(f"seed {seed}: {wrong}", flush=True)
    for name, count in sorted(total.items()):
        print(f"{name}: {count}")
    print(f"bad: {len(bad)} {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
