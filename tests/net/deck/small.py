"""A small game that goes on whoever leaves, and an eye that sees through everything in it.

After each request the eye, which has all secrets, looks at what every replica believes: that all of
them hold the same tokens, that these hide just the faces that are not open yet, and that everybody
has seen what it should have, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from net.deck.group import total
from net.deck.pack import Token
from net.deck.sealed import SealedDeck
from net.play.rounds import Redealt, Script
from rules.game import Face, Seat, Slot
from tests.net.deck.driver import Circle

Wish: TypeAlias = Callable[[SealedDeck], Script[Any]]
"""One request, as a script of a deck."""


@dataclass(frozen=True)
class Shuffling:
    """Seal faces."""

    faces: tuple[Face, ...]

    def __call__(self, deck: SealedDeck) -> Script[Any]:
        return deck.shuffle(self.faces)


@dataclass(frozen=True)
class Dealing:
    """Deal slots to a seat."""

    slots: tuple[Slot, ...]
    to: Seat

    def __call__(self, deck: SealedDeck) -> Script[Any]:
        return deck.deal(self.slots, self.to)


@dataclass(frozen=True)
class Opening:
    """Open slots."""

    slots: tuple[Slot, ...]

    def __call__(self, deck: SealedDeck) -> Script[Any]:
        return deck.open(self.slots)


Request: TypeAlias = Shuffling | Dealing | Opening

GAME: tuple[Request, ...] = (
    Shuffling((1, 1, 2, 3, 4, 5, 6, 6)),
    Dealing((0, 1), 0),
    Dealing((2, 3), 1),
    Opening((7,)),
    Dealing((0, 4), 1),
    Dealing((2,), 2),
    Shuffling((11, 12, 12)),
    Opening((0, 9)),
    Dealing((8, 5), 2),
    Dealing((8, 3), 0),
    Opening((3, 2)),
    Opening((10, 9, 8, 6, 5, 4, 1)),
    Opening((0, 7)),
)
"""Hands, a theft, a peek, two packs; at its end all is open. For three seats or more."""


def face_of(circle: Circle, token: Token) -> Face:
    """What ``token`` hides, by the secrets of all who sealed it."""
    keys = [circle.decks[seat]._party.key(token.pack.number) for seat in token.pack.keys]
    share = total(circle.group, (circle.group.mul(x, token.cipher.a) for x in keys))
    return token.pack.faces[circle.group.sub(token.cipher.b, share)]


class Game:
    """One run of ``GAME`` at ``circle``; ``returns`` has who is back before which request."""

    def __init__(
        self,
        circle: Circle,
        game: Iterable[Request] = GAME,
        returns: Mapping[int, Iterable[Seat]] | None = None,
    ) -> None:
        self.circle = circle
        self.open: dict[Slot, Face] = {}
        self.faces: Counter[Face] = Counter()
        self.slots = 0
        self.wanted: dict[Seat, set[Slot]] = {seat: set() for seat in range(circle.seats)}
        self.redealt = 0
        for at, request in enumerate(game):
            back = tuple((returns or {}).get(at, ()))
            if back:
                circle.back(back)
                self.serve(lambda deck, back=back: deck.welcome(back), once=True)  # type: ignore[misc]
                self.all_by_present()
            outcome = self.serve(request)
            match request:
                case Shuffling(faces):
                    self.faces.update(faces)
                    assert outcome == tuple(range(self.slots, self.slots + len(faces)))
                    self.slots += len(faces)
                case Dealing(slots, to):
                    self.wanted[to].update(slots)
                case Opening(slots):
                    assert tuple(slot for slot, _ in outcome) == slots
                    for slot, face in outcome:
                        assert self.open.setdefault(slot, face) == face
            self.look()

    def serve(self, wish: Wish, once: bool = False) -> Any:
        """What ``wish`` comes to, asked again when all has been dealt anew, unless ``once``."""
        while True:
            try:
                return self.circle.run(wish)
            except Redealt:
                self.redealt += 1
                self.look()
                self.all_by_present()
                if once:
                    return None

    def look(self) -> None:
        """See that all is as it should be."""
        first = self.circle.decks[0]
        for deck in self.circle.decks:
            assert deck._tokens == first._tokens
        truth = {slot: face_of(self.circle, token) for slot, token in first._tokens.items()}
        assert Counter(truth.values()) == self.faces
        assert self.open.items() <= truth.items()
        public = {slot for slot, token in first._tokens.items() if token.open}
        assert self.open.keys() <= public
        for deck in self.circle.decks:
            me = deck._party.me
            assert deck.sight.items() <= truth.items()
            allowed = self.wanted.get(me, set()) | public if me is not None else public
            assert deck.sight.keys() <= allowed
            assert deck.sight.keys() >= self.open.keys()
            if me is not None and me < self.circle.seats and me not in self.circle.absent:
                assert deck.sight.keys() >= self.wanted[me]

    def all_by_present(self) -> None:
        """What has just been sealed anew was sealed by all who are present, and only by them."""
        present = set(range(self.circle.seats)) - self.circle.absent
        for token in self.circle.decks[0]._tokens.values():
            assert token.open or present == token.pack.keys.keys()
