"""What each seat could see at each moment of a finished game, as far as its file opens it.

A transcript holds no private look: what was dealt to one seat alone is known from it only if it was
opened to everybody later. Until hidden cards are dealt anew that is the face the seat had seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from net.play.notices import DealtAnew, Happened, Past, Returned
from rules.game import Dealt, Face, Opened, Seat, Sight, Slot


@dataclass(frozen=True, slots=True)
class Looks:
    """The slots that have been seen at one moment; ``deal`` says which faces they have.

    ``open`` are those that everybody sees, ``seats`` those that each seat does, the open ones
    included.
    """

    deal: int
    open: frozenset[Slot]
    seats: tuple[frozenset[Slot], ...]


class Sights:
    """Follows a game of so many ``seats``, notice by notice; ``looks`` is the present moment."""

    def __init__(self, seats: int) -> None:
        nothing = frozenset[Slot]()
        self.looks = Looks(0, nothing, (nothing,) * seats)
        self._faces: list[dict[Slot, Face]] = [{}]
        """By deal, the face of every slot that was opened before the next one."""
        self._waiting = [nothing] * seats
        """By seat, what it is to see and was not there to look at."""

    def take(self, notice: Past, absent: frozenset[Seat], public: Sight) -> None:
        """Take in what has happened, ``absent`` being who is from then on.

        ``public`` are the faces that everybody can see by now, asked for by the game or not.
        """
        match notice:
            case Happened(event=Opened(faces)):
                self._open(dict(faces))
            case Happened(event=Dealt(slots, to)):
                self._waiting[to] |= frozenset(slots)
                self._look({to} - absent)
            case Returned(members):
                self._look(members)
            case DealtAnew():
                self._deal_anew(dict(public), absent)

    def sight(self, looks: Looks, seat: Seat | None) -> Sight:
        """The faces that ``seat`` could see in the moment of ``looks``; ``None`` is everybody."""
        slots = looks.open if seat is None else looks.seats[seat]
        faces = self._faces[looks.deal]
        return MappingProxyType({slot: faces[slot] for slot in sorted(slots) if slot in faces})

    def _open(self, faces: Mapping[Slot, Face]) -> None:
        self._faces[-1].update(faces)
        deal, slots = self.looks.deal, self.looks.open | faces.keys()
        self.looks = Looks(deal, slots, tuple(seen | slots for seen in self.looks.seats))

    def _look(self, seats: Iterable[Seat]) -> None:
        """These seats are there and look at what they are to see."""
        deal, slots, seen = self.looks.deal, self.looks.open, list(self.looks.seats)
        for seat in seats:
            # The referee has no cards.
            if seat < len(seen):
                seen[seat] |= self._waiting[seat]
                self._waiting[seat] = frozenset()
        self.looks = Looks(deal, slots, tuple(seen))

    def _deal_anew(self, public: dict[Slot, Face], absent: frozenset[Seat]) -> None:
        """What is open stays as it was; whoever is there sees the rest anew, the others later."""
        self._open(public)
        self._faces.append(public)
        slots, seen = self.looks.open, list(self.looks.seats)
        for seat in absent & frozenset(range(len(seen))):
            self._waiting[seat] |= seen[seat] - slots
            seen[seat] &= slots
        self.looks = Looks(self.looks.deal + 1, slots, tuple(seen))
        self._look(frozenset(range(len(seen))) - absent)
