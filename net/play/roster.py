"""Who is at a table: its members, who of them is absent, and how one comes back.

The seats are members 0 to n - 1; the referee, if there is one, is member n. Who has been ruled
absent (``net/play/ballots.py``) signs a *back* message for the very place where it became absent;
those who are there hand it on in the next *roll* (``net/play/course.py``), and from then on it is
waited for.
"""

from __future__ import annotations

from collections.abc import Iterable

from net.play import wire
from net.play.rounds import Here
from net.play.wire import Message, Refusal
from rules.game import Seat

BACK = "back"
"""The kind of message that says: I am here again."""


class Roster:
    """The members of the table with the id ``table``, by their public ``keys``; ``seats`` play."""

    def __init__(self, table: bytes, keys: tuple[bytes, ...], seats: int) -> None:
        self.table = table
        self.keys = keys
        self.members = frozenset(range(len(keys)))
        self.seats = frozenset(range(seats))
        self.backs: dict[Seat, bytes] = {}
        """Of absent members: the signed messages by which they want to come back."""
        self._since: dict[Seat, Here] = {}

    @property
    def absent(self) -> frozenset[Seat]:
        """The members nobody waits for."""
        return frozenset(self._since)

    @property
    def present(self) -> frozenset[Seat]:
        """The members who are there, the referee included."""
        return self.members - self._since.keys()

    def since(self, member: Seat) -> Here | None:
        """The place at which ``member`` became absent; ``None`` if it is not."""
        return self._since.get(member)

    def rule(self, members: Iterable[Seat], place: Here) -> None:
        """``members`` are absent from ``place`` on: the first step that does not wait for them."""
        for member in members:
            self._since[member] = place

    def admit(self, members: Iterable[Seat]) -> None:
        """``members`` are back."""
        for member in members:
            self._since.pop(member, None)
            self.backs.pop(member, None)

    def take(self, message: Message) -> None:
        """Keep a back message; raises ``Refusal`` if its sender is not absent since just then."""
        place = self._since.get(message.seat)
        if self.backs.get(message.seat) == message.data:
            raise Refusal("known")
        if message.kind != BACK or place is None:
            raise Refusal("not-absent")
        if (message.table, message.step, message.prev) != (self.table, place.step, place.prev):
            raise Refusal("not-absent")
        if message.seq != 0 or message.packed != wire.pack(None):
            raise Refusal("back")
        if not message.signed_by(self.keys[message.seat]):
            raise Refusal("signature")
        self.backs[message.seat] = message.data

    def read(self, body: object) -> frozenset[Seat]:
        """The members whose back messages are in the body of a roll; raises ``Refusal``."""
        if not isinstance(body, list) or len(body) > len(self.keys):
            raise Refusal("roll")
        found = set[Seat]()
        for item in body:
            if not isinstance(item, bytes):
                raise Refusal("roll")
            message = wire.parse(item)
            if message.seat not in self.members:
                raise Refusal("roll")
            if self.backs.get(message.seat) != item:
                self.take(message)
            found.add(message.seat)
        return frozenset(found)

    def called(self) -> list[bytes]:
        """The back messages we have, by member: the body of our part of a roll."""
        return [self.backs[member] for member in sorted(self.backs)]
