"""What happens in Gnomia, told as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.game import Face, Line, Move, Seat, Tale
from rules.gnomia import BROTHER, GRINCHEUX, ZOZO, Give, Gnome, Take, veinards
from tui.words import N_, NN_, Pieces, Words


class Teller:
    """Puts this game into words for one player."""

    def __init__(self, words: Words, names: tuple[str, ...], me: Seat | None) -> None:
        self.words = words
        self.names = names
        self.me = me

    def who(self, seat: Seat) -> Pieces:
        """A player's name, or "you" inside a sentence."""
        if seat == self.me:
            return ((self.words.say(N_("you")), "me"),)
        return ((self.names[seat], "name"),)

    def everyone(self, seats: Sequence[Seat]) -> Pieces:
        """Several players inside a sentence."""
        return self.words.several([self.who(seat) for seat in seats])

    def fiesta(self, face: Face) -> Pieces:
        """A fiesta inside a sentence."""
        if face in {BROTHER, ZOZO}:
            return ((short(self.words, face), "event"),)
        return self.words.tell(N_("the {value}"), value=((str(face), "event"),))

    def gnome(self, value: int) -> Pieces:
        """A gnome inside a sentence."""
        return ((self.words.say(N_("Grincheux")) if value == GRINCHEUX else str(value), "event"),)

    def move(self, move: Move, face: Face | None = None) -> Pieces:
        """A move of ours; ``face`` is what we have looked at."""
        match move:
            case Gnome(value) if value == GRINCHEUX:
                return self.words.tell(N_("Grincheux, to peek at the pile"))
            case Gnome(value):
                dots = 0 if self.me is None else veinards(self.me, value)
                said = self.words.count(_GNOME, dots, value=value)
                return ((said, ""),)
            case Take() if face == ZOZO:
                return self.words.tell(N_("take Zozo, as you must"))
            case Take():
                return self.words.tell(N_("take it, and lose Grincheux"))
            case Give(seat):
                said = N_("give it to {who}, and keep Grincheux")
                return self.words.tell(said, who=self.who(seat))
        raise ValueError(type(move).__name__)

    def tale(self, tale: Tale) -> Pieces:
        """One thing that happened, as a sentence."""
        tell, me, facts = self.words.tell, self.me, tale.facts
        match (tale.code, *facts):
            case ("fiesta", int(face)):
                said = _TURNED.get(face, N_("A new fiesta: {value}."))
                return tell(said, value=((str(face), "event"),))
            case ("sits-out", seats) if isinstance(seats, tuple):
                said = N_("Only Grincheux is left, and he shuns Zozo: no gnome from {who}.")
                return tell(said, who=self.everyone(seats))
            case ("win", int(seat), int(face), bids, tied):
                said = N_("You win {fiesta}{tie} and pay {gnome}{others}.")
                if seat != me:
                    said = N_("{who} wins {fiesta}{tie} and pays {gnome}{others}.")
                return self._won(said, seat, face, bids, tied)
            case ("zozo", int(seat), bids, tied):
                said = N_("Zozo is yours{tie}: {gnome} comes back to you{others}.")
                if seat != me:
                    said = N_("Zozo is for {who}{tie}: {gnome} comes back{others}.")
                return self._won(said, seat, ZOZO, bids, tied)
            case ("brother", int(seat), bids, tied):
                said = N_("You adopt P'tit frère{tie} and pay {gnome}{others}.")
                if seat != me:
                    said = N_("{who} adopts P'tit frère{tie} and pays {gnome}{others}.")
                return self._won(said, seat, BROTHER, bids, tied)
            case ("nobody", int(face)):
                said = N_("No gnome for {fiesta}: it leaves the game.")
                if face == ZOZO:
                    said = N_("No gnome for Zozo: he leaves the game.")
                return tell(said, fiesta=self.fiesta(face))
            case ("grincheux", int(seat)):
                said = N_("You send Grincheux to peek at the next fiesta.")
                if seat != me:
                    said = N_("{who} sends Grincheux to peek at the next fiesta.")
                return tell(said, who=self.who(seat))
            case ("grincheux-back", (int(seat),)):
                said = N_("You get Grincheux back: the pile is empty.")
                if seat != me:
                    said = N_("{who} gets Grincheux back: the pile is empty.")
                return tell(said, who=self.who(seat))
            case ("grincheux-back", seats) if isinstance(seats, tuple):
                said = N_("{n} Grincheux at once, from {who}: nobody peeks, all come back.")
                return tell(said, n=str(len(seats)), who=self.everyone(seats))
            case ("look-take", int(seat), int(face)):
                said = N_("You keep {fiesta} and lose Grincheux.")
                if seat != me:
                    said = N_("{who} keeps {fiesta} and loses Grincheux.")
                return tell(said, who=self.who(seat), fiesta=self.fiesta(face))
            case ("look-zozo", int(seat)):
                said = N_("You come upon Zozo and have to take him; Grincheux stays.")
                if seat != me:
                    said = N_("{who} comes upon Zozo and has to take him; Grincheux stays.")
                return tell(said, who=self.who(seat))
            case ("look-give", int(seat), int(to), int(face)):
                said = N_("{who} gives {fiesta} to {to} and keeps Grincheux.")
                if seat == me:
                    said = N_("You give {fiesta} to {to} and keep Grincheux.")
                elif to == me:
                    said = N_("{who} gives you {fiesta} and keeps Grincheux.")
                return tell(said, who=self.who(seat), to=self.who(to), fiesta=self.fiesta(face))
            case ("last", int(seat), faces) if isinstance(faces, tuple):
                said = N_("You have the last gnomes and trade them for {fiestas}.")
                if seat != me:
                    said = N_("{who} has the last gnomes and trades them for {fiestas}.")
                drawn = [((short(self.words, face), "event"),) for face in faces]
                return tell(said, who=self.who(seat), fiestas=_listed(drawn))
        raise ValueError(tale.code)

    def worth(self, line: Line) -> str:
        """A line of the score, without its points."""
        return self.words.count(_LINES[line.code], line.count)

    def _won(self, said: str, seat: Seat, face: Face, bids: object, tied: object) -> Pieces:
        """Who wins, and what the others had sent: on a Zozo, what they lose."""
        assert isinstance(bids, tuple)
        sent = [
            (*self.who(other), (" ", ""), *self.gnome(value))
            for other, value in enumerate(bids)
            if value >= 0 and other != seat
        ]
        others: Pieces = ()
        if sent and face == ZOZO:
            others = self.words.tell(N_("; spent: {gnomes}"), gnomes=_listed(sent))
        elif sent:
            others = ((" (", ""), *_listed(sent), (")", ""))
        return self.words.tell(
            said,
            who=self.who(seat),
            fiesta=self.fiesta(face),
            tie=self.words.tell(N_(" by veinards")) if tied else "",
            gnome=self.gnome(bids[seat]),
            others=others,
        )


def short(words: Words, face: Face) -> str:
    """A fiesta as it stands in a list."""
    if face == ZOZO:
        return words.say(N_("Zozo"))
    return words.say(N_("P'tit frère")) if face == BROTHER else str(face)


def _listed(items: Sequence[Pieces]) -> Pieces:
    listed: Pieces = items[0]
    for item in items[1:]:
        listed = (*listed, (", ", ""), *item)
    return listed


_GNOME: Final = NN_("gnome {value}, with {n} veinard", "gnome {value}, with {n} veinards")
_TURNED: Final = {
    BROTHER: N_("P'tit frère throws a fiesta: the lowest gnome wins!"),
    ZOZO: N_("Zozo throws a fiesta: beware!"),
}
_LINES: Final = {
    "single": NN_("{n} alone", "{n} alone"),
    "pair": NN_("{n} pair", "{n} pairs"),
    "triple": NN_("{n} trio", "{n} trios"),
    "four": NN_("{n} four", "{n} fours"),
    "five": NN_("{n} five", "{n} fives"),
    "brother": NN_("P'tit frère alone", "P'tit frère alone"),
    "zozo": NN_("{n} Zozo", "{n} Zozos"),
}
