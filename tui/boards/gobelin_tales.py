"""What happens in Gobelin des bois, told as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.game import Face, Line, Seat, Tale
from rules.gobelin.pieces import Card, Effect, Phase, State
from tui.boards.gobelin_terms import GOLD, letter, mention
from tui.words import N_, NN_, Pieces, Words


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
        if self.words.aloud:
            gold = self.words.count(GOLD, card.gold)
            return self.words.tell(
                N_("{one} or {other} ({gold})"), one=first, other=second, gold=gold
            )
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
