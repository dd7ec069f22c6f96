"""Remembers which checks have succeeded, so that replicas in one process check a proof once.

When several seats of a table live in one process (a game against bots, a simulated table), each
replica is asked to check the very same bytes. Skipping a repeated check is sound because of what
may be remembered: a *pure* check that depends on nothing but the hashed parts of its key. The key
is a collision-resistant hash of the check's name, the group, and its complete input, the place in
the game included, so an entry says "this function has accepted these bytes" and answering from it
is the same as running it again. Only successes are kept; a refused proof is refused anew each time.
The memory is bounded: forgetting costs time, never truth.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock

from net.play.digest import digest


class Verified:
    """The last ``size`` checks that succeeded. Safe to use from several threads.

    Of several threads that bring the same check at the same time, one runs it and the others wait
    for it.
    """

    def __init__(self, size: int = 1 << 14) -> None:
        self._size = size
        self._done: OrderedDict[bytes, None] = OrderedDict()
        self._running: dict[bytes, Lock] = {}
        self._guard = Lock()
        self.learned: Callable[[bytes], None] = lambda key: None
        """Called with the key of each check that has succeeded, from the thread that ran it."""

    def know(self, keys: Iterable[bytes]) -> None:
        """Take it from our own earlier self, before a crash, that these checks have succeeded."""
        with self._guard:
            for key in keys:
                self._keep(key)

    def once(self, name: bytes, parts: tuple[bytes, ...], check: Callable[[], None]) -> None:
        """Run ``check`` unless it has succeeded before; what it raises is passed on.

        ``name`` and ``parts`` must hold everything that ``check`` depends on.
        """
        key = digest(b"farfadet done", name, *parts)
        with self._guard:
            if self._knows(key):
                return
            lock = self._running.setdefault(key, Lock())
        with lock:
            with self._guard:
                if self._knows(key):
                    return
            try:
                check()
                with self._guard:
                    self._keep(key)
                self.learned(key)
            finally:
                with self._guard:
                    self._running.pop(key, None)

    def _keep(self, key: bytes) -> None:
        self._done[key] = None
        while len(self._done) > self._size:
            self._done.popitem(last=False)

    def _knows(self, key: bytes) -> bool:
        if key not in self._done:
            return False
        self._done.move_to_end(key)
        return True
