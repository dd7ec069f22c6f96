"""Runs the benches named (all of them, if none is) and prints one JSON object: ``make bench``."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from importlib import import_module

BENCHES = ("rules", "deck", "broker", "table", "journal", "referee", "cluster", "ssh", "terminal")


def main() -> int:
    """Narrate on stderr, print the figures on stdout."""
    wanted = sys.argv[1:] or list(BENCHES)
    if unknown := [name for name in wanted if name not in BENCHES]:
        print(f"no bench {unknown[0]!r}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    found = {}
    for name in wanted:
        print(f"{name} ...", file=sys.stderr, flush=True)
        figures = import_module(f"tests.bench.{name}").figures
        found[name] = asyncio.run(figures()) if inspect.iscoroutinefunction(figures) else figures()
    print(json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
