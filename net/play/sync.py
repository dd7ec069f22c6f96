"""Catching up: peers tell each other how far they are and hand over what is missing.

Nothing depends on the broker remembering or even delivering: when a step has not closed for two
seconds, and at once after a reconnection, a peer publishes its *head* (the open step, the hash of
what came before it, and whose messages of it are here). Whoever has more answers with the messages
themselves, which prove their own origin, one payload to a head: who has taken it in asks on. Time
is passed in, in seconds of any clock that only goes forward.
"""

from __future__ import annotations

from dataclasses import dataclass

from net.meeting.seating import room_of
from net.play.charter import Charter, read_charter
from net.play.digest import SIZE
from net.play.table import Table
from net.play.wire import LONGEST, SIGNATURE, Refusal, pack, parse, signed, states, unpack
from rules.game import Seat

HEAD_EVERY = 2.0
"""Seconds a step is open before a head is published, and between that and the next."""

ANSWER_EVERY = 0.2
"""Seconds that must pass before the same seat is answered again."""

AWAY_AFTER = 4 * HEAD_EVERY
"""Seconds of silence after which a seat is said to be away."""

DOMAIN = b"farfadet/1 head\0"
OVER = b"farfadet/1 over\0"
WHAT_TABLE = pack(["charter?"])
"""What a newcomer asks who does not know the charter."""
INTRODUCTION = "charter"
PAST = 4
"""Steps that are shown again to a seat whose past differs from ours."""
CHUNKS = 4
"""Most payloads for that: each step can hold a shuffle, or a share from every seat."""


OUTSIDER = 63
"""The seat in the head of somebody who only follows; nobody signs it. To ask it is to ask them."""


@dataclass(frozen=True, slots=True)
class Head:
    """How far ``seat`` is: its open ``step``, what came before, whose messages it has there.

    ``prev`` is the hash of all before; ``asks`` is the member it wants to be answered by.
    """

    seat: Seat
    step: int
    prev: bytes
    holds: frozenset[Seat]
    asks: Seat


class Sync:
    """One peer's part in keeping all replicas of ``table`` up to date."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._others = tuple(sorted(table.roster.members - {table.me}))
        self._due = 0.0
        self._step = -1
        self._sent = 0
        self._stuck = -1, 0
        """The open step, and how many heads we have published since it is."""
        self._introduced = -HEAD_EVERY
        self._answered: dict[Seat, float] = {}
        self._heads: dict[Seat, int] = {}
        self._heard: dict[Seat, float] = {}
        self._now = 0.0
        self._behind = -2 * HEAD_EVERY
        """When somebody without a seat was last heard who had not seen all that we have."""
        self._quiet = -1
        """The step since whose opening silence is measured."""

    def away(self, now: float) -> frozenset[Seat]:
        """The other members that have said nothing for a while, though the same step is open."""
        if self._table.over or self._table.step != self._quiet:
            self._quiet = self._table.step
            self._heard = dict.fromkeys(self._others, now)
        return frozenset(s for s in self._others if now - self._heard[s] > AWAY_AFTER)

    def meet_again(self) -> None:
        """Our own link was down: nobody is away before there was time to hear them."""
        self._quiet = -1

    def met(self, member: Seat) -> bool:
        """Whether ``member`` has said how far it is, ever since we are here."""
        return member in self._heads

    @property
    def furthest(self) -> int:
        """The highest step that a member has said to be open for it."""
        return max(self._heads.values(), default=0)

    @property
    def all_done(self) -> bool:
        """Whether the game is over and everybody who is there is known to have seen its end."""
        there = self._table.roster.present - {self._table.me}
        return (
            self._table.over
            and all(self._heads.get(seat, 0) >= self._table.step for seat in there)
            and self._now - self._behind > HEAD_EVERY + ANSWER_EVERY
        )

    def hurry(self) -> None:
        """Publish the head at the next tick: the link is new, or something is amiss."""
        self._due = 0.0
        self._step = self._table.step

    def tick(self, now: float) -> list[bytes]:
        """What to publish now."""
        self._now = now
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
        """Our head, signed. Each one asks another member, so that a deaf one does no harm.

        When all have been asked in vain, somebody who looks on may know more.
        """
        table, player = self._table, self._table.player
        there = [member for member in self._others if member in table.roster.present]
        if self._stuck[0] != table.step:
            self._stuck = table.step, 0
        elif self._stuck[1] >= len(there):
            there.append(OUTSIDER)
        self._stuck = table.step, self._stuck[1] + 1
        asks = there[self._sent % len(there)] if there else OUTSIDER
        self._sent += 1
        holds = sum(1 << seat for seat in table.held())
        seat = OUTSIDER if player is None else player.seat
        raw = pack([table.table, seat, table.step, table.transcript.head, holds, asks])
        return raw + (player.key.sign(DOMAIN + raw).signature if player else bytes(SIGNATURE))

    def receive(self, data: bytes, now: float) -> list[bytes]:
        """Take what another peer published; the answer, if it is ours to give."""
        if data == WHAT_TABLE:
            return self._introduce(now)
        try:
            head = self._read(data)
        except Refusal:
            step = self._table.step
            self._take_bundle(data)
            if self._table.step > step:
                # There may be more where this came from: one payload is handed over at a time.
                self._due = min(self._due, now + ANSWER_EVERY)
                self._sent = max(0, self._sent - 1)
            return []
        return self._answer(head, now)

    def _introduce(self, now: float) -> list[bytes]:
        """Tell a newcomer what is played here, with the host's signature under it."""
        steps = self._table.transcript.steps
        if not steps or now - self._introduced < HEAD_EVERY / 2:
            return []
        self._introduced = now
        told: list[object] = [INTRODUCTION, self._table.charter.data(), steps[0][0]]
        table, player = self._table, self._table.player
        if player is not None and (table.over or table.blame is not None):
            told += [player.seat, player.key.sign(OVER + table.table).signature]
        return [pack(told)]

    def _read(self, data: bytes) -> Head:
        keys = self._table.charter.keys
        match unpack(data[:-SIGNATURE]):
            case [bytes(table), int(seat), int(step), bytes(prev), int(holds), int(asks)] if (
                table == self._table.table
                and (0 <= seat < len(keys) or seat == OUTSIDER)
                and step >= 0
                and len(prev) == SIZE
            ):
                if seat == OUTSIDER or states(keys[seat], DOMAIN, data):
                    held = frozenset(s for s in range(64) if holds >> s & 1)
                    return Head(seat, step, prev, held, asks)
        raise Refusal("head")

    def _answer(self, head: Head, now: float) -> list[bytes]:
        table = self._table
        me = OUTSIDER if table.me is None else table.me
        if head.seat == me:
            return []
        if head.step >= table.step:
            # Who is stuck in an earlier step is of no more help than who is silent.
            self._heard[head.seat] = now
        if head.seat != OUTSIDER:
            table.passed(head.seat, head.step)
        elif head.step < table.step:
            self._behind = now
        self._heads[head.seat] = max(head.step, self._heads.get(head.seat, 0))
        if head.step > table.step:
            self._due = min(self._due, now + ANSWER_EVERY)
            return []
        if now - self._answered.get(head.seat, -ANSWER_EVERY) < ANSWER_EVERY:
            return []
        step, holds = self._parting(head)
        bundles = self._bundles(step, holds, asked=head.asks == me)
        if bundles:
            self._answered[head.seat] = now
        return bundles

    def _parting(self, head: Head) -> tuple[int, frozenset[Seat]]:
        """From where on the other needs to be told, and whose messages of that step it has.

        Somebody who was cut off may have gone on without the others: up to a step in which it was
        ruled absent, or, if it has no vote, in which anybody was.
        """
        transcript = self._table.transcript
        if head.prev == transcript.head_at(head.step):
            return head.step, head.holds
        forks = [
            step
            for step, ruling in transcript.rulings.items()
            if step < head.step and (head.seat in ruling.absent or head.seat == OUTSIDER)
        ]
        return max(forks, default=max(0, head.step - PAST)), frozenset()

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


def introduced(data: bytes, room: str) -> Charter:
    """The charter of the game in ``room``, from the answer to ``WHAT_TABLE``.

    Raises ``Refusal`` unless the host of the room has signed it.
    """
    match unpack(data):
        case [str(word), bytes(charter), bytes(sign), *_] if word == INTRODUCTION:
            found, message = read_charter(charter), parse(sign)
            host = found.chairs[0].key if found.chairs else b""
            if (
                room_of(host) == found.room == room
                and (message.table, message.seat, message.step) == (found.table, 0, 0)
                and message.signed_by(host)
            ):
                return found
    raise Refusal("introduction")


def ended(data: bytes, charter: Charter) -> bool:
    """Whether that answer also says, signed by a member, that the game of ``charter`` is over."""
    match unpack(data):
        case [_, _, _, int(member), bytes(signature)] if 0 <= member < len(charter.keys):
            return signed(charter.keys[member], OVER + charter.table, signature)
    return False
