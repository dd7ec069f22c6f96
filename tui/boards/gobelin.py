"""The board of Gobelin des bois: the trail, our cards, what can be played, and a line a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.geometry import Region

from rules.gobelin.pieces import Effect, Keep, Phase, Play, Show, Stop
from rules.gobelin.trail import ends
from tui.actions import DIGITS, Action
from tui.boards import base
from tui.boards.base import Target
from tui.boards.gobelin_options import Options
from tui.boards.gobelin_seats import paint_seats
from tui.boards.gobelin_terms import EFFECTS, GAINS, GOLD, TRAIL, letter, square
from tui.boards.gobelin_trail import CARD, Coming, paint_card, paint_trail
from tui.boards.gobelin_words import TARGETS, Voice
from tui.widgets.canvas import Canvas
from tui.words import N_, Pieces, text

PLAYS: Final = 4
"""Most plays on one end."""
NEW_END: Final = N_("new end")

PICKS: Final = (*DIGITS, *[(char, char.upper()) for char in "abcdefghijklmnoprtvwxyz"])
"""Keys of the cards one may pick, more than there can be; q, s and u have other meanings."""

SHOW: Final = ("s", "S")
"""Keys for saying that nothing goes."""


@dataclass(frozen=True, slots=True)
class _Lines:
    """Where the parts of the picture start; ``tall`` is 1 where there is room, else 0."""

    tall: int
    trail: int
    hand: int
    plays: int
    seats: int


class Board(base.Board):
    """See ``tui/boards/base.py``. What can be played stands below the end that it covers."""

    ACTIONS: ClassVar = (
        Action(
            "gobelin.play",
            tuple(key for keys in DIGITS[: 2 * PLAYS] for key in keys),
            "1-8",
            N_("play"),
            N_("a play, a card to pick, or a card to keep, by its number"),
            row=2 * PLAYS,
        ),
        Action(
            "gobelin.show",
            SHOW[:1],
            SHOW[0],
            N_("show"),
            N_("when nothing goes: show your hand, or end your gallop"),
        ),
    )

    @property
    def voice(self) -> Voice:
        """The words for this player."""
        return Voice(self.farfadet.words, self.view)

    @property
    def options(self) -> Options:
        """What this player sees and can do."""
        return Options(self.view)

    def keys(self) -> list[tuple[str, str]]:
        """The first and the last key."""
        targets = self.targets()
        first, last = targets[0].keys[0], targets[-1].keys[0]
        return [(first if first == last else f"{first}-{last}", "")]

    def targets(self) -> tuple[Target, ...]:
        """What can be played, picked or kept; on others' turns, what could be played then."""
        choices = self.options.choices()
        if any(isinstance(move, Show | Stop) for move in choices):
            return tuple(Target(move, SHOW) for move in choices)
        return tuple(map(Target, choices, PICKS))

    # The picture.

    def rows(self) -> int:
        """The trail, a hand, four plays, the seats, and two rules."""
        return 7 + PLAYS + len(self.view.names)

    def paint(self, canvas: Canvas) -> None:
        """From the trail down to the seats."""
        seats = len(self.view.names)
        spare = canvas.height - 23 - 3 * seats
        at = _Lines(1, 1 + spare // 4, 8 + spare // 3, 12 + spare // 3, 22 + spare // 2)
        if spare < 0:
            top = max(0, canvas.height - self.rows()) // 4
            at = _Lines(0, top, top + 4, top + 5, top + 6 + PLAYS)
        self._trail(canvas, at)
        self._hand(canvas, at)
        self._middle(canvas, at)
        paint_seats(self, self.options, canvas, at.seats, bool(at.tall))

    def _trail(self, canvas: Canvas, at: _Lines) -> None:
        words, state = self.farfadet.words, self.view.state
        if not state.trail:
            return
        if len(state.trail) > 1:
            count = words.count(TRAIL, len(state.trail))
            _centred(canvas, canvas.width // 2, at.trail, ((count, "dim"),))
        middles = paint_trail(
            canvas,
            at.trail + 1,
            5 if at.tall else 3,
            words,
            self.options.cards,
            state.trail,
            self._coming(),
        )
        for middle, label in zip(middles, (N_("◀ left end"), N_("right end ▶")), strict=True):
            _centred(canvas, middle, at.trail, ((words.say(label), "lit"),))

    def _coming(self) -> Coming | None:
        """The card being played, or the play we aim at."""
        state, options = self.view.state, self.options
        if state.played is not None:
            slot, play = state.played
            return Coming(options.card(slot), play)
        if isinstance(self.lit, Play) and state.phase is Phase.PLAY:
            return Coming(options.card(options.hand[self.lit.card]), self.lit)
        return None

    def _hand(self, canvas: Canvas, at: _Lines) -> None:
        words, options = self.farfadet.words, self.options
        if not options.hand:
            return
        y = at.hand + at.tall
        canvas.put(1, y, words.say(N_("your hand")), "me")
        x = 12
        for slot in options.hand:
            card = options.card(slot)
            if at.tall:
                paint_card(canvas, x, at.hand, words, card)
            elif card is not None:
                for number, half in enumerate(card.squares):
                    canvas.put(x + number * 11, y, "│", "dim")
                    canvas.pieces(x + 1 + number * 11, y, square(words, half))
                canvas.put(x + CARD - 1, y, "│", "dim")
            if card is not None:
                canvas.put(x + CARD + 1, y, words.count(GOLD, card.gold), "lit")
            x += CARD + 10

    def _middle(self, canvas: Canvas, at: _Lines) -> None:
        """What can be done with the hand, or what somebody else does."""
        state, options = self.view.state, self.options
        canvas.fill(0, at.plays, canvas.width, "─", "rule")
        caption = self.voice.doing()
        first, apart = at.plays + 1 + at.tall, 1 + at.tall
        if options.mine and state.phase is Phase.ORDER:
            caption = self._effect(Effect.ESPION)
            self._spied(canvas, first)
        elif options.mine and state.phase is Phase.TARGET:
            caption = self._effect(state.effect)
            for line, said in enumerate(TARGETS[state.effect]):
                canvas.put(3, first + line * apart, self.farfadet.words.say(said))
        elif options.mine and state.phase is Phase.PLAY and not options.plays():
            self._nothing(canvas, first, apart)
        elif options.plays():
            self._plays(canvas, at.plays, first, apart)
        else:
            canvas.put(3, first, self.farfadet.words.say(self._idleness()), "dim")
        if caption:
            _centred(canvas, canvas.width // 2, at.plays, ((" ", ""), *caption, (" ", "")))

    def _effect(self, effect: Effect) -> Pieces:
        """An effect with what it brings."""
        say = self.farfadet.words.say
        said = say(N_("{effect}: {gain}"), effect=say(EFFECTS[effect]), gain=say(GAINS[effect]))
        return ((said, "event"),)

    def _idleness(self) -> str:
        """Why we can play nothing, to translate."""
        state, me = self.view.state, self.view.me
        if me is None:
            return N_("You are looking on.")
        if not state.playing[me]:
            return N_("You are out of this round; it goes on without you.")
        if state.phase is Phase.PLAY:
            return N_("As things stand nothing you hold goes with an end: an ambush looms!")
        return " "

    def _nothing(self, canvas: Canvas, y: int, apart: int) -> None:
        """Nothing goes: say why, and offer to say so."""
        words, state = self.farfadet.words, self.view.state
        colours = ends(self.options.cards, state.trail)
        said = N_("Nothing in your hand goes with {left} or {right}.")
        if colours[0] is colours[1]:
            said = N_("Nothing in your hand goes with {left}.")
        left, right = [letter(words, colour) for colour in colours]
        canvas.pieces(3, y, words.tell(said, left=left, right=right))
        y += apart
        (target,) = self.targets()
        said = N_("show your hand: you are out of this round")
        if target.move == Stop():
            said = N_("end your gallop: it is the next player's turn")
        self._mark(canvas, 0, y, target)
        canvas.put(3, y, words.say(said), "event" if self.lit == target.move else "")
        self.spot(Region(0, y, canvas.width, 1), target)

    def _mark(self, canvas: Canvas, x: int, y: int, target: Target) -> None:
        """The key of a target; a dot instead where it only could be one."""
        lit = self.lit == target.move
        canvas.put(x, y, "▶" if lit else " ", "key")
        key = self.caps(target.keys[0]) if self.options.open else "·"
        canvas.put(x + 1, y, key, "aimed" if lit else "key")

    def _plays(self, canvas: Canvas, y: int, first: int, apart: int) -> None:
        """The plays, those of each end in a column of their own."""
        say, half, free = self.farfadet.words.say, canvas.width // 2, [first, first]
        if self.options.open:
            new = f" {say(NEW_END)} "
            for x, said in ((0, N_("on the left end")), (half, N_("on the right end"))):
                canvas.put(x + 2, y, f" {say(said)} ", "lit")
                canvas.put(x + 40 - cell_len(new), y, new, "dim")
        for target in self.targets():
            if isinstance(target.move, Play):
                end = target.move.end
                self._play(canvas, Region(end * half, free[end], half, 1), target, target.move)
                free[end] += apart

    def _play(self, canvas: Canvas, place: Region, target: Target, play: Play) -> None:
        """One play: its key, the square that covers, what that brings, the new end."""
        words, options = self.farfadet.words, self.options
        card = options.card(options.hand[play.card])
        if card is None:
            return
        x, y, lit = place.x, place.y, self.lit == play
        covering = card.squares[play.half]
        self._mark(canvas, x, y, target)
        canvas.pieces(x + 3, y, square(words, covering))
        style = "event" if lit else "" if options.open else "dim"
        canvas.put(x + 14, y, f"{self.voice.gain(covering.effect):<20} → ", style)
        new = letter(words, card.squares[1 - play.half].colour)
        canvas.pieces(x + 37, y, tuple((f" {part} ", ground) for part, ground in new))
        self.spot(place, target)

    def _spied(self, canvas: Canvas, y: int) -> None:
        """The two cards that we have looked at."""
        words, half = self.farfadet.words, canvas.width // 2
        for index, target in enumerate(self.targets()):
            x, lit = index * half, self.lit == target.move
            card = self.options.card(self.view.state.deck[index])
            self._mark(canvas, x, y + 1, target)
            paint_card(canvas, x + 3, y, words, card)
            if card is not None:
                canvas.put(x + CARD + 4, y + 1, words.count(GOLD, card.gold), "lit")
            if isinstance(self.lit, Keep):
                said = words.say(N_("back on top") if lit else N_("under the deck"))
                canvas.put(x + 5, y + 3, said, "event" if lit else "dim")
            self.spot(Region(x, y, half, 4), target)


def _centred(canvas: Canvas, middle: int, y: int, pieces: Pieces) -> None:
    canvas.pieces(middle - cell_len(text(pieces)) // 2, y, pieces)
