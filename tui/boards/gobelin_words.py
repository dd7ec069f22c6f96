"""Gobelin des bois in words: what is asked, what moves mean, how to play."""

from __future__ import annotations

from typing import ClassVar, Final

from rules.game import Illegal, Line, Move, Seat, Slot, State, Tale
from rules.gobelin.pieces import Effect, Keep, Phase, Pick, Play, Show, Stop
from rules.gobelin.trail import LEFT, ends, squares
from rules.gobelin.turn import SPIED
from tui.boards import voices
from tui.boards.gobelin_options import Options
from tui.boards.gobelin_tales import Teller
from tui.boards.gobelin_terms import (
    GAINS,
    GOLD,
    IN_VAIN,
    LETTERS,
    STYLES,
    TRAIL,
    letter,
    mention,
)
from tui.boards.voices import AWAY, Sign
from tui.words import N_, NN_, Pieces, capital

RULES: Final = (
    N_(
        "Have the most gold at the end of a round, and do not fall into an ambush before. Who wins "
        "two rounds wins the game. Gold is on your treasures, which lie face down before you, and "
        "on the two cards in your hand."
    ),
    N_(
        "Each card has two squares. On your turn you must play a card: lay one of its squares on "
        "the left or on the right end of the trail. The two squares must have the same colour; a "
        "square of all colours, *, goes with everything. The other square of your card becomes the "
        "new end. The effect of the square you have laid happens, if it can. Then you draw."
    ),
    N_(
        "Chest: the top card of the deck becomes your treasure. Theft: steal a treasure. Swap: "
        "your other card changes places with a card in somebody's hand. Sheriff: somebody's "
        "treasure goes under the deck. Spy: look at the top two cards of the deck; one goes back "
        "on top, the other to the bottom. Gallop: draw, and play again."
    ),
    N_(
        "If none of your cards goes with either end, it is an ambush: you show your hand and are "
        "out of the round, with all your gold. After a gallop you just stop instead. The last one "
        "who is still in wins the round at once."
    ),
    N_(
        "A round ends with the turn in which the deck runs out. With three players the trail is "
        "first shuffled into a new deck once, with four players twice. If gold is equal, more "
        "cards win; if they are equal too, the round is played again. In each round eight cards "
        "are set aside unseen."
    ),
    N_(
        "Typed, 1al is square a of card 1 on the left end (1ar: on the right), b2 is the second "
        "card of player b."
    ),
)

SIGNS: Final = (
    Sign(LETTERS, N_("squares: all colours, red, yellow, green, blue"), STYLES),
    Sign(N_("RY3"), N_("a card with a red and a yellow square, and 3 gold"), ("event",)),
    Sign("▒▒▒", N_("a card that lies face down"), ("dim",)),
    Sign("▶", N_("whose turn it is"), ("key",)),
    Sign("● ○", N_("a round that was won, and one still to be won"), ("event", "")),
    AWAY,
)

HINTS: Final = {
    "play": N_("Cover an end of the trail with a square of its colour: a number, then Enter."),
    "effect": N_("The square you lay does what is written beside it; the other is the new end."),
    "hold": N_("Keep a card that goes with an end next time: nothing to lay is an ambush."),
    "gallop": N_("A gallop plays again at once. If nothing goes now, your turn just ends."),
    "ambush": N_("Nothing goes with either end: show your hand, and you are out of the round."),
    "pick": N_("Pick whose card it shall be by its number; nobody sees what it is before."),
    "order": N_("You alone see these two cards: the one you pick is the next to be drawn."),
    "wait": N_("While others play, the list shows what you could lay on the ends now."),
}

REFUSALS: Final = {
    "no-match": N_("Those two squares have different colours."),
    "could-play": N_("Something you hold goes with an end: you must play it."),
    "no-galop": N_("Only a gallop can be ended like this."),
    "any-end": N_("An end of all colours goes with every card: you must play one."),
    "no-such-card": N_("There is no such card."),
    "no-such-half": N_("A card has two squares, a and b."),
    "no-such-end": N_("The trail has two ends, l and r."),
    "own-card": N_("That card is yours already."),
    "out-of-round": N_("That player is out of this round."),
    "no-treasure": N_("That player has no treasure."),
    "empty-hand": N_("That player has no card in hand."),
    "deck-text": N_("A file of cards has at most 8192 characters."),
    "deck-toml": N_("This is no TOML. Start from the cards in docs/rules/gobelin.en.md."),
    "deck": N_("There is only one list in such a file, cards; {field} is wrong."),
    "deck-size": N_("There are 30 cards, not {field}."),
    "deck-card": N_("Card {card} has gold, a and b and no more; {field} is wrong or missing."),
    "deck-gold": N_("Card {card}: gold is a number from 0 to 5."),
    "deck-colour": N_("Card {card}, {field}: the colour is red, yellow, green, blue or any."),
    "deck-effect": N_(
        "Card {card}, {field}: the effect is coffre, vol, troc, sherif, espion, galop or none."
    ),
}

ASKS: Final = {
    Effect.VOL: N_("Theft! Which treasure do you steal?"),
    Effect.TROC: N_("Swap! Which card do you take for your other one?"),
    Effect.SHERIF: N_("Sheriff! Which treasure goes under the deck?"),
}
"""What is asked when a card is to be picked."""

TARGETS: Final = {
    Effect.VOL: (
        N_("Press the number of a treasure below: it becomes yours."),
        N_("Its face is hidden; when you have stolen it, you see it."),
    ),
    Effect.TROC: (
        N_("Press the number of a hand card below: it comes into your hand."),
        N_("The card you hold now goes to that player."),
    ),
    Effect.SHERIF: (
        N_("Press the number of a treasure below: its owner loses it."),
        N_("It goes under the deck, face down."),
    ),
}
"""How to pick, in two lines."""

PICKS: Final = {
    Effect.VOL: N_("Steal {who}'s treasure {n}"),
    Effect.TROC: N_("Take {who}'s card {n} for your other one"),
    Effect.SHERIF: N_("Bury {who}'s treasure {n} under the deck"),
}
"""What a pick does."""


class Voice(voices.Voice):
    """See ``tui/boards/voices.py``."""

    TITLE = N_("Gobelin des bois")
    RULES = RULES
    REFUSALS: ClassVar = REFUSALS
    DEALT_ANEW = N_("The hidden cards are dealt anew: hands have changed.")
    SIGNS = SIGNS
    HINTS: ClassVar = HINTS
    EXAMPLES = "1al   2br   show   stop   b2   keep 1"

    @property
    def options(self) -> Options:
        """What this player sees and can do."""
        return Options(self.view)

    @property
    def teller(self) -> Teller:
        """The words for what happens."""
        return Teller(self.words, self.view.names, self.view.me, self.options.cards)

    def headline(self) -> Pieces:
        """Round, deck and reshuffles."""
        say, state = self.words.say, self.view.state
        if not state.round:
            return ()
        parts = [say(N_("round {n}"), n=state.round), say(N_("deck {n}"), n=len(state.deck))]
        if state.reshuffles:
            parts.append(say(N_("reshuffles {n}"), n=state.reshuffles))
        pieces: Pieces = tuple((" · " + part, "") for part in parts)
        if state.ending:
            pieces = (*pieces, (" · ", ""), (say(N_("last turn")), "warning"))
        return pieces

    def question(self) -> Pieces:
        """What is to be played, picked or kept."""
        say, state = self.words.say, self.view.state
        if state.phase is Phase.TARGET:
            asked = say(ASKS[state.effect])
        elif state.phase is Phase.ORDER:
            asked = say(N_("Which card goes back on top of the deck? The other goes under it."))
        elif Stop() in self.view.moves:
            asked = say(N_("Nothing goes: your gallop ends here."))
        elif not self.options.plays():
            asked = say(N_("Nothing goes: you are in an ambush!"))
        elif state.galop:
            asked = say(N_("You gallop on! Cover an end with a square of its colour."))
        else:
            asked = say(N_("Your turn! Cover an end with a square of its colour."))
        return ((asked, "event"),)

    def lessons(self) -> tuple[str, ...]:
        """What the square that was laid asks for, else one thing after the other."""
        state, moves = self.view.state, self.view.moves
        if not moves:
            return ("wait",) if state.phase is Phase.PLAY and self.options.plays() else ()
        if state.phase is Phase.TARGET:
            return ("pick",)
        if state.phase is Phase.ORDER:
            return ("order",)
        if not self.options.plays():
            return ("gallop",) if state.galop else ("ambush",)
        return (*(("gallop",) if state.galop else ()), "play", "effect", "hold")

    def describe(self, move: Move) -> Pieces:
        """A move, with what it brings."""
        words, state, options = self.words, self.view.state, self.options
        match move:
            case Play():
                card = options.card(options.hand[move.card])
                if card is None:
                    return ()
                half = card.squares[move.half]
                said = N_("{square} on the right end: {gain}")
                if move.end == LEFT:
                    said = N_("{square} on the left end: {gain}")
                return words.tell(said, square=mention(words, half), gain=self.gain(half.effect))
            case Pick(seat, index):
                said = PICKS[state.effect]
                return words.tell(said, who=self.teller.who(seat), n=str(index + 1))
            case Keep(index):
                face = options.face(state.deck[index])
                if face is None:
                    return ()
                return words.tell(N_("{card} goes back on top"), card=self.teller.card(face))
            case Show():
                return words.tell(N_("Show your hand: you are out of this round"))
            case Stop():
                return words.tell(N_("End your gallop"))
        raise ValueError(type(move).__name__)

    def gain(self, effect: Effect) -> str:
        """What a square with this effect would bring us now."""
        return self.words.say(GAINS[effect] if self.options.possible(effect) else IN_VAIN)

    def sentence(self, state: State, tale: Tale) -> tuple[str, Pieces]:
        """The round, and what happened."""
        return str(max(1, state.round)), self.teller.tale(tale)

    def doing(self) -> Pieces:
        """What goes on between choices."""
        return self.teller.busy(self.view.state)

    def worth(self, line: Line) -> Pieces:
        """A line of the score."""
        return ((self.teller.worth(line), ""),)

    def forbids(self, move: Move) -> str | None:
        """As in any game; a move that only our hidden cards forbid has reasons of its own."""
        view = self.view
        if view.moves and move not in view.moves:
            try:
                view.game.check(view.state, view.me or 0, move)
            except Illegal as illegal:
                return illegal.code
            return "could-play" if move == Stop() else "no-match"
        return super().forbids(move)

    # For who reads the table line by line.

    def position(self) -> list[Pieces]:
        """The ends of the trail, our hand, the seats, then all faces we know."""
        words, state, options = self.words, self.view.state, self.options
        if not state.trail:
            return []
        left, right = [letter(words, colour) for colour in ends(options.cards, state.trail)]
        said = N_("left end: {left}; right end: {right}")
        lines: list[Pieces] = [words.tell(said, left=left, right=right)]
        for number, slot in enumerate(options.hand, 1):
            lines.append(self._card(N_("your card {n}: {card}"), number, slot))
        if options.mine and state.phase is Phase.ORDER:
            for number, slot in enumerate(state.deck[:SPIED], 1):
                lines.append(
                    self._card(N_("card {n} from the top of the deck: {card}"), number, slot)
                )
        return [*lines, *map(self._seat, range(state.seats)), *self._known()]

    def _card(self, said: str, number: int, slot: Slot, who: Pieces = ()) -> Pieces:
        """A card by its number; of a face that we do not know, only that."""
        face = self.options.face(slot)
        card = self.words.tell(N_("not seen")) if face is None else self.teller.card(face)
        return self.words.tell(said, n=str(number), card=card, who=who)

    def _seat(self, seat: Seat) -> Pieces:
        """How much a seat has, and what it has won."""
        words, state = self.words, self.view.state
        mine = seat == self.view.me
        who: Pieces = ((words.say(N_("you")), "me"),) if mine else self.teller.who(seat)
        won = words.count(_WON, state.wins[seat])
        if not state.playing[seat]:
            return words.tell(
                N_("{who}, {key}: out of this round; {won}"), who=who, key="abcd"[seat], won=won
            )
        said = N_("{who}, {key}: {hand}, {treasures}; {won}")
        gold = self.options.gold(seat)
        if gold is not None:
            said = N_("{who}, {key}: {hand}, {treasures}, {gold} in all; {won}")
        return words.tell(
            said,
            who=who,
            key="abcd"[seat],
            hand=words.count(_HAND, len(state.hands[seat])),
            treasures=words.count(_TREASURES, len(state.treasures[seat])),
            gold=words.count(GOLD, gold or 0),
            won=won,
        )

    def _known(self) -> list[Pieces]:
        """The faces before the seats that we have seen, but for those in our hand."""
        state, lines = self.view.state, list[Pieces]()
        for seat in range(state.seats):
            who = self.teller.who(seat)
            mine = seat == self.view.me
            rows = {N_("{who}'s hand card {n}: {card}"): () if mine else state.hands[seat]}
            said = N_("your treasure {n}: {card}") if mine else N_("{who}'s treasure {n}: {card}")
            rows[said] = state.treasures[seat]
            for said, slots in rows.items():
                for number, slot in enumerate(slots, 1):
                    if self.options.face(slot) is not None:
                        lines.append(capital(self._card(said, number, slot, who)))
        return lines

    def details(self) -> list[Pieces]:
        """The whole trail."""
        words, state = self.words, self.view.state
        if not state.trail:
            return []
        laid: Pieces = ()
        for number, card in enumerate(state.trail):
            left, right = [mention(words, half) for half in squares(self.options.cards, card)]
            laid = (*laid, ("; " if number else "", ""), *left, (", ", ""), *right)
        count = words.count(TRAIL, len(state.trail))
        return [words.tell(N_("{what}: {value}"), what=count, value=laid)]


_HAND: Final = NN_("{n} card in hand", "{n} cards in hand")
_TREASURES: Final = NN_("{n} treasure", "{n} treasures")
_WON: Final = NN_("{n} round won", "{n} rounds won")
