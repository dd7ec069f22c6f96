"""Which of the processes that share a referee's key speaks at which table. No I/O, no clock.

Each process tells the others that it is there (``net/referee/beats.py``) and what it has claimed
(``net/referee/claim.py``). A table is claimed by one of them, in an order on which all agree; the
tables of who falls silent are taken over in the same order, with a higher term. Two claims of one
table are told apart by everybody in the same way, so one of two that claim at once gives up.

What keeps two of them from contradicting each other does not depend on clocks. Who speaks
*promises* each vote, in its claim, and says nothing before it has heard that claim come back from
the broker. A broker gives all its clients the same order. So who has been replaced hears that
before its promise comes back, and who replaces it has heard all promises that came back before.
Where that order fails (a cluster, messages that are lost), time helps: nobody speaks before its
claim has settled, and who does not hear itself falls silent well before others take its tables;
whoever knows of a promise that a newer claim does not repeat says so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from net.play.votes import Place
from net.play.wire import Refusal
from net.referee.beats import LEASE, NEVER, SETTLE, Beats
from net.referee.claim import (
    MOST_PLACES,
    MOST_TABLES,
    Ask,
    Beat,
    Claim,
    Promises,
    Seal,
    Word,
    fits,
    merged,
    weight,
)

TURN = 3.0
"""Seconds that each process leaves to the one whose turn is before its own."""


@dataclass(frozen=True, slots=True)
class Taken:
    """We have claimed a table that another process, or an earlier one of ours, had claimed."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class Lost:
    """What we had claimed belongs to ``by`` now: not another word there."""

    claim: Claim
    by: bytes


@dataclass(frozen=True, slots=True)
class Learned:
    """There are promises at ``table`` that we had not known of when we claimed it."""

    table: bytes


Change: TypeAlias = Taken | Lost | Learned


@dataclass(slots=True)
class _Own:
    claim: Claim
    after: bytes | None
    """The other process that held it before."""
    wait: float
    """Seconds that it has to settle."""
    heard: int = -1
    """The newest version that has come back to us."""
    since: float = -NEVER
    """When it first came back."""
    rival: float = NEVER
    """When another claim of the same term was last heard: its holder may not know of ours."""
    doubted: bool = False
    """Somebody holds something else to be true: it is to be published again."""


class Claims:
    """What the process ``instance`` knows of its claims, and of those of others, behind ``seal``.

    ``former`` is the name of the process that had our record before us: it is dead. At most
    ``most`` tables are held.
    """

    def __init__(self, seal: Seal, instance: bytes, former: bytes | None, most: int) -> None:
        self.outbox: deque[tuple[str, bytes, bool]] = deque()
        """What is to be published: topic, payload, and whether it is retained."""
        self.changes: deque[Change] = deque()
        """What has become of claims, to be acted on."""
        self.beats = Beats(instance, former)
        self._seal = seal
        self._instance = instance
        self._most = min(most, MOST_TABLES)
        self._own: dict[bytes, _Own] = {}
        self._known: dict[bytes, Claim] = {}
        """The latest claims of others."""
        self._missing: dict[bytes, frozenset[bytes]] = {}
        """By process: what it has claimed and did not hold in its last sign of life."""
        self._orphaned: dict[bytes, float] = {}
        """Since when nobody who lives has held a table."""
        self._retained: set[bytes] = set()
        """The tables whose claims our transport says again whenever the link comes up."""
        self._stale = False
        """Whether it may have put old ones in the place of new ones."""

    # What may be done now.

    def speaks(self, table: bytes, now: float) -> bool:
        """Whether it is us, and nobody else, who may say something at ``table``."""
        own = self._own.get(table)
        return (
            own is not None
            and self.beats.steady(now)
            and now >= own.since + own.wait
            and now >= own.rival + LEASE
        )

    def kept(self, table: bytes) -> bool:
        """Whether all that we have promised at ``table`` has come back to us."""
        own = self._own.get(table)
        return own is not None and own.heard >= own.claim.version

    def holds(self, table: bytes) -> bool:
        """Whether the latest claim of ``table`` is ours."""
        return table in self._own

    def promises(self, table: bytes) -> Promises:
        """All that is promised at ``table``, which we hold."""
        return self._own[table].claim.promises

    def inherited(self, table: bytes) -> bool:
        """Whether another process may have spoken at ``table``, which we hold, before us."""
        return self._own[table].after is not None

    def holder(self, table: bytes) -> bytes | None:
        """The other process that has claimed ``table``, dead or alive."""
        return next((name for name in self._holders(table) if name != self.beats.former), None)

    def taken(self, room: str, now: float) -> bool:
        """Whether the table in ``room`` is claimed by another process that is there."""
        known = (claim for claim in self._known.values() if claim.room == room)
        return any(self.beats.lives(claim.holder, now) for claim in known)

    def turn(self, room: str, waited: float, now: float) -> bool:
        """Whether it is our turn to claim what is in ``room``, after it has ``waited`` so long."""
        if not self.beats.steady(now) or len(self._own) >= self._most:
            return False
        ours = weight(room, self._instance)
        before = sum(weight(room, rival) > ours for rival in self.beats.rivals(now))
        return waited >= before * TURN

    # What we do.

    def claim(self, table: bytes, room: str, key: bytes, now: float) -> bool:
        """Claim a table, unless another process that is there has; whether we have it now.

        Who is not ``steady`` cannot know.
        """
        if table in self._own:
            return True
        if not self.beats.steady(now) or any(
            self.beats.lives(name, now) for name in self._holders(table)
        ):
            return False
        after = self.holder(table)
        known = self._known.pop(table, None)
        terms = [term for _, term in self.beats.holds(table)]
        term = 1 + max((0 if known is None else known.term, *terms))
        promises = {} if known is None else known.promises
        claim = Claim(table, room, key, term, self._instance, 0, promises)
        self._orphaned.pop(table, None)
        self._own[table] = _Own(claim, after, SETTLE if self.beats.living(now) else 0.0)
        self._publish(claim)
        return True

    def promise(self, table: bytes, place: Place, history: tuple[int, ...]) -> bool:
        """Promise a vote; whether it may be said, once it is ``kept``.

        It may not if something else has been promised at this place, or at too many others.
        """
        own = self._own.get(table)
        if own is None:
            return False
        known = own.claim.promises.get(place, ())
        if not fits(history, known):
            return False
        if len(history) > len(known):
            if not known and len(own.claim.promises) >= MOST_PLACES:
                return False
            self._add(own, {**own.claim.promises, place: history})
        return True

    def release(self, table: bytes) -> None:
        """There is nothing to be said at ``table`` any more."""
        if self._own.pop(table, None) is not None:
            self._forget(table)

    def tell(self, table: bytes, room: str, key: bytes, promises: Promises) -> None:
        """We have promised this at ``table`` once, but another process has claimed it."""
        self._say(Claim(table, room, key, 0, self._instance, 0, promises))

    def leave(self) -> None:
        """Let the others take our tables at once; we have said our last word everywhere."""
        self._beat(NEVER, leaves=True)
        self.beats.up = False

    # What happens.

    def link(self, up: bool, now: float) -> None:
        """The link is up, or lost."""
        self.beats.link(up, now)
        self._stale |= up

    def tick(self, now: float) -> None:
        """Look at the clock, some times a second."""
        if not self.beats.up:
            return
        if now >= self.beats.due:
            for own in self._own.values():
                if own.doubted:
                    own.doubted = False
                    self._publish(own.claim)
            self._beat(now)
        if self.beats.steady(now):
            self._refresh()
            self._take_over(now)

    def hear(self, data: bytes, now: float) -> None:
        """Take what has been said, also by us."""
        try:
            word = self._seal.open(data)
        except Refusal:
            return
        match word:
            case Claim():
                self._hear_claim(word, now)
            case Beat():
                self._hear_beat(word, now)
            case Ask(tables):
                for table in tables:
                    if table in self._own:
                        self._own[table].doubted = True
                        self.beats.due = now

    # Within.

    def _holders(self, table: bytes) -> Iterator[bytes]:
        """The processes that have said they hold ``table``, the latest claim's first."""
        if table in self._known:
            yield self._known[table].holder
        yield from (name for name, _ in self.beats.holds(table))

    def _say(self, word: Word, *, retain: bool = False) -> None:
        topic = self._seal.topic(word, self._instance)
        self.outbox.append((topic, self._seal.close(word), retain))

    def _publish(self, claim: Claim) -> None:
        self._retained.add(claim.table)
        self._say(claim, retain=True)

    def _refresh(self) -> None:
        """Let the broker remember the claims of now, where it was told old ones of ours again."""
        if self._stale:
            self._stale = False
            for table in self._retained - self._own.keys():
                if table in self._known:
                    self._publish(self._known[table])
                else:
                    self._forget(table)

    def _forget(self, table: bytes) -> None:
        self._retained.discard(table)
        self.outbox.append((self._seal.place(table), b"", True))

    def _beat(self, now: float, *, leaves: bool = False) -> None:
        holds = {
            table: (own.claim.term, own.claim.version) for table, own in sorted(self._own.items())
        }
        self._say(self.beats.give(len(holds) < self._most, holds, now, leaves=leaves))

    def _add(self, own: _Own, promises: Promises) -> None:
        own.claim = replace(own.claim, version=own.claim.version + 1, promises=promises)
        self._publish(own.claim)

    def _lose(self, own: _Own, by: bytes) -> None:
        del self._own[own.claim.table]
        self.changes.append(Lost(own.claim, by))

    def _take_over(self, now: float) -> None:
        for table, claim in tuple(self._known.items()):
            if self.beats.lives(claim.holder, now):
                self._orphaned.pop(table, None)
                continue
            since = self._orphaned.setdefault(table, now)
            if self.turn(claim.room, now - since, now) and self.claim(
                table, claim.room, claim.key, now
            ):
                self.changes.append(Taken(self._own[table].claim))

    def _hear_claim(self, claim: Claim, now: float) -> None:
        own = self._own.get(claim.table)
        if claim.holder == self._instance:
            if own is not None and own.claim.term == claim.term:
                own.heard = max(own.heard, claim.version)
                own.since = min(own.since, now)
            return
        self.beats.meet(claim.holder, now)
        known = self._known.get(claim.table) if own is None else own.claim
        if known is None:
            self._known[claim.table] = claim
        elif claim.rank > known.rank:
            both = merged(claim.promises, known.promises)
            self._known[claim.table] = replace(claim, promises=both)
            if both != claim.promises:
                self._say(known)
            if own is not None:
                self._lose(own, claim.holder)
        else:
            both = merged(known.promises, claim.promises)
            if own is None:
                self._known[claim.table] = replace(known, promises=both)
                if claim.rank < known.rank and not self.beats.lives(known.holder, now):
                    self._say(self._known[claim.table])
                return
            own.doubted = True
            if claim.term == own.claim.term:
                own.rival = now
            if both != known.promises:
                self._add(own, both)
                self.changes.append(Learned(claim.table))

    def _hear_beat(self, beat: Beat, now: float) -> None:
        before = self.beats.take(beat, now)
        if before is None:
            return
        unknown = tuple(self._unknown(beat))
        if unknown and not beat.leaves:
            self._say(Ask(unknown))
        claimed = {table for table, claim in self._known.items() if claim.holder == beat.instance}
        missing = frozenset(claimed - beat.holds.keys())
        # A claim and a sign of life from before it may cross: two of these must agree.
        again = self._missing.get(beat.instance, frozenset()) | before.keys()
        for table in missing if beat.leaves else missing & again:
            del self._known[table]
            self._orphaned.pop(table, None)
        self._missing[beat.instance] = missing

    def _unknown(self, beat: Beat) -> Iterator[bytes]:
        """The tables of which the sender of ``beat`` has a later claim than we know of."""
        for table, (term, version) in beat.holds.items():
            own = self._own.get(table)
            known = self._known.get(table) if own is None else own.claim
            if known is None:
                yield table
                continue
            theirs = replace(known, term=term, holder=beat.instance, version=version)
            if theirs.rank <= known.rank:
                continue
            yield table
            if own is not None:
                self._known[table] = replace(theirs, version=0)
                self._lose(own, beat.instance)
