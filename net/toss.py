"""A deck by coin tosses: every opening is drawn from the rest by all seats together.

Nobody knows or chooses what comes next, since every seat adds 32 bytes it committed to before it
saw the others'. It can open, but not deal to one seat alone.
"""

from __future__ import annotations

from typing import Any

from net.digest import SIZE, digest
from net.rounds import Fault, Here, Round, Script
from net.stream import Stream
from rules.game import Face, Seat, Slot


class TossDeck:
    """The slots of a table and the faces opened so far."""

    def __init__(self, seats: int, me: Seat | None, secret: bytes | None) -> None:
        self.sight: dict[Slot, Face] = {}
        self._seats = tuple(range(seats))
        self._me = me
        self._secret = secret
        self._next: Slot = 0
        self._rest: dict[Slot, list[Face]] = {}

    def shuffle(self, faces: tuple[Face, ...]) -> Script[tuple[Slot, ...]]:
        """Nothing to be said: the order is made as it is opened."""
        slots = tuple(range(self._next, self._next + len(faces)))
        self._next += len(faces)
        rest = sorted(faces)
        self._rest.update((slot, rest) for slot in slots)
        return slots
        yield

    def open(self, slots: tuple[Slot, ...]) -> Script[tuple[tuple[Slot, Face], ...]]:
        """Two rounds: every seat commits to a seed, then shows it; their hash draws the faces."""

        def seed(here: Here) -> bytes:
            assert self._secret is not None
            return Stream(self._secret, b"toss", number_of(here)).take(SIZE)

        def number_of(here: Here) -> bytes:
            return digest(b"farfadet toss", here.table, *map(bytes, [[s % 256] for s in slots]))

        def sized(_: Here, seat: Seat, body: Any) -> bytes:
            if not isinstance(body, bytes) or len(body) != SIZE:
                raise Fault("bad-toss")
            return body

        hashes = yield Round(
            "toss", self._seats, lambda here: digest(b"farfadet seed", seed(here)), sized
        )

        def shown(here: Here, seat: Seat, body: Any) -> bytes:
            if digest(b"farfadet seed", sized(here, seat, body)) != hashes[seat]:
                raise Fault("toss-mismatch")
            return bytes(body)

        seeds = yield Round("seed", self._seats, seed, shown)
        source = Stream(digest(b"farfadet draw", *seeds.values()))
        opened = []
        for slot in slots:
            rest = self._rest.pop(slot)
            face = rest.pop(source.below(len(rest)))
            self.sight[slot] = face
            opened.append((slot, face))
        return tuple(opened)

    def deal(self, slots: tuple[Slot, ...], to: Seat) -> Script[None]:
        """Not possible with coin tosses."""
        raise NotImplementedError
        yield
