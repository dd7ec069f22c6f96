"""An endless stream of pseudo-random bytes from a key, and unbiased integers drawn from it.

A seat keeps one secret per table and derives all it needs from it (nonces, keys, permutations), so
that a restarted seat makes the very same contributions again instead of contradicting itself.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Protocol

from net.play.digest import digest


class Source(Protocol):
    """Where random integers come from: a ``Stream``, or a test's own."""

    def take(self, size: int) -> bytes:
        """The next ``size`` bytes."""

    def below(self, bound: int) -> int:
        """An integer from 0 to ``bound`` - 1, each equally likely; ``bound`` is at least 1."""


class Stream:
    """BLAKE2b in counter mode under a 32-byte key.

    Different ``labels`` give independent streams under the same key. Whoever does not know the key
    cannot tell the bytes from random ones.
    """

    def __init__(self, key: bytes, *labels: bytes) -> None:
        self._key = digest(b"farfadet stream", key, *labels)
        self._counter = 0
        self._left = b""

    def take(self, size: int) -> bytes:
        """The next ``size`` bytes of the stream."""
        while len(self._left) < size:
            block = blake2b(self._counter.to_bytes(8, "big"), key=self._key, digest_size=64)
            self._left += block.digest()
            self._counter += 1
        taken, self._left = self._left[:size], self._left[size:]
        return taken

    def below(self, bound: int) -> int:
        """An integer from 0 to ``bound`` - 1 by rejection, so that none is more likely."""
        if bound < 1:
            raise ValueError("bound must be at least 1")
        bits = (bound - 1).bit_length()
        size = (bits + 7) // 8
        mask = (1 << bits) - 1
        while True:
            value = int.from_bytes(self.take(size), "big") & mask
            if value < bound:
                return value

    def permutation(self, count: int) -> list[int]:
        """A permutation of 0 to ``count`` - 1, each equally likely (Fisher-Yates)."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
