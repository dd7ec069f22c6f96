"""The deck a table plays with: shuffled by every seat, known to none, opened by all together.

Each shuffle makes one *pack*: every seat that is present is a *member* of it, with a key for it,
and a token's face is an ElGamal ciphertext under the sum of these keys. A member's *share* of a
token is its part of the decryption. All shares published: the token is open. All but those of seat
s: s alone sees it, by adding its own in private.

When a share cannot be had because a member is absent, the others stand in for it if the table has
escrow; otherwise all that is not open is sealed anew by those who are present, and dealt again.
``docs/sealed-deck.md`` tells the whole protocol, byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from net.deck import bodies, escrow
from net.deck.group import EDWARDS, Cipher, Group
from net.deck.pack import Lot, Pack, Token
from net.deck.party import Party
from net.deck.sealing import Sealed, seal
from net.deck.shares import Debt, ask_renewed, ask_shares, merge
from net.deck.standing import Member, Standing
from net.deck.verified import Verified
from net.play.rounds import Present, Redealt, Script, Void
from rules.game import Face, Seat, Slot

VERIFIED = Verified()
"""What this process has verified, whoever asks: see ``net/deck/verified.py``."""


class SealedDeck:
    """The tokens of the table with the id ``table``, as its member ``me`` knows them.

    With ``me`` and ``secret`` (32 bytes, this member's only, for this table only) it takes part;
    with ``None`` it follows and verifies all that is public. All randomness comes from ``secret``.
    The referee is the member whose index is the number of ``seats``. With ``standing`` the table
    has escrow, if it has three members or more.
    """

    def __init__(
        self,
        table: bytes,
        seats: int,
        me: Member | None,
        secret: bytes | None,
        group: Group = EDWARDS,
        verified: Verified = VERIFIED,
        standing: Standing | None = None,
    ) -> None:
        self._party = Party(table, seats, me, secret, group, verified, standing)
        self._packs = 0
        self._tokens: dict[Slot, Token] = {}
        self._sight: dict[Slot, Face] = {}

    @property
    def sight(self) -> Mapping[Slot, Face]:
        """The face of every slot that ``me`` has seen, opened ones included."""
        return MappingProxyType(self._sight)

    # What a game asks for.

    def shuffle(self, faces: tuple[Face, ...]) -> Script[tuple[Slot, ...]]:
        """Seal ``faces`` in an order that nobody knows; returns their new slots from the top."""
        if not faces:
            return ()
        pack, deck = yield from self._seal(faces)
        first = len(self._tokens)
        slots = tuple(range(first, first + len(deck)))
        for slot, cipher in zip(slots, deck, strict=True):
            self._tokens[slot] = Token(pack, cipher)
        return slots

    def open(self, slots: tuple[Slot, ...]) -> Script[tuple[tuple[Slot, Face], ...]]:
        """Turn ``slots`` face up; returns each with its face, in the order given.

        Raises ``Redealt`` if what is sealed had to be sealed anew.
        """
        if not (yield from self._gather(slots, None)):
            yield from self._reseal()
            raise Redealt
        faces = tuple((slot, self._tokens[slot].face(self._party.group)) for slot in slots)
        self._sight.update(faces)
        return faces

    def deal(self, slots: tuple[Slot, ...], to: Seat) -> Script[None]:
        """Let seat ``to`` see ``slots``, and nobody else who has not seen them yet.

        Nothing needs to be said of a slot that ``to`` has seen, or that lies open. A seat that is
        absent sees its slots when it is back. Raises ``Redealt`` like ``open``.
        """
        closed = tuple(
            slot
            for slot in dict.fromkeys(slots)
            if not self._tokens[slot].open and to not in self._tokens[slot].seen
        )
        ready = tuple(slot for slot in closed if to in self._tokens[slot].pack.keys)
        # Of a pack that was made without it, ``to`` can only be told when that is sealed anew.
        possible = len(ready) == len(closed) or to not in (yield from self._present())
        if not (possible and (yield from self._show(ready, to))):
            yield from self._reseal()
            raise Redealt
        for slot in closed:
            self._tokens[slot].seen.add(to)

    def welcome(self, seats: Iterable[Seat]) -> Script[None]:
        """``seats`` were absent and are back: nothing stays sealed that they have not shuffled.

        Raises ``Redealt`` if anything had to be sealed anew for that.
        """
        back = {seat for seat in seats if seat < self._party.seats}
        if any(back - token.pack.keys.keys() for token in self._closed().values()):
            yield from self._reseal()
            raise Redealt

    # Sealing.

    def _present(self) -> Script[tuple[Seat, ...]]:
        """The seats that are present, in order; ``Void`` if there is none."""
        present = yield Present()
        if not present:
            raise Void("nobody-present")
        return tuple(sorted(present))

    def _seal(self, faces: Sequence[Face]) -> Script[Sealed]:
        """Make a pack of ``faces`` by all who are present, all the way through."""
        while True:
            members = yield from self._present()
            self._packs += 1
            sealed = yield from seal(self._party, self._packs - 1, faces, members)
            if sealed is not None:
                return sealed

    def _closed(self) -> dict[Slot, Token]:
        """The tokens that are not open, by slot."""
        return {slot: token for slot, token in self._tokens.items() if not token.open}

    def _reseal(self) -> Script[None]:
        """Seal all that is not open anew, by those present, and deal it again to who had seen it.

        Starts over when one of them becomes absent.
        """
        while True:
            packs = {token.pack.number: token.pack for token in self._closed().values()}
            for pack in packs.values():
                yield from self._seal_again(pack)
            closed = self._closed()
            done = True
            for seat in (yield from self._present()):
                seen = tuple(slot for slot, token in closed.items() if seat in token.seen)
                done = done and (yield from self._show(seen, seat))
            members = {seat for token in closed.values() for seat in token.pack.keys}
            if done and members <= set((yield from self._present())):
                return

    def _seal_again(self, pack: Pack) -> Script[None]:
        """Put the faces of ``pack`` that are not open into its slots that are not, in a new order.

        Some slots may have been opened by shares that were published for another's sake.
        """
        group = self._party.group
        slots, left = list[Slot](), dict(pack.faces)
        for slot, token in self._tokens.items():
            if token.pack is pack and token.open:
                self._sight[slot] = left.pop(token.point(group))
            elif token.pack is pack:
                slots.append(slot)
        sealed, deck = yield from self._seal(tuple(left.values()))
        for slot, cipher in zip(slots, deck, strict=True):
            self._tokens[slot] = Token(sealed, cipher, seen=self._tokens[slot].seen)
            self._sight.pop(slot, None)

    # Opening and showing.

    def _show(self, slots: tuple[Slot, ...], to: Seat) -> Script[bool]:
        """Publish all shares of ``slots``, which ``to`` helped to make, but its own.

        Returns whether they could all be had.
        """
        # Once ``to`` has published its share of a ciphertext, all other shares would open it to
        # everybody: it gets a fresh ciphertext first.
        stale = tuple(slot for slot in slots if to in self._tokens[slot].shares)
        if stale:
            yield from self._renew(stale, to)
        if not (yield from self._gather(slots, to)):
            return False
        if to == self._party.me:
            for slot in slots:
                token, group = self._tokens[slot], self._party.group
                own = group.mul(self._party.key(token.pack.number), token.cipher.a)
                self._sight[slot] = token.face(group, own)
        return True

    def _renew(self, slots: Sequence[Slot], to: Seat) -> Script[None]:
        """Give each of ``slots`` a new ciphertext of the same face: made by ``to`` if it is there.

        Otherwise by all who are.
        """
        lots, renewed = self._lots(slots), dict[Seat, tuple[Cipher, ...]]()
        while not renewed:
            present = yield from self._present()
            makers = (to,) if to in present else present
            given = yield from ask_renewed(self._party, lots, makers)
            renewed = {seat: bodies.ciphers(points) for seat, points in given.items()}
        made = zip(*renewed.values(), strict=True)
        for token, ciphers in zip((t for lot in lots for t in lot.tokens), made, strict=True):
            token.cipher = merge(self._party, token.cipher, ciphers)
            token.shares.clear()

    def _gather(self, slots: Sequence[Slot], without: Seat | None) -> Script[bool]:
        """Publish every share of ``slots`` that is not public yet, but for seat ``without``'s.

        Returns whether all of them could be had; if not, some may have been.
        """
        while owed := self._owed(slots, without):
            present = yield from self._present()
            asked = {seat: debts for seat, debts in owed.items() if seat in present}
            missing = [debt for seat, debts in owed.items() if seat not in asked for debt in debts]
            if not all(self._covered(debt, present) for debt in missing):
                return False
            if asked:
                for seat, shares in (yield from ask_shares(self._party, "share", asked)).items():
                    tokens = (token for debt in asked[seat] for token in debt.lot.tokens)
                    for token, share in zip(tokens, shares, strict=True):
                        token.shares[seat] = share
            elif not (yield from self._stand_in(missing)):
                return False
        return True

    def _owed(self, slots: Sequence[Slot], without: Seat | None) -> dict[Seat, list[Debt]]:
        """Who owes which shares of ``slots``, seat ``without`` excepted."""
        owed = {}
        for seat in range(self._party.seats):
            lots = self._lots(
                [
                    slot
                    for slot in slots
                    if seat in self._tokens[slot].pack.keys
                    and seat not in self._tokens[slot].shares
                ]
            )
            if lots and seat != without:
                owed[seat] = [Debt(seat, lot) for lot in lots]
        return owed

    def _covered(self, debt: Debt, present: Sequence[Seat]) -> bool:
        """Whether those who must stand in for the debt's owner are there, as far as we know."""
        deposit = debt.lot.pack.deposits.get(debt.owner)
        seats = range(self._party.seats)
        return deposit is not None and all(
            holder in present for holder in deposit.masked if holder in seats
        )

    def _stand_in(self, missing: Sequence[Debt]) -> Script[bool]:
        """Have shares made for absent owners by all others; returns whether all of them did."""
        owed: dict[Member, list[Debt]] = {}
        for debt in missing:
            for holder in debt.lot.pack.deposits[debt.owner].masked:
                owed.setdefault(holder, []).append(debt)
        owed = {holder: owed[holder] for holder in sorted(owed)}
        found = yield from ask_shares(self._party, "stead", owed)
        if found.keys() != owed.keys():
            return False
        given = {holder: iter(shares) for holder, shares in found.items()}
        for owner, lot in missing:
            holders = lot.pack.deposits[owner].masked
            for token in lot.tokens:
                shares = {holder + 1: next(given[holder]) for holder in holders}
                token.shares[owner] = escrow.recover(self._party.group, shares, len(shares))
        return True

    def _lots(self, slots: Sequence[Slot]) -> tuple[Lot, ...]:
        """The tokens of ``slots``, each once, in the order of slots, by pack."""
        packs: dict[int, list[Token]] = {}
        for slot in sorted(set(slots)):
            packs.setdefault(self._tokens[slot].pack.number, []).append(self._tokens[slot])
        return tuple(Lot(tokens[0].pack, tuple(tokens)) for tokens in packs.values())
