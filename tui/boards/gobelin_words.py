"""Gobelin des bois in words: squares, cards, moves, what happened, how to play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.game import Face, Line, Seat, Tale
from rules.gobelin.pieces import Card, Colour, Effect, Phase, Square, State
from tui.words import N_, NN_, Pieces, Words

LETTERS: Final = N_("* R Y G B")
"""The letters of all colours, red, yellow, green, blue. French: rouge, jaune, vert, bleu."""

STYLES: Final = ("white", "red", "yellow", "green", "blue")

EFFECTS: Final = (
    N_("nothing"),
    N_("chest"),
    N_("theft"),
    N_("swap"),
    N_("sheriff"),
    N_("spy"),
    N_("gallop"),
)
"""The effects, in at most seven cells."""

ANY: Final = N_("any")
"""Stands for the effect of a square of all colours that has none."""

SQUARE: Final = 10
"""Cells of a square: a blank, the letter, a blank, the effect."""

GAINS: Final = (
    N_("no effect"),
    N_("take the top card"),
    N_("steal a treasure"),
    N_("exchange a hand card"),
    N_("bury a treasure"),
    N_("peek at the deck"),
    N_("play again"),
)
"""What each effect brings, in at most 20 cells."""

IN_VAIN: Final = N_("no effect now")
"""What an effect brings that is not possible."""

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
        "Cards in short: RY3 has a red and a yellow square and 3 gold, ▒▒▒ lies face down. What "
        "others hold is pale if you have seen it. ● is a round won, ▶ shows whose turn it is. "
        "Typed, 1al is square a of card 1 on the left end (1ar: on the right), b2 is the second "
        "card of player b."
    ),
)

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


def letter(words: Words, colour: Colour) -> Pieces:
    """A colour, as its letter on its ground."""
    return ((words.say(LETTERS).split()[colour], STYLES[colour]),)


def square(words: Words, half: Square) -> Pieces:
    """A square as it is drawn, ``SQUARE`` cells wide."""
    return ((f" {_named(words, half):<{SQUARE - 1}}", STYLES[half.colour]),)


def mention(words: Words, half: Square) -> Pieces:
    """A square within a sentence, which is not broken inside it."""
    return ((words.fold(_named(words, half).replace(" ", "·")), STYLES[half.colour]),)


def mini(words: Words, card: Card) -> Pieces:
    """A card in three cells: its colours and its gold."""
    letters = words.say(LETTERS).split()
    halves = tuple((letters[half.colour], STYLES[half.colour]) for half in card.squares)
    return (*halves, (str(card.gold), "lit"))


def _named(words: Words, half: Square) -> str:
    blank = half.colour is Colour.ANY and half.effect is Effect.NONE
    name = words.say(ANY if blank else EFFECTS[half.effect])
    return f"{words.say(LETTERS).split()[half.colour]} {name}"


class Teller:
    """Puts this game into words for one player; ``cards`` is the deck."""

    def __init__(
        self, words: Words, names: tuple[str, ...], me: Seat | None, cards: Sequence[Card]
    ) -> None:
        self.words = words
        self.names = names
        self.me = me
        self.cards = cards

    def who(self, seat: Seat) -> Pieces:
        """A player's name."""
        return ((self.names[seat], "name"),)

    def card(self, face: Face) -> Pieces:
        """A whole card within a sentence."""
        card = self.cards[face]
        first, second = [mention(self.words, half) for half in card.squares]
        return (*first, ("/", "dim"), *second, (f"·{card.gold}", "lit"))

    def hand(self, faces: Sequence[Face]) -> Pieces:
        """Several cards within a sentence."""
        return self.words.several([self.card(face) for face in faces])

    def tale(self, tale: Tale) -> Pieces:
        """One thing that happened, as a sentence."""
        tell, me = self.words.tell, self.me
        match (tale.code, *tale.facts):
            case ("start", int(number), int(face)):
                said = N_("Round {n} begins; the trail starts with {card}.")
                return tell(said, n=str(number), card=self.card(face))
            case ("play", int(seat), int(face), int(half), int(end)):
                squares = self.cards[face].squares
                return tell(
                    _PLAYS[seat == me, end],
                    who=self.who(seat),
                    square=mention(self.words, squares[half]),
                    end=letter(self.words, squares[1 - half].colour),
                )
            case ("vol" | "troc" | "sherif", int(seat), int(victim)):
                said = _ROBBERIES[tale.code][0 if seat == me else 1 if victim == me else 2]
                return tell(said, who=self.who(seat), victim=self.who(victim))
            case ("skipped", _, int(effect)):
                return tell(_SKIPPED[effect])
            case ("reshuffle", int(left)):
                said = self.words.count(_RESHUFFLES, left)
                return ((said, "event"),)
            case ("ambush" | "shown" | "stop-shown", int(seat), tuple(faces)):
                said = _SHOWS[tale.code][seat != me]
                return tell(said, who=self.who(seat), cards=self.hand(faces))
            case ("count", tuple(golds), tuple(numbers)):
                return self._count(golds, numbers)
            case (_, int(seat)) if tale.code in _DEEDS:
                return tell(_DEEDS[tale.code][seat != me], who=self.who(seat))
            case (_,) if tale.code in _EVENTS:
                return ((self.words.say(_EVENTS[tale.code]), "warning"),)
        raise ValueError(tale.code)

    def _count(self, golds: Sequence[int], numbers: Sequence[int]) -> Pieces:
        tell, count = self.words.tell, self.words.count
        counted = [
            tell(
                N_("{who} {gold} ({cards})"),
                who=((self.words.say(N_("you")), "me"),) if seat == self.me else self.who(seat),
                gold=((count(GOLD, gold), "lit"),),
                cards=count(_CARDS, number),
            )
            for seat, (gold, number) in enumerate(zip(golds, numbers, strict=True))
            if gold >= 0
        ]
        return tell(N_("The gold is counted: {counts}."), counts=self.words.several(counted))

    def busy(self, state: State) -> Pieces:
        """What is going on."""
        if state.phase in _BUSY:
            return ((self.words.say(_BUSY[state.phase]), ""),)
        if state.turn is None or (state.phase is Phase.PLAY and state.turn == self.me):
            return ()
        said = _CHOOSING.get(state.phase, "")
        if state.phase is Phase.TARGET:
            said = _AIMING[state.effect]
        elif state.phase is Phase.PLAY and state.galop:
            said = N_("{who} gallops on")
        return self.words.tell(said, who=self.who(state.turn)) if said else ()

    def worth(self, line: Line) -> str:
        """A line of the score, without its points."""
        return self.words.count(_LINES[line.code], line.count)


GOLD: Final = NN_("{n} gold", "{n} gold")

TRAIL: Final = NN_("trail: {n} card", "trail: {n} cards")

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

_BUSY: Final = {
    Phase.LOTS: N_("drawing who goes first"),
    Phase.DRAW: N_("drawing who goes first"),
    Phase.PACK: N_("shuffling the cards"),
    Phase.SEATING: N_("dealing the cards"),
    Phase.START: N_("turning up the first card"),
    Phase.SHUFFLE: N_("shuffling the trail into a new deck"),
    Phase.COUNT: N_("counting the gold"),
    Phase.OVER: N_("the game is over"),
}
_CHOOSING: Final = {
    Phase.PLAY: N_("{who} is choosing a card"),
    Phase.UNCOVER: N_("{who} plays a card"),
    Phase.SPY: N_("{who} spies on the deck"),
    Phase.ORDER: N_("{who} spies on the deck"),
    Phase.AMBUSH: N_("{who} shows the hand"),
}
_AIMING: Final = {
    Effect.VOL: N_("{who} picks a treasure to steal"),
    Effect.TROC: N_("{who} picks a card to swap"),
    Effect.SHERIF: N_("{who} picks a treasure to bury"),
}
_CARDS: Final = NN_("{n} card", "{n} cards")
_PLAYS: Final = {
    (True, 0): N_("You cover the left end with {square}; new end: {end}."),
    (True, 1): N_("You cover the right end with {square}; new end: {end}."),
    (False, 0): N_("{who} covers the left end with {square}; new end: {end}."),
    (False, 1): N_("{who} covers the right end with {square}; new end: {end}."),
}
_ROBBERIES: Final = {
    "vol": (
        N_("You steal a treasure from {victim}!"),
        N_("{who} steals a treasure from you!"),
        N_("{who} steals a treasure from {victim}!"),
    ),
    "troc": (
        N_("You swap a hand card with {victim}."),
        N_("{who} swaps a hand card with you."),
        N_("{who} swaps a hand card with {victim}."),
    ),
    "sherif": (
        N_("Your sheriff buries a treasure of {victim}'s under the deck."),
        N_("{who}'s sheriff buries one of your treasures under the deck!"),
        N_("{who}'s sheriff buries a treasure of {victim}'s under the deck."),
    ),
}
"""Done by us, to us, among others."""

_DEEDS: Final = {
    "first": (N_("You go first."), N_("{who} goes first.")),
    "coffre": (
        N_("The top card of the deck becomes your treasure."),
        N_("The top card of the deck becomes a treasure of {who}'s."),
    ),
    "espion": (
        N_("You have looked at the top two cards of the deck."),
        N_("{who} has looked at the top two cards of the deck."),
    ),
    "galop": (N_("You gallop on: play again!"), N_("{who} gallops on and plays again.")),
    "stop": (
        N_("Nothing goes: your gallop ends here."),
        N_("{who} can play nothing more: the gallop ends."),
    ),
    "last-one": (
        N_("All others are out of the round!"),
        N_("{who} is the only one still in the round."),
    ),
    "round-won": (N_("You win the round!"), N_("{who} wins the round!")),
}
_SHOWS: Final = {
    "ambush": (
        N_("An ambush! You are out of the round with {cards}."),
        N_("An ambush! {who} is out of the round with {cards}."),
    ),
    "shown": (
        N_("You show {cards}; something goes, so it is played."),
        N_("{who} shows {cards}; something goes, so it is played."),
    ),
    "stop-shown": (
        N_("You show {cards}: nothing goes, your gallop ends here."),
        N_("{who} shows {cards}: nothing goes, the gallop ends."),
    ),
}
_SKIPPED: Final = (
    N_("Nothing happens."),
    N_("The deck is empty: no chest to take."),
    N_("There is no treasure to steal."),
    N_("There is nothing to swap."),
    N_("The sheriff finds no treasure."),
    N_("There are too few cards to spy on."),
    N_("There is no gallop any more."),
)
_EVENTS: Final = {
    "deck-out": N_("The deck has run out: the round ends with this turn!"),
    "replay": N_("All is equal, gold and cards: this round is played again!"),
}
_RESHUFFLES: Final = NN_(
    "All of the trail but its ends becomes the new deck ({n} reshuffle left).",
    "All of the trail but its ends becomes the new deck ({n} reshuffles left).",
)
_LINES: Final = {"round": NN_("{n} round won", "{n} rounds won")}
