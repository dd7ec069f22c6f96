"""The deck a table plays with: shuffled by every seat, known to none, opened by all together.

Each shuffle makes one *pack*: every seat has a key for it, and a token's face is an ElGamal
ciphertext under the sum of these keys. A seat's *share* of a token is its part of the decryption.
All shares published: the token is open. All but those of seat s: s alone sees it, by adding its own
in private. ``docs/sealed-deck.md`` tells the whole protocol, byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from net.deck import bodies, shuffle, sigma
from net.deck.group import EDWARDS, Cipher, Claim, Group, Point, total
from net.deck.pack import Lot, Pack, Token, cards, count
from net.deck.verified import Verified
from net.digest import SIZE, digest, number
from net.rounds import Fault, Gate, Here, Job, Round, Script, Start, Void
from net.stream import Stream
from rules.game import Face, Seat, Slot

FEW = 4
"""Up to so many tokens are worked on at once; for more, the work is a ``Job``."""

VERIFIED = Verified()
"""What this process has verified, whoever asks: see ``net/deck/verified.py``."""


Checks: TypeAlias = Sequence[Callable[[], None]]
"""Pure checks that raise ``Fault``, in the order they are to be run."""


class Unsound(Void):
    """The deck contradicts itself although every proof in it holds. Convicts nobody.

    No seat can bring this about without breaking the proofs, and nothing tells who did: the game
    is void.
    """


class SealedDeck:
    """The tokens of the table with the id ``table``, as seat ``me`` knows them.

    With ``me`` and ``secret`` (32 bytes, this seat's only, for this table only) it takes part; with
    ``None`` it follows and verifies all that is public. All randomness comes from ``secret``.
    """

    def __init__(
        self,
        table: bytes,
        seats: int,
        me: Seat | None,
        secret: bytes | None,
        group: Group = EDWARDS,
        verified: Verified = VERIFIED,
    ) -> None:
        if (me is None) != (secret is None):
            raise ValueError("a seat has a secret; who has no seat has none")
        self._table = table
        self._seats = tuple(range(seats))
        self._me = me
        self._secret = secret
        self._group = group
        self._verified = verified
        self._made: set[bytes] = set()
        self._packs = 0
        self._tokens: dict[Slot, Token] = {}
        self._sight: dict[Slot, Face] = {}

    @property
    def sight(self) -> Mapping[Slot, Face]:
        """The face of every slot that ``me`` has seen, opened ones included."""
        return MappingProxyType(self._sight)

    # Shuffling.

    def shuffle(self, faces: tuple[Face, ...]) -> Script[tuple[Slot, ...]]:
        """Seal ``faces`` in an order that nobody knows; returns their new slots from the top."""
        if not faces:
            return ()
        current = self._packs
        self._packs += 1
        points = cards(self._group, len(faces))
        keys = yield from self._agree(current)
        joint = total(self._group, keys)
        if joint == self._group.identity:
            raise Unsound("keys-cancel")
        pack = Pack(current, keys, joint, dict(zip(points, faces, strict=True)))
        deck = tuple(
            Cipher(self._group.generator, self._group.add(point, joint)) for point in points
        )
        others = len(self._seats) - (self._me is not None)
        proofs: list[tuple[Seat, Job]] = []
        for seat in self._seats:
            sent = yield Round(
                "shuffled",
                (seat,),
                partial(self._seal, pack, deck),
                partial(self._read_sealed, pack, deck),
            )
            claims, check, ours = sent[seat]
            if not ours:
                # The next seat computes with these points, so they are validated before it does.
                yield Gate(((seat, Job("points", partial(self._check_points, claims))),))
            deck = bodies.ciphers([Point(claim) for claim in claims])
            if not ours:
                proofs.append((seat, Job("proof", partial(check, deck), others)))
                yield Start((proofs[-1],))
        yield Gate(tuple(proofs))
        first = len(self._tokens)
        slots = tuple(range(first, first + len(deck)))
        for slot, cipher in zip(slots, deck, strict=True):
            self._tokens[slot] = Token(pack, cipher)
        return slots

    def _agree(self, pack: int) -> Script[tuple[Point, ...]]:
        """Every seat's key for this pack: hashed first, so that no key depends on another."""

        def hashed(here: Here, seat: Seat, key: bytes) -> bytes:
            return digest(b"farfadet keyhash", self._context(here, seat, pack), key)

        def make_hash(here: Here) -> bytes:
            return hashed(here, self._seat, self._group.base(self._key(pack)))

        def read_hash(here: Here, seat: Seat, body: Any) -> Callable[[bytes], bool]:
            expected = bodies.sized(body, SIZE)
            return lambda key: hashed(here, seat, key) == expected

        hashes = yield Round("keyhash", self._seats, make_hash, read_hash)

        def make_key(here: Here) -> bytes:
            x = self._key(pack)
            key = self._group.base(x)
            context = self._context(here, self._seat, pack)
            return key + sigma.prove_key(self._group, context, x, key, self._own)

        def read_key(here: Here, seat: Seat, body: Any) -> Point:
            size = self._group.point_size
            raw = bodies.sized(body, size + sigma.proof_size(self._group))
            if not hashes[seat](raw[:size]):
                raise Fault("key-hash")
            key = self._group.decode(raw[:size])
            sigma.check_key(self._group, self._context(here, seat, pack), key, raw[size:])
            return key

        keys = yield Round("key", self._seats, make_key, read_key)
        return tuple(keys[seat] for seat in self._seats)

    def _seal(self, pack: Pack, deck: Sequence[Cipher], here: Here) -> Job:
        group, secret = self._group, self._own
        context = self._context(here, self._seat, pack.number)

        def run() -> bytes:
            # Bound to the deck it is for: used on two decks, the same randomness would tell them
            # apart. (The context binds it too, through the hash of all that came before.)
            stream = Stream(secret, b"deck shuffle", context, pack.joint, *bodies.points(deck))
            order = stream.permutation(len(deck))
            exponents = [stream.below(group.order) for _ in deck]
            after = shuffle.reencrypt(group, pack.joint, deck, order, exponents)
            proof = shuffle.prove(group, context, pack.joint, deck, after, order, exponents, secret)
            return self._mark(here, b"".join(bodies.points(after)) + proof.write(group))

        return Job("seal", run)

    def _read_sealed(
        self, pack: Pack, before: Sequence[Cipher], here: Here, seat: Seat, body: Any
    ) -> tuple[tuple[Claim, ...], Callable[[Sequence[Cipher]], None], bool]:
        """The claimed points of the new deck, the check of its proof, and if both are our own."""
        group, count = self._group, len(before)
        end = 2 * count * group.point_size
        raw = bodies.sized(body, end + shuffle.proof_size(group, count))
        claims = bodies.claims(group, raw[:end])
        proof = shuffle.read_proof(group, count, raw[end:])
        context = self._context(here, seat, pack.number)

        def check(after: Sequence[Cipher]) -> None:
            self._verified.once(
                b"shuffle",
                (group.name, context, pack.joint, *bodies.points(before), raw),
                lambda: shuffle.verify(group, context, pack.joint, before, after, proof),
            )

        return claims, check, self._marked(here, seat, raw)

    def _check_points(self, claims: Sequence[Claim]) -> None:
        def check() -> None:
            for claim in claims:
                self._group.decode(claim)

        self._verified.once(b"points", (self._group.name, *claims), check)

    # Opening and dealing.

    def open(self, slots: tuple[Slot, ...]) -> Script[tuple[tuple[Slot, Face], ...]]:
        """Turn ``slots`` face up; returns each with its face, in the order given."""
        yield from self._gather(slots, None)
        faces = tuple((slot, self._face(self._tokens[slot], None)) for slot in slots)
        self._sight.update(faces)
        return faces

    def deal(self, slots: tuple[Slot, ...], to: Seat) -> Script[None]:
        """Let seat ``to`` see ``slots``, and nobody else who has not seen them yet.

        Nothing needs to be said of a slot that ``to`` has seen, or that lies open.
        """
        closed = tuple(slot for slot in dict.fromkeys(slots) if self._hides(slot, to))
        # Once ``to`` has published its share of a ciphertext, all other shares would open it to
        # everybody: it gets a fresh ciphertext first.
        stale = tuple(slot for slot in closed if to in self._tokens[slot].shares)
        if stale:
            yield from self._renew(stale, to)
        yield from self._gather(closed, to)
        for slot in closed:
            token = self._tokens[slot]
            token.seen.add(to)
            if to == self._me:
                own = self._group.mul(self._key(token.pack.number), token.cipher.a)
                self._sight[slot] = self._face(token, own)

    def _hides(self, slot: Slot, seat: Seat) -> bool:
        token = self._tokens[slot]
        return seat not in token.seen and len(token.shares) < len(self._seats)

    def _face(self, token: Token, own: Point | None) -> Face:
        """The face of a token, all shares being published but for, perhaps, our ``own``."""
        shares = (*token.shares.values(), *(() if own is None else (own,)))
        point = self._group.sub(token.cipher.b, total(self._group, shares))
        if point not in token.pack.faces:
            raise Unsound("no-face")
        return token.pack.faces[point]

    def _gather(self, slots: Sequence[Slot], without: Seat | None) -> Script[None]:
        """Publish every share of ``slots`` that is not public yet, but for seat ``without``'s."""
        owed = {
            seat: self._lots([s for s in slots if seat not in self._tokens[s].shares])
            for seat in self._seats
            if seat != without
        }
        owed = {seat: lots for seat, lots in owed.items() if lots}
        if not owed:
            return
        found = yield Round(
            "share",
            tuple(owed),
            lambda here: self._make_shares(owed[self._seat], here),
            lambda here, seat, body: self._read_shares(owed[seat], here, seat, body),
        )
        yield from self._settle((seat, checks) for seat, (_, checks) in found.items())
        for seat, (shares, _) in found.items():
            tokens = (token for lot in owed[seat] for token in lot.tokens)
            for token, share in zip(tokens, shares, strict=True):
                token.shares[seat] = Point(share)

    def _make_shares(self, lots: Sequence[Lot], here: Here) -> Job | bytes:
        group, secret, me = self._group, self._own, self._seat

        def run() -> bytes:
            parts: list[bytes] = []
            for lot in lots:
                context = self._context(here, me, lot.pack.number)
                x, key = self._key(lot.pack.number), lot.pack.keys[me]
                shares, proof = sigma.make_shares(group, context, x, key, lot.points, secret)
                parts += [*shares, proof]
            return self._mark(here, b"".join(parts))

        return run() if count(lots) <= FEW else Job("share", run)

    def _read_shares(
        self, lots: Sequence[Lot], here: Here, seat: Seat, body: Any
    ) -> tuple[Sequence[Claim], Checks]:
        group, shares, checks = self._group, list[Claim](), list[Callable[[], None]]()
        sizes = group.point_size, sigma.proof_size(group)
        for lot, raw, proof in bodies.cut(body, lots, *sizes):
            context = self._context(here, seat, lot.pack.number)
            key, claims = lot.pack.keys[seat], bodies.claims(group, raw)
            check = partial(sigma.check_shares, group, context, key, lot.points, claims, proof)
            parts = (group.name, context, key, *lot.points, raw, proof)
            checks.append(partial(self._verified.once, b"shares", parts, check))
            shares += claims
        return shares, self._soon(lots, [] if self._marked(here, seat, body) else checks)

    def _renew(self, slots: Sequence[Slot], to: Seat) -> Script[None]:
        """Give each of ``slots`` a new ciphertext of the same face, made by ``to``."""
        lots = self._lots(slots)
        found = yield Round(
            "reenc",
            (to,),
            partial(self._make_renewed, lots),
            partial(self._read_renewed, lots),
        )
        claims, checks = found[to]
        yield from self._settle([(to, checks)])
        ciphers = bodies.ciphers([Point(claim) for claim in claims])
        for token, cipher in zip((t for lot in lots for t in lot.tokens), ciphers, strict=True):
            token.cipher = cipher
            token.shares.clear()

    def _make_renewed(self, lots: Sequence[Lot], here: Here) -> Job | bytes:
        group, secret, me = self._group, self._own, self._seat

        def run() -> bytes:
            parts: list[bytes] = []
            for lot in lots:
                context = self._context(here, me, lot.pack.number)
                key, before = lot.pack.joint, lot.ciphers
                stream = Stream(secret, b"deck reenc", context, *bodies.points(before))
                exponents = [1 + stream.below(group.order - 1) for _ in before]
                after = shuffle.reencrypt(group, key, before, range(len(before)), exponents)
                proof = sigma.prove_reencryption(
                    group, context, key, before, after, exponents, secret
                )
                parts += [*bodies.points(after), proof]
            return self._mark(here, b"".join(parts))

        return run() if count(lots) <= FEW else Job("share", run)

    def _read_renewed(
        self, lots: Sequence[Lot], here: Here, seat: Seat, body: Any
    ) -> tuple[Sequence[Claim], Checks]:
        group, renewed, checks = self._group, list[Claim](), list[Callable[[], None]]()
        sizes = 2 * group.point_size, sigma.proof_size(group)
        for lot, raw, proof in bodies.cut(body, lots, *sizes):
            context = self._context(here, seat, lot.pack.number)
            key, before = lot.pack.joint, lot.ciphers
            claims = bodies.claims(group, raw)
            checks.append(partial(self._check_points, claims))
            # By the time this check runs, the one above has found the claims to be points.
            after = bodies.ciphers([Point(claim) for claim in claims])
            check = partial(sigma.check_reencryption, group, context, key, before, after, proof)
            parts = (group.name, context, key, *bodies.points(before), raw, proof)
            checks.append(partial(self._verified.once, b"reenc", parts, check))
            renewed += claims
        return renewed, self._soon(lots, [] if self._marked(here, seat, body) else checks)

    def _soon(self, lots: Sequence[Lot], checks: Checks) -> Checks:
        """Run ``checks`` of a message if it is of few tokens; returns those still to be run."""
        if count(lots) > FEW:
            return checks
        for check in checks:
            check()
        return ()

    def _settle(self, waiting: Iterable[tuple[Seat, Checks]]) -> Script[None]:
        """Go on when all checks that are still to be run have succeeded."""
        many = [(seat, checks) for seat, checks in waiting if checks]
        if many:
            yield Gate(
                tuple(
                    (seat, Job("check-share", partial(_run, checks), len(many)))
                    for seat, checks in many
                )
            )

    def _lots(self, slots: Sequence[Slot]) -> tuple[Lot, ...]:
        """The tokens of ``slots``, each once, in the order of slots, by pack."""
        packs: dict[int, list[Token]] = {}
        for slot in sorted(set(slots)):
            packs.setdefault(self._tokens[slot].pack.number, []).append(self._tokens[slot])
        return tuple(Lot(tokens[0].pack, tuple(tokens)) for tokens in packs.values())

    # Our own seat.

    @property
    def _seat(self) -> Seat:
        assert self._me is not None
        return self._me

    @property
    def _own(self) -> bytes:
        assert self._secret is not None
        return self._secret

    def _mark(self, here: Here, body: bytes) -> bytes:
        """Remember that we made ``body``, and need not check it when it comes back to us."""
        self._made.add(digest(b"farfadet made", here.context(self._seat), body))
        return body

    def _marked(self, here: Here, seat: Seat, body: bytes) -> bool:
        return digest(b"farfadet made", here.context(seat), body) in self._made

    def _key(self, pack: int) -> int:
        """Our secret key for the pack with this number."""
        stream = Stream(self._own, b"deck key", self._table, number(pack))
        return 1 + stream.below(self._group.order - 1)

    def _context(self, here: Here, seat: Seat, pack: int) -> bytes:
        """What every hash about ``seat``'s contribution to this step contains."""
        return digest(b"farfadet deck", here.context(seat), number(pack), number(len(self._seats)))


def _run(checks: Checks) -> None:
    for check in checks:
        check()
