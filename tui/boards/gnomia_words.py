"""Gnomia in words: what is asked, what the fiesta means, how to play."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.cells import cell_len

from rules.game import Chosen, Face, Line, Move, Over, Seat, State, Tale
from rules.gnomia import BROTHER, GRINCHEUX, ZOZO, Give, Phase, veinards
from rules.gnomia.score import score
from tui.boards import voices
from tui.boards.gnomia_counts import change, listed, prospect, signed, to_come
from tui.boards.gnomia_tales import Teller, short
from tui.boards.voices import AWAY, CHOOSING, SEALED, Sign
from tui.words import N_, NN_, Pieces, capital, text

COLOURS: Final = (N_("red"), N_("yellow"), N_("blue"), N_("purple"), N_("grey"))
"""Whose gnomes are whose."""
STYLES: Final = ("red", "yellow", "blue", "purple", "grey")

RULES: Final = (
    N_(
        "Win fiestas with your gnomes. A fiesta is turned up and all players send a gnome at "
        "once, in secret. The highest gnome wins the fiesta and is spent for it; all others come "
        "back. If gnomes are equal, more veinards win: the dots under a gnome."
    ),
    N_(
        "A fiesta alone is worth its value. Two of the same value are worth 20, three 50, four "
        "100, whatever the value. There are four of each from 1 to 10, and one of each from 11 "
        "to 15."
    ),
    N_(
        "There are seven Zozos, and nobody wants one. The highest gnome must take him, but comes "
        "back; the gnomes of all others are spent! In the end one Zozo costs you your lowest "
        "fiesta, two cost you your highest, three or more that many fiestas of your choice."
    ),
    N_(
        "P'tit frère goes to the LOWEST gnome, which is spent. He joins your fiestas of the "
        "smallest value and counts as one of them: five together are worth 150. Alone he is "
        "worth nothing."
    ),
    N_(
        "Grincheux wins nothing and may not be sent to a Zozo. If he is the only Grincheux of the "
        "round, he peeks at the next fiesta, alone: give it to another player and keep Grincheux, "
        "or take it and lose him. A Zozo you must take, but Grincheux stays."
    ),
    N_(
        "Without gnomes you send no more, but may still be given fiestas. When only one player "
        "has gnomes left, they are all traded for as many fiestas from the pile. Most points win."
    ),
)

SIGNS: Final = (
    Sign("•••", N_("veinards under a gnome: they decide between equal gnomes")),
    Sign("··", N_("a gnome that is spent: everybody sees whose are left"), ("dim",)),
    Sign("G", N_("Grincheux"), ("",)),
    Sign("+9", N_("beside the points: what the fiesta would change for each")),
    SEALED,
    CHOOSING,
    Sign("○", N_("has nothing to send to a Zozo"), ("dim",)),
    AWAY,
)

HINTS: Final = {
    **voices.HINTS,
    "choose": N_("Each gnome wins only once. Small fiesta, small gnome: a number, then Enter."),
    "zozo": N_("In the end a Zozo costs you a fiesta. Send a low gnome, and lose only that."),
    "brother": N_("P'tit frère counts as one more fiesta of your lowest value: a pair is 20."),
    "same": N_("Two fiestas of one value are worth 20, three 50, four 100: collect the same."),
    "grincheux": N_("Grincheux wins nothing: he peeks at the next fiesta, which you keep or give."),
    "look": N_("Only you see this fiesta: take it and lose Grincheux, or give it away."),
}

REFUSALS: Final = {
    "spent": N_("That gnome is spent."),
    "no-such-gnome": N_("Gnomes are 10, 20 and so on to 100, and Grincheux."),
    "not-for-zozo": N_("Grincheux will not go to a Zozo."),
    "out-of-gnomes": N_("You have no gnomes left."),
    "own-seat": N_("You cannot give it to yourself: to keep it, take it."),
    "must-take": N_("A Zozo cannot be given away: you must take him."),
}

WON: Final = frozenset({"win", "zozo", "brother"})
"""Codes of tales that tell who wins."""


class Voice(voices.Voice):
    """See ``tui/boards/voices.py``."""

    TITLE = N_("Gnomia")
    RULES = RULES
    REFUSALS: ClassVar = REFUSALS
    SIGNS = SIGNS
    HINTS: ClassVar = HINTS
    EXAMPLES = "60   grincheux   take   give b"

    @property
    def teller(self) -> Teller:
        """The words for what happens."""
        return Teller(self.words, self.view.names, self.view.me)

    @property
    def face(self) -> Face | None:
        """The fiesta on the card: what is played for, or what we alone have looked at."""
        state = self.view.state
        face: Face | None = state.fiesta
        return self.view.sight.get(state.pile[0]) if self.looking else face

    @property
    def looking(self) -> bool:
        """Whether we have looked at the next fiesta, and decide whose it is."""
        state, me = self.view.state, self.view.me
        return state.phase is Phase.DECIDE and me is not None and me == state.looker

    @property
    def winner(self) -> Seat | None:
        """Who wins the fiesta, while choices are shown."""
        view = self.view
        if not view.shown:
            return None
        told = view.game.tell(view.state, Chosen(view.shown))
        winners = [tale.facts[0] for tale in told if tale.code in WON]
        return winners[0] if winners and isinstance(winners[0], int) else None

    def may_get(self, seat: Seat) -> bool:
        """Whether the fiesta on the card may go to ``seat``."""
        if self.looking:
            return seat == self.view.me or Give(seat) in self.view.moves
        return any(value != GRINCHEUX for value in self.view.state.hands[seat])

    def headline(self) -> Pieces:
        """Round and pile."""
        words, state = self.words, self.view.state
        if not state.round:
            return ()
        said = words.say(N_("round {n}"), n=state.round)
        return (
            (" · " + said, ""),
            (" · " + words.say(N_("pile {n}"), n=len(state.pile)), ""),
        )

    def question(self) -> Pieces:
        """Which gnome goes, or where a fiesta goes."""
        asked = N_("What do you do with it?") if self.looking else N_("Which gnome do you send?")
        return ((self.words.say(asked), "event"),)

    def lessons(self) -> tuple[str, ...]:
        """What is special about this fiesta, else one thing after the other."""
        if not self.view.moves:
            return ()
        if self.looking:
            return ("look",)
        special = {ZOZO: ("zozo",), BROTHER: ("brother",)}
        return special.get(self.face or 0, ("choose", "same", "grincheux"))

    def describe(self, move: Move) -> Pieces:
        """A move, with a capital."""
        return capital(self.teller.move(move, self.face))

    def sentence(self, state: State, tale: Tale) -> tuple[str, Pieces]:
        """The round, and what happened; with a fiesta, a round begins."""
        begins = state.phase is Phase.TURN
        return str(state.round + begins), self.teller.tale(tale)

    def doing(self) -> Pieces:
        """What goes on between choices."""
        say = self.words.say
        said = {
            Phase.PILE: say(N_("shuffling the fiestas")),
            Phase.TURN: say(N_("turning up a fiesta")),
            Phase.LOOK: say(N_("Grincheux peeks at the pile")),
            Phase.SHOW: say(N_("showing what Grincheux saw")),
            Phase.DRAW: say(N_("drawing the last fiestas")),
            Phase.OVER: say(N_("the game is over")),
        }.get(self.view.state.phase, "")
        return ((said, "dim"),)

    def worth(self, line: Line) -> Pieces:
        """A line of the score."""
        return ((self.teller.worth(line), ""),)

    def forbids(self, move: Move) -> str | None:
        """As in any game; only we know that what we have looked at is a Zozo."""
        if self.looking and self.face == ZOZO and isinstance(move, Give) and self.view.moves:
            return "must-take"
        return super().forbids(move)

    # What the fiesta means.

    def news(self, cells: int) -> tuple[Pieces, ...]:
        """How the fiesta is won, and what it would bring us, in lines of at most ``cells``."""
        words, view, state = self.words, self.view, self.view.state
        if isinstance(view.request, Over):
            first = self.teller.everyone(view.request.result.winners)
            return (words.tell(N_("The game is over. First: {who}."), who=first), self._nobodys())
        if state.phase in {Phase.LOOK, Phase.DECIDE, Phase.SHOW} and state.looker is not None:
            return self._peeking(state.looker, cells)
        if self.face is None:
            return (capital(self.doing()),)
        how = {
            ZOZO: N_("The highest gnome takes Zozo and comes back; all others are spent."),
            BROTHER: N_("The LOWEST gnome wins and is spent; the others come back."),
        }.get(self.face, N_("The highest gnome wins and is spent; the others come back."))
        told: tuple[Pieces, ...] = (words.tell(how),)
        winner = self.winner
        if winner is not None:
            return (*told, self._taken(winner))
        return (*told, self._prospect(self.face, cells))

    def _taken(self, winner: Seat) -> Pieces:
        """Who wins, while choices are shown."""
        shown = self.view.shown
        (move,) = [move for seat, move in shown if seat == winner]
        equal = sum(other == move for _, other in shown) > 1
        said = N_("By veinards it goes to {who}.") if equal else N_("It goes to {who}.")
        return self.words.tell(said, who=self.teller.who(winner))

    def _nobodys(self) -> Pieces:
        """At the end, how many fiestas found no owner."""
        gone = len(self.view.state.gone)
        forms = NN_("{n} fiesta was won by nobody.", "{n} fiestas were won by nobody.")
        return ((self.words.count(forms, gone), "dim"),) if gone else ()

    def _peeking(self, looker: Seat, cells: int) -> tuple[Pieces, ...]:
        words, face = self.words, self.face
        if face is None:
            what = N_("{who} has sent Grincheux to peek at the next fiesta.")
            if looker == self.view.me:
                what = N_("You have sent Grincheux to peek at the next fiesta.")
            then = N_("Taking it costs Grincheux; giving it away does not.")
            return words.tell(what, who=self.teller.who(looker)), words.tell(then)
        if face == ZOZO:
            what = N_("You alone see it: a Zozo! You must take him; Grincheux stays.")
        else:
            what = N_("You alone see it. Take it and lose Grincheux, or give it away.")
        return words.tell(what), self._prospect(face, cells)

    def _prospect(self, face: Face, cells: int) -> Pieces:
        words, state, me = self.words, self.view.state, self.view.me
        more = to_come(words, state, face)
        if me is None or not self.may_get(me):
            return more if face != BROTHER else ()
        ours = prospect(words, state.won[me], face, cells)
        both = (*ours, (" ", ""), *more)
        return both if face != BROTHER and cell_len(text(both)) <= cells else ours

    # For who reads the table line by line.

    def position(self) -> list[Pieces]:
        """The fiesta and what it means, then the seats."""
        words, state, face = self.words, self.view.state, self.face
        lines = list[Pieces]()
        if face is not None:
            lines.append(words.tell(N_("fiesta: {fiesta}"), fiesta=short(words, face)))
            lines += self.news(LONGEST)
        return [*lines, *map(self._seat, range(state.seats))]

    def _seat(self, seat: Seat) -> Pieces:
        """What a seat has left and what it has won."""
        words, state = self.words, self.view.state
        mine = seat == self.view.me
        left = ", ".join(str(value) for value in state.hands[seat] if value != GRINCHEUX)
        if GRINCHEUX in state.hands[seat]:
            left = ", ".join([*([left] if left else []), words.say(N_("Grincheux"))])
        won = state.won[seat]
        return words.tell(
            N_("{who}, {colour}, {key}: gnomes {left}; fiestas {won}; {points} points"),
            who=((words.say(N_("you")), "me"),) if mine else self.teller.who(seat),
            colour=words.say(COLOURS[seat]),
            key="abcde"[seat],
            left=left or words.say(N_("none")),
            won=listed(words, won, LONGEST) if won else words.say(N_("none")),
            points=str(score(won).total),
        )

    def details(self) -> list[Pieces]:
        """The veinards under the gnomes, and what the fiesta would change for each seat."""
        words, view, state, face = self.words, self.view, self.view.state, self.face
        lines = list[Pieces]()
        for seat, hand in enumerate(state.hands):
            who = self.teller.who(seat)
            dots = ", ".join(f"{value}: {veinards(seat, value)}" for value in hand if value)
            lines.append(words.tell(N_("{who}: veinards {dots}"), who=who, dots=dots))
            if face is not None and not view.shown and self.may_get(seat):
                points = signed(change(state.won[seat], face))
                lines.append(
                    words.tell(N_("{who}: {points} points if won"), who=who, points=points)
                )
        return lines


LONGEST: Final = 999
"""Cells of a line that may be as long as it likes."""
