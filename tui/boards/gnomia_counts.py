"""What fiestas are worth to a seat of Gnomia, in words: those it has, and one it may get."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from rules.game import Face
from rules.gnomia import BROTHER, FIESTAS, ZOZO, State
from rules.gnomia.score import FREE_CHOICE, Counted, Group, score
from tui.boards.gnomia_tales import short
from tui.words import N_, NN_, Pieces, Words, text

POINTS: Final = 4
"""Detail of a list from which on groups have their points."""
VALUES: Final = 3
"""From here on, every fiesta stands in it."""
LOST: Final = 2
"""From here on, what the Zozos take."""
SPACED: Final = 1
"""From here on, groups have marks between them."""


def signed(points: int) -> str:
    """Points that are won or lost."""
    return f"{points:+d}" if points else "+0"


def change(fiestas: tuple[Face, ...], face: Face) -> int:
    """The points that ``face`` would add to ``fiestas``, below zero if it takes some away."""
    return score((*fiestas, face)).total - score(fiestas).total


def hidden(state: State, face: Face) -> int:
    """How many of this kind nobody has seen, besides the one that is on the card."""
    gone = [*state.gone, *(face for fiestas in state.won for face in fiestas)]
    return FIESTAS.count(face) - gone.count(face) - 1


def listed(words: Words, fiestas: tuple[Face, ...], cells: int) -> Pieces:
    """``fiestas`` in their groups, and what the Zozos take: in as much detail as fits."""
    if not fiestas:
        return (("·", "dim"),)
    counted = score(fiestas)
    shown: Pieces = ()
    for detail in (POINTS, VALUES, LOST, SPACED, 0):
        parts = [_group(words, group, detail) for group in counted.groups]
        if counted.alone:
            parts.append(((short(words, BROTHER), "dim"),))
        if counted.zozos:
            parts.append(_zozos(words, counted, detail))
        shown = parts[0]
        for part in parts[1:]:
            shown = (*shown, (" · " if detail >= SPACED else " ", "dim"), *part)
        if cell_len(text(shown)) <= cells:
            break
    return shown


def _group(words: Words, group: Group, detail: int) -> Pieces:
    """Fiestas of one value: every one of them, or how many; with their points if there is room."""
    several = group.size > 1
    count = group.size - group.brother
    values = " ".join([str(group.value)] * count)
    if detail < VALUES and count > 2:
        values = f"{count}x{group.value}"
    pieces: Pieces = ((values, "event" if several else ""),)
    if group.brother:
        pieces = (*pieces, (" " + short(words, BROTHER), "event"))
    if several and detail >= POINTS:
        pieces = (*pieces, (f" = {group.points}", "dim"))
    return pieces


def _zozos(words: Words, counted: Counted, detail: int) -> Pieces:
    """How many Zozos there are, what they take and what that costs."""
    points = signed(-counted.cost)
    if not counted.lost or detail < LOST:
        said = words.count(_ZOZOS, counted.zozos, points=points)
    else:
        lost = " ".join(short(words, face) for face in counted.lost)
        said = words.count(_TAKEN, counted.zozos, lost=lost, points=points)
    return ((said, "warning"),)


def prospect(words: Words, fiestas: tuple[Face, ...], face: Face, cells: int) -> Pieces:
    """What getting ``face`` would mean to us, who have ``fiestas``; shorter if it does not fit."""
    told = _prospect(words, fiestas, face)
    if cell_len(text(told)) <= cells:
        return told
    points = signed(change(fiestas, face))
    return words.tell(N_("For you: {points} points."), points=((points, "event"),))


def _prospect(words: Words, fiestas: tuple[Face, ...], face: Face) -> Pieces:
    points = signed(change(fiestas, face))
    after = score((*fiestas, face))
    if face == ZOZO:
        said = _NEXT_ZOZO[min(after.zozos, FREE_CHOICE)]
        return words.tell(said, n=str(after.zozos), points=((points, "event"),))
    if after.alone and face == BROTHER:
        return words.tell(N_("For you: nothing yet, he wants fiestas to join."))
    group = next(
        group
        for group in after.groups
        if group.value == face or (face == BROTHER and group.brother)
    )
    named: Pieces = words.tell(_GROUPS[group.size], value=str(group.value))
    if group.brother and group.size > 1:
        named = words.tell(N_("{group} with P'tit frère"), group=named)
    said = N_("For you: {group}, {points} points.")
    if after.cost != score(fiestas).cost:
        said = N_("For you: {group}, {points} points, Zozo paid.")
    return words.tell(said, group=_strong(named), points=((points, "event"),))


def to_come(words: Words, state: State, face: Face) -> Pieces:
    """How many more of this kind the pile hides."""
    more = hidden(state, face)
    if not more:
        return words.tell(N_("The pile hides no more."))
    return ((words.count(_MORE, more), ""),)


def _strong(pieces: Pieces) -> Pieces:
    return tuple((part, "event") for part, _ in pieces)


_GROUPS: Final = {
    1: N_("a {value} alone"),
    2: N_("a pair of {value}s"),
    3: N_("three {value}s"),
    4: N_("four {value}s"),
    5: N_("five {value}s"),
}
_ZOZOS: Final = NN_("Zozo: {points}", "{n} Zozos: {points}")
_TAKEN: Final = NN_("Zozo takes {lost}: {points}", "{n} Zozos take {lost}: {points}")
_NEXT_ZOZO: Final = {
    1: N_("For you: {points} points. One Zozo takes your lowest fiesta."),
    2: N_("For you: {points} points. Two Zozos take your highest fiesta."),
    FREE_CHOICE: N_("For you: {points} points. {n} Zozos take {n} fiestas you choose."),
}
_MORE: Final = NN_("The pile hides {n} more.", "The pile hides {n} more.")
