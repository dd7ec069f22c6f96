"""La Taverne des Hobbits in words: stones, moves, what happened, how to play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from rules.game import Line, Move, Seat, State, Tale
from rules.taverne import Character, Mushroom, Phase, Protect, Serve, Stones
from rules.taverne.turn import plus, points
from tui.boards import voices
from tui.boards.voices import AWAY, CHOOSING, SEALED, Sign
from tui.words import N_, NN_, Pieces, Words, capital

LETTERS: Final = N_("R B Y W")
"""The stones' letters: red, blue, yellow, white. French: rouge, bleue, jaune, transparente."""

STYLES: Final = ("red", "blue", "yellow", "white")

CHARACTERS: Final = (
    N_("human"),
    N_("pixie"),
    N_("goblin"),
    N_("elf"),
    N_("dwarf"),
    N_("fairy"),
)
"""Who sits where."""

RULES: Final = (
    N_(
        "Gather life stones. All players point at once, in secret: at a mushroom, or at the tile "
        "of somebody who has stones on it. Whoever points alone takes all that lies there. "
        "If two or more point at the same thing, nothing moves."
    ),
    N_(
        "Instead of pointing you may protect your own tile: its stones are yours for good, and "
        "whoever points at you gets nothing. You then rest for one turn."
    ),
    N_(
        "All is judged on the stones as they lay before the turn: who is robbed in a turn still "
        "keeps what that very turn brings. In the first turn only mushrooms may be pointed at."
    ),
    N_(
        "After each turn an empty mushroom gets two stones from the bag, any other gets one. When "
        "the bag is empty, one last turn is played."
    ),
    N_(
        "Three stones of three colours (red, blue, yellow) are worth 5 points, a white stone 2, "
        "any other stone 1. The stones on your tile count too. If equal, more white stones win."
    ),
)

SIGNS: Final = (
    Sign(LETTERS, N_("life stones: red, blue, yellow, white"), STYLES),
    SEALED,
    CHOOSING,
    Sign("○", N_("rests for this turn, after protecting"), ("dim",)),
    Sign("✦", N_("hands out the stones"), ("dim",)),
    AWAY,
)

HINTS: Final = {
    **voices.HINTS,
    "choose": N_("Point in secret at a mushroom that nobody else wants: a number, then Enter."),
    "tile": N_("Whose tile would you like? Point at it alone and all its stones are yours."),
    "protect": N_("What lies on your tile can be stolen. Protect it, and you rest for a turn."),
    "rest": N_("You have protected your stones, so you rest. Nobody can rob you now."),
    "serve": N_("The bag is short, and you say which mushrooms get the last stones."),
}


REFUSALS: Final = {
    "resting": N_("You rest this turn."),
    "first-turn": N_("In the first turn only mushrooms may be pointed at."),
    "empty-tile": N_("There are no stones on that tile."),
    "nothing-to-protect": N_("There are no stones on your tile to protect."),
    "own-tile": N_("That is your own tile: you can only protect it."),
    "no-such-mushroom": N_("There is no such mushroom."),
    "bad-order": N_("Name every mushroom once."),
}


def stones(words: Words, pile: Stones, cells: int = 99) -> Pieces:
    """Every stone as a letter while they fit into ``cells``, else how many of each."""
    if words.aloud:
        spelt = [words.count(forms, n) for forms, n in zip(_SPELT, pile, strict=True) if n]
        return ((", ".join(spelt) or words.say(N_("no stones")), ""),)
    letters = words.say(LETTERS).split()
    if not any(pile):
        return (("·", "dim"),)
    single = [
        (letter, style)
        for letter, style, count in zip(letters, STYLES, pile, strict=True)
        for _ in range(count)
    ]
    if 2 * len(single) - 1 <= min(cells, 19):
        return _spaced([(piece,) for piece in single])
    return _spaced(
        [
            ((str(count), ""), (letter, style))
            for letter, style, count in zip(letters, STYLES, pile, strict=True)
            if count
        ]
    )


_SPELT: Final = (
    NN_("{n} red", "{n} red"),
    NN_("{n} blue", "{n} blue"),
    NN_("{n} yellow", "{n} yellow"),
    NN_("{n} white", "{n} white"),
)


def _spaced(groups: Sequence[Pieces]) -> Pieces:
    spaced = groups[0]
    for group in groups[1:]:
        spaced = (*spaced, (" ", ""), *group)
    return spaced


class Teller:
    """Puts this game into words for one player."""

    def __init__(self, words: Words, names: tuple[str, ...], me: Seat | None) -> None:
        self.words = words
        self.names = names
        self.me = me

    def who(self, seat: Seat) -> Pieces:
        """A player's name."""
        return ((self.names[seat], "name"),)

    def everyone(self, seats: Sequence[Seat]) -> Pieces:
        """Several players at the start of a sentence, we first."""
        mine = [((self.words.say(N_("You")), "me"),)] if self.me in seats else []
        return self.words.several([*mine, *[self.who(s) for s in seats if s != self.me]])

    def move(self, move: Move) -> Pieces:
        """A move of ours, as part of a sentence."""
        match move:
            case Mushroom(index):
                return self.words.tell(N_("mushroom {mushroom}"), mushroom=str(index + 1))
            case Character(seat):
                return self.words.tell(N_("{who}'s tile"), who=self.who(seat))
            case Protect():
                return self.words.tell(N_("protect your stones"))
            case Serve(order):
                listed = ", ".join(str(index + 1) for index in order)
                return self.words.tell(N_("mushrooms in the order {order}"), order=listed)
        raise ValueError(type(move).__name__)

    def tale(self, tale: Tale) -> Pieces:
        """One thing that happened, as a sentence."""
        tell, me, facts = self.words.tell, self.me, tale.facts
        match (tale.code, *facts):
            case ("take", seat, mushroom, pile):
                said = N_("You take {stones} from mushroom {mushroom}.")
                if seat != me:
                    said = N_("{who} takes {stones} from mushroom {mushroom}.")
                return tell(said, **self._blanks(seat, pile=pile, mushroom=mushroom))
            case ("empty", seat, mushroom):
                said = N_("You find nothing at mushroom {mushroom}.")
                if seat != me:
                    said = N_("{who} finds nothing at mushroom {mushroom}.")
                return tell(said, **self._blanks(seat, mushroom=mushroom))
            case ("clash", mushroom, seats) if isinstance(seats, tuple):
                return tell(
                    _CLASH[me in seats, len(seats) == 2],
                    who=self.everyone(seats),
                    mushroom=str(_number(mushroom) + 1),
                )
            case ("clash-tile", int(victim), seats) if isinstance(seats, tuple):
                if victim == me:
                    return tell(_CLASH_MINE[len(seats) == 2], who=self.everyone(seats))
                said = _CLASH_TILE[me in seats, len(seats) == 2]
                return tell(said, who=self.everyone(seats), victim=self.who(victim))
            case ("steal", int(thief), int(victim), pile):
                said = N_("{who} steals {stones} from {victim}.")
                if thief == me:
                    said = N_("You steal {stones} from {victim}.")
                elif victim == me:
                    said = N_("{who} steals {stones} from you.")
                return tell(said, victim=self.who(victim), **self._blanks(thief, pile=pile))
            case ("protect", seat, pile):
                said = N_("You protect {stones} and rest.")
                if seat != me:
                    said = N_("{who} protects {stones} and rests.")
                return tell(said, **self._blanks(seat, pile=pile))
            case ("blocked", int(seat), int(victim)):
                said = N_("{who} points at {victim}, who protects: too bad!")
                if seat == me:
                    said = N_("You point at {victim}, who protects: too bad!")
                elif victim == me:
                    said = N_("{who} points at you, but you protect: too bad!")
                return tell(said, who=self.who(seat), victim=self.who(victim))
            case ("distributor", seat):
                said = N_("You will hand out the stones.")
                if seat != me:
                    said = N_("{who} will hand out the stones.")
                return tell(said, **self._blanks(seat))
            case ("refill", pile):
                return tell(N_("From the bag: {stones}."), stones=self._pile(pile))
            case ("last-turn",):
                said = self.words.say(N_("The bag is empty: this is the last turn!"))
                return ((said, "warning"),)
        raise ValueError(tale.code)

    def worth(self, line: Line) -> str:
        """A line of the score, without its points."""
        return self.words.count(_LINES[line.code], line.count)

    def _pile(self, pile: object) -> Pieces:
        assert isinstance(pile, tuple)
        return stones(self.words, (pile[0], pile[1], pile[2], pile[3]))

    def _blanks(
        self, seat: object, pile: object = None, mushroom: object = None
    ) -> dict[str, str | Pieces]:
        blanks: dict[str, str | Pieces] = {"who": self.who(_number(seat))}
        if pile is not None:
            blanks["stones"] = self._pile(pile)
        if mushroom is not None:
            blanks["mushroom"] = str(_number(mushroom) + 1)
        return blanks


def _number(fact: object) -> int:
    assert isinstance(fact, int)
    return fact


_CLASH: Final = {
    (False, True): N_("{who} both pointed at mushroom {mushroom}: nothing moves."),
    (False, False): N_("{who} all pointed at mushroom {mushroom}: nothing moves."),
    (True, True): N_("{who} have both pointed at mushroom {mushroom}: nothing moves."),
    (True, False): N_("{who} have all pointed at mushroom {mushroom}: nothing moves."),
}
_CLASH_TILE: Final = {
    (False, True): N_("{who} both tried to rob {victim}: nothing moves."),
    (False, False): N_("{who} all tried to rob {victim}: nothing moves."),
    (True, True): N_("{who} have both tried to rob {victim}: nothing moves."),
    (True, False): N_("{who} have all tried to rob {victim}: nothing moves."),
}
_CLASH_MINE: Final = {
    True: N_("{who} both tried to rob you: nothing moves."),
    False: N_("{who} all tried to rob you: nothing moves."),
}
_LINES: Final = {
    "set": NN_("{n} set", "{n} sets"),
    "white": NN_("{n} white", "{n} white"),
    "single": NN_("{n} single", "{n} single"),
}


class Voice(voices.Voice):
    """See ``tui/boards/voices.py``."""

    TITLE = N_("La Taverne des Hobbits")
    RULES = RULES
    REFUSALS: ClassVar = REFUSALS
    DEALT_ANEW = N_("The stones in the bag are mixed anew.")
    SIGNS = SIGNS
    HINTS: ClassVar = HINTS
    EXAMPLES = "1   b   protect"

    @property
    def teller(self) -> Teller:
        """The words for what happens."""
        return Teller(self.words, self.view.names, self.view.me)

    def headline(self) -> Pieces:
        """Turn and bag."""
        say, state = self.words.say, self.view.state
        parts = [say(N_("turn {n}"), n=state.turn)] if state.turn else []
        parts += [say(N_("bag {n}"), n=len(state.bag))] if state.turn else []
        pieces: Pieces = tuple((" · " + part, "") for part in parts)
        if state.last:
            pieces = (*pieces, (" · ", ""), (say(N_("last turn")), "warning"))
        return pieces

    def question(self) -> Pieces:
        """Where to point, or whom to serve first."""
        said = N_("Your choice?")
        if self.view.state.phase is Phase.SERVE:
            said = N_("The bag is short. Which mushroom is served first?")
        return ((self.words.say(said), "event"),)

    def lessons(self) -> tuple[str, ...]:
        """To point, to steal, to protect; to rest, and to hand out the last stones."""
        state, me, moves = self.view.state, self.view.me, self.view.moves
        if not moves:
            resting = state.phase is Phase.POINT and me is not None and state.resting[me]
            return ("rest",) if resting else ()
        if state.phase is Phase.SERVE:
            return ("serve",)
        tile = any(isinstance(move, Character) for move in moves)
        found = {"choose": True, "tile": tile, "protect": Protect() in moves}
        return tuple(code for code, fits in found.items() if fits)

    def describe(self, move: Move) -> Pieces:
        """A move, with a capital."""
        return capital(self.teller.move(move))

    def sentence(self, state: State, tale: Tale) -> tuple[str, Pieces]:
        """The turn, and what happened."""
        turn = state.turn + (tale.code in {"refill", "last-turn"})
        return str(turn), self.teller.tale(tale)

    def doing(self) -> Pieces:
        """What goes on between choices."""
        say = self.words.say
        said = {
            Phase.LOTS: say(N_("drawing who hands out the stones")),
            Phase.DRAW: say(N_("drawing who hands out the stones")),
            Phase.FILL: say(N_("filling the bag")),
            Phase.REFILL: say(N_("drawing stones")),
            Phase.OVER: say(N_("the game is over")),
        }.get(self.view.state.phase, "")
        return ((said, "dim"),)

    def worth(self, line: Line) -> Pieces:
        """A line of the score."""
        return ((self.teller.worth(line), ""),)

    def position(self) -> list[Pieces]:
        """The mushrooms, then the seats."""
        tell, state = self.words.tell, self.view.state
        mushrooms = [
            tell(
                N_("mushroom {mushroom}: {stones}"),
                mushroom=str(number),
                stones=stones(self.words, pile),
            )
            for number, pile in enumerate(state.mushrooms, 1)
        ]
        seats = [self._seat(seat) for seat in range(state.seats)]
        if state.distributor is None:
            return [*mushrooms, *seats]
        who = self._who(state.distributor)
        return [*mushrooms, *seats, tell(N_("handing out the stones: {who}"), who=who)]

    def details(self) -> list[Pieces]:
        """Who is what."""
        return [
            self.words.tell(
                N_("{who}: {character}"),
                who=self._who(seat),
                character=self.words.say(CHARACTERS[seat]),
            )
            for seat in range(self.view.state.seats)
        ]

    def _who(self, seat: Seat) -> Pieces:
        return (
            ((self.words.say(N_("you")), "me"),) if seat == self.view.me else self.teller.who(seat)
        )

    def _seat(self, seat: Seat) -> Pieces:
        """What lies before a seat, and whether it rests."""
        words, state = self.words, self.view.state
        said = words.tell(
            N_("{who}, {key}: on the tile {tile}; safe {safe}; {points} points"),
            who=self._who(seat),
            key="abcdef"[seat],
            tile=stones(words, state.tiles[seat]),
            safe=stones(words, state.safe[seat]),
            points=str(points(plus(state.tiles[seat], state.safe[seat]))),
        )
        if state.resting[seat]:
            said = (*said, ("; ", ""), (words.say(N_("resting")), ""))
        return said
