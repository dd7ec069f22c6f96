"""One replica's part in a deck: who plays, who we are, and the secrets that only we can use."""

from __future__ import annotations

from collections.abc import Sequence

from net.deck.group import Claim, Group, Point
from net.deck.pack import Pack
from net.deck.standing import Member, Standing, own_piece
from net.deck.verified import Verified
from net.play.digest import digest, number
from net.play.rounds import Here
from net.play.stream import Stream
from rules.game import Seat


class Party:
    """What every part of the deck's protocol needs to know; see ``SealedDeck`` for the parts."""

    def __init__(
        self,
        table: bytes,
        seats: int,
        me: Member | None,
        secret: bytes | None,
        group: Group,
        verified: Verified,
        standing: Standing | None,
    ) -> None:
        if (me is None) != (secret is None):
            raise ValueError("a seat has a secret; who has no seat has none")
        if me is not None and not 0 <= me <= seats:
            raise ValueError("we are a seat, or the referee")
        if standing is not None:
            standing.check(seats, me)
        self.table = table
        self.seats = seats
        self.me = me
        self.group = group
        self.verified = verified
        self.standing = standing
        self._secret = secret
        self._made: set[bytes] = set()

    @property
    def member(self) -> Member:
        """Our own index, for those who have one."""
        assert self.me is not None
        return self.me

    @property
    def secret(self) -> bytes:
        """Our own secret, for those who have one."""
        assert self._secret is not None
        return self._secret

    @property
    def referee(self) -> tuple[Member, ...]:
        """The referee, if it is one of those who stand in for others."""
        return () if self.standing is None else tuple(range(self.seats, len(self.standing.keys)))

    def holders(self, members: Sequence[Seat], owner: Seat) -> tuple[Member, ...]:
        """Who holds pieces of ``owner``'s key to a pack of ``members``: nobody without escrow.

        All of them are needed to stand in for the owner. One alone would hold its whole key.
        """
        if self.standing is None:
            return ()
        others = (*(member for member in members if member != owner), *self.referee)
        return others if len(others) > 1 else ()

    def context(self, here: Here, member: Member, pack: int) -> bytes:
        """What every hash about ``member``'s contribution to this step contains."""
        return digest(b"farfadet deck", here.context(member), number(pack), number(self.seats))

    def key(self, pack: int) -> int:
        """Our secret key for the pack with this number."""
        stream = Stream(self.secret, b"deck key", self.table, number(pack))
        return 1 + stream.below(self.group.order - 1)

    def exponent(self, pack: Pack, owner: Seat) -> int:
        """What we make shares with: our own key, or our piece of another ``owner``'s."""
        if owner == self.me:
            return self.key(pack.number)
        assert self.standing is not None
        return own_piece(self.standing, pack.deposits[owner], self.member)

    def public(self, pack: Pack, owner: Seat, member: Member) -> Point:
        """What ``member``'s shares with its ``exponent`` are proved against."""
        if owner == member:
            return pack.keys[owner]
        return pack.deposits[owner].key(self.group, member)

    # Own work need not be checked when it comes back.

    def mark(self, here: Here, body: bytes) -> bytes:
        """Remember that we made ``body``."""
        self._made.add(digest(b"farfadet made", here.context(self.member), body))
        return body

    def marked(self, here: Here, member: Member, body: bytes) -> bool:
        """Whether we made ``body``."""
        return digest(b"farfadet made", here.context(member), body) in self._made

    def check_points(self, claims: Sequence[Claim]) -> None:
        """``Fault("point")`` unless all ``claims`` are points."""

        def check() -> None:
            for claim in claims:
                self.group.decode(claim)

        self.verified.once(b"points", (self.group.name, *claims), check)
