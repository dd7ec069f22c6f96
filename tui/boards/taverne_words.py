"""La Taverne des Hobbits in words: stones, moves, what happened, how to play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.game import Line, Move, Seat, Tale
from rules.taverne import Character, Mushroom, Protect, Serve, Stones
from tui.words import N_, NN_, Pieces, Words

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
    N_(
        "Stones: R red, B blue, Y yellow, W white. ◆ has sealed a choice, … has not yet, ○ rests, "
        "✦ hands out the stones."
    ),
)


REFUSALS: Final = {
    "resting": N_("You rest this turn."),
    "first-turn": N_("In the first turn only mushrooms may be pointed at."),
    "empty-tile": N_("There are no stones on that tile."),
    "nothing-to-protect": N_("There are no stones on your tile to protect."),
    "own-tile": N_("That is your own tile: press p to protect it."),
    "no-such-mushroom": N_("There is no such mushroom."),
    "bad-order": N_("Name every mushroom once."),
}


def stones(words: Words, pile: Stones, cells: int = 99) -> Pieces:
    """Every stone as a letter while they fit into ``cells``, else how many of each."""
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
