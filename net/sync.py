"""Catching up: peers tell each other how far they are and hand over what is missing.

Nothing depends on the broker remembering or even delivering: when a step has not closed for two
seconds, and at once after a reconnection, a peer publishes its *head* (the open step, and whose
messages of it are here).
Whoever has more answers with the messages themselves, which prove their own origin. Time is passed
in, in seconds of any clock that only goes forward.
"""

from __future__ import annotations

from dataclasses import dataclass

from net.table import Table
from net.wire import LONGEST, SIGNATURE, Refusal, pack, signed, unpack
from rules.game import Seat

HEAD_EVERY = 2.0
"""Seconds a step is open before a head is published, and between that and the next."""

ANSWER_EVERY = 0.2
"""Seconds that must pass before the same seat is answered again."""

AWAY_AFTER = 4 * HEAD_EVERY
"""Seconds of silence after which a seat is said to be away."""

DOMAIN = b"farfadet/1 head\0"
PAST = 4
"""Steps that are shown again to a seat whose past differs from ours."""
CHUNKS = 4
"""Most payloads for that: each step can hold a shuffle, or a share from every seat."""


@dataclass(frozen=True, slots=True)
class Head:
    """How far ``seat`` is: its open ``step``, the seats it ``holds`` there, whom it asks."""

    seat: Seat
    step: int
    holds: frozenset[Seat]
    asks: Seat


class Sync:
    """One peer's part in keeping all replicas of ``table`` up to date."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._others = tuple(s for s in range(len(table.charter.chairs)) if s != table.me)
        self._due = 0.0
        self._step = -1
        self._sent = 0
        self._answered: dict[Seat, float] = {}
        self._heads: dict[Seat, int] = {}
        self._heard: dict[Seat, float] = {}
        self._quiet = -1
        """The step since whose opening silence is measured."""

    def away(self, now: float) -> frozenset[Seat]:
        """The other seats that have said nothing for a while, though the same step is open."""
        if self._table.over or self._table.step != self._quiet:
            self._quiet = self._table.step
            self._heard = dict.fromkeys(self._others, now)
        return frozenset(s for s in self._others if now - self._heard[s] > AWAY_AFTER)

    def meet_again(self) -> None:
        """Our own link was down: nobody is away before there was time to hear them."""
        self._quiet = -1

    @property
    def all_done(self) -> bool:
        """Whether the game is over and every other seat is known to have seen its end."""
        return self._table.over and all(
            self._heads.get(seat, 0) >= self._table.step for seat in self._others
        )

    def hurry(self) -> None:
        """Publish the head at the next tick: the link is new, or something is amiss."""
        self._due = 0.0
        self._step = self._table.step

    def tick(self, now: float) -> list[bytes]:
        """What to publish now."""
        if self._table.player is None:
            return []
        if self._table.diverged:
            self._table.diverged.clear()
            past = max(0, self._table.step - PAST)
            return self._bundles(past, frozenset(), most=CHUNKS)
        if self._table.step != self._step and not self._table.over:
            self._step = self._table.step
            self._due = now + HEAD_EVERY
        if now < self._due:
            return []
        self._due = now + HEAD_EVERY
        return [self.head()]

    def head(self) -> bytes:
        """Our head, signed. Each one asks another seat, so that a deaf one does no harm."""
        table = self._table
        assert table.player is not None
        asks = self._others[self._sent % len(self._others)]
        self._sent += 1
        holds = sum(1 << seat for seat in table.held())
        raw = pack([table.table, table.player.seat, table.step, holds, asks])
        return raw + table.player.key.sign(DOMAIN + raw).signature

    def receive(self, data: bytes, now: float) -> list[bytes]:
        """Take what another peer published; the answer, if it is ours to give."""
        try:
            head = self._read(data)
        except Refusal:
            self._take_bundle(data)
            return []
        return self._answer(head, now)

    def _read(self, data: bytes) -> Head:
        match unpack(data[:-SIGNATURE]):
            case [bytes(table), int(seat), int(step), int(holds), int(asks)] if (
                table == self._table.table
                and 0 <= seat < len(self._table.charter.chairs)
                and step >= 0
                and signed(
                    self._table.charter.chairs[seat].key,
                    DOMAIN + data[:-SIGNATURE],
                    data[-SIGNATURE:],
                )
            ):
                held = frozenset(s for s in range(64) if holds >> s & 1)
                return Head(seat, step, held, asks)
        raise Refusal("head")

    def _answer(self, head: Head, now: float) -> list[bytes]:
        table = self._table
        if head.seat == table.me or table.player is None:
            return []
        self._heard[head.seat] = now
        self._heads[head.seat] = max(head.step, self._heads.get(head.seat, 0))
        if head.step > table.step:
            self._due = min(self._due, now + ANSWER_EVERY)
            return []
        if now - self._answered.get(head.seat, -ANSWER_EVERY) < ANSWER_EVERY:
            return []
        bundles = self._bundles(head.step, head.holds, asked=head.asks == table.me)
        if bundles:
            self._answered[head.seat] = now
        return bundles

    def _bundles(
        self, step: int, without: frozenset[Seat], *, asked: bool = True, most: int = 1
    ) -> list[bytes]:
        """The first messages that are missing, in ``most`` payloads; only ours if not ``asked``."""
        table = self._table
        bundles: list[list[bytes]] = []
        size = LONGEST
        for message in table.since(step, without):
            if not asked and message.seat != table.me:
                continue
            size += len(message.data) + 5
            if size > LONGEST - 100:
                if len(bundles) == most:
                    break
                bundles.append([])
                size = len(message.data) + 5
            bundles[-1].append(message.data)
        return [pack(bundle) for bundle in bundles]

    def _take_bundle(self, data: bytes) -> None:
        try:
            bundle = unpack(data)
        except Refusal:
            return
        if isinstance(bundle, list):
            for item in bundle:
                if isinstance(item, bytes):
                    self._table.receive(item)
