"""What fiestas are worth in Gnomia: what the Zozos cost, and groups of equal value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from rules.game import Face, Line, Result, Score
from rules.gnomia.pieces import BROTHER, HIGHEST, ZOZO

GROUP_POINTS: Final = {2: 20, 3: 50, 4: 100, 5: 150}
"""A group of this size, whatever its value; a single fiesta is worth its value."""
FREE_CHOICE: Final = 3
"""So many Zozos let their owner choose what is lost (published game)."""
NAMES: Final = {1: "single", 2: "pair", 3: "triple", 4: "four", 5: "five"}

Piles: TypeAlias = tuple[tuple[int, int], ...]
"""Values from low to high, each with how many fiestas there are of it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Fiestas of one ``value``, counted together; ``size`` includes P'tit frère if he is here."""

    value: int
    size: int
    points: int
    brother: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """A seat's fiestas, counted.

    ``groups`` are as they lie before any is ``lost`` to the Zozos; ``alone``: P'tit frère has no
    group to join. ``total`` is what remains in the end.
    """

    groups: tuple[Group, ...]
    alone: bool
    zozos: int
    lost: tuple[Face, ...]
    total: int

    @property
    def cost(self) -> int:
        """What the Zozos take; below zero if the loss brings P'tit frère more than it takes."""
        return sum(group.points for group in self.groups) - self.total

    @property
    def lines(self) -> tuple[Line, ...]:
        """The score taken apart: the groups by size, P'tit frère alone, the Zozos."""
        lines = []
        for size, name in NAMES.items():
            found = [group.points for group in self.groups if group.size == size]
            if found:
                lines.append(Line(name, len(found), sum(found)))
        if self.alone:
            lines.append(Line("brother", 1, 0))
        if self.zozos:
            lines.append(Line("zozo", self.zozos, -self.cost))
        return tuple(lines)


def score(fiestas: tuple[Face, ...]) -> Counted:
    """Count ``fiestas``, in any order."""
    return _score(tuple(sorted(fiestas)))


@lru_cache(maxsize=1 << 16)
def _score(fiestas: tuple[Face, ...]) -> Counted:
    zozos, brother = fiestas.count(ZOZO), BROTHER in fiestas
    piles = _piled(fiestas)
    lost = _lost(piles, brother, zozos)
    kept = list(fiestas)
    for face in lost:
        kept.remove(face)
    total = sum(group.points for group in _groups(_piled(tuple(kept)), BROTHER in kept))
    return Counted(_groups(piles, brother), brother and not piles, zozos, lost, total)


def _piled(fiestas: tuple[Face, ...]) -> Piles:
    """Only the numbered ones."""
    counts = ((value, fiestas.count(value)) for value in range(1, HIGHEST + 1))
    return tuple((value, count) for value, count in counts if count)


def _points(value: int, size: int) -> int:
    return GROUP_POINTS.get(size, value if size else 0)


def _groups(piles: Piles, brother: bool) -> tuple[Group, ...]:
    """P'tit frère joins the group of the smallest value."""
    groups = []
    for at, (value, count) in enumerate(piles):
        size = count + (brother and at == 0)
        groups.append(Group(value, size, _points(value, size), brother and at == 0))
    return tuple(groups)


# What the Zozos take.


def _lost(piles: Piles, brother: bool, zozos: int) -> tuple[Face, ...]:
    """One Zozo takes the lowest numbered fiesta, two the highest, more as many as they are."""
    if zozos >= FREE_CHOICE:
        owned = sum(count for _, count in piles)
        if zozos >= owned + brother:
            return (BROTHER,) * brother + tuple(v for v, count in piles for _ in range(count))
        found = [_best(piles, zozos, brother)]
        if brother:
            points, lost = _best(piles, zozos - 1, False)
            found.append((points, (BROTHER, *lost)))
        return max(found, key=lambda each: each[0])[1]
    if zozos and piles:
        return (piles[0 if zozos == 1 else -1][0],)
    return ()


_IMPOSSIBLE: Final = -1


@lru_cache(maxsize=1 << 14)
def _best(piles: Piles, drops: int, brother: bool) -> tuple[int, tuple[Face, ...]]:
    """The most points that can remain after exactly ``drops`` numbered fiestas are lost, and which.

    With ``brother``, P'tit frère joins the first of ``piles`` of which anything remains.
    """
    if not piles:
        return (_IMPOSSIBLE if drops else 0), ()
    (value, count), rest = piles[0], piles[1:]
    best = _IMPOSSIBLE
    lost: tuple[Face, ...] = ()
    for dropped in range(min(count, drops) + 1):
        kept = count - dropped
        points, more = _best(rest, drops - dropped, brother and not kept)
        if points != _IMPOSSIBLE:
            points += _points(value, kept + (brother and kept > 0))
            if points > best:
                best, lost = points, ((value,) * dropped + more)
    return best, lost


def result(won: tuple[tuple[Face, ...], ...]) -> Result:
    """Ranks by points; equal points share the rank (ours)."""
    counted = [score(fiestas) for fiestas in won]
    scores = []
    for seat, mine in enumerate(counted):
        rank = 1 + sum(other.total > mine.total for other in counted)
        scores.append(Score(seat, mine.total, rank, mine.lines))
    return Result(tuple(scores))
