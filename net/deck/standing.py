"""Who can stand in for whom, and how the pieces of a deck key get to those who hold them.

With escrow, each member of a pack shares out its key for that pack (``net/deck/escrow.py``) to the
pack's other members and the referee, if there is one; all of them together can stand in for it. A
piece travels in public, masked by hashed ElGamal under its holder's table key: the Ed25519 key that
signs the holder's messages is a point of edwards25519, whatever group the deck computes in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha512
from typing import Any, TypeAlias

from nacl.signing import SigningKey

from net.deck import escrow, sigma
from net.deck.bodies import sized, split
from net.deck.group import EDWARDS, Claim, Group, Point, write_scalar
from net.play.digest import number
from net.play.rounds import Fault
from net.play.stream import Stream
from rules.game import Seat

Member: TypeAlias = int
"""A seat, or the referee, whose number is that of the seats."""


@dataclass(frozen=True, slots=True)
class Standing:
    """That a table has escrow, and among whom.

    ``keys`` are the Ed25519 public keys of all members for this table, by index: the seats', then
    the referee's if there is one. ``own`` is our own private key for this table, ``None`` if we are
    no member. Raises ``ValueError`` for a key that is no point of edwards25519.
    """

    keys: tuple[bytes, ...]
    own: SigningKey | None

    def __post_init__(self) -> None:
        for key in self.keys:
            try:
                EDWARDS.decode(key)
            except Fault as fault:
                raise ValueError("a member's table key is no point of edwards25519") from fault

    def check(self, seats: int, me: Member | None) -> None:
        """Raise ``ValueError`` unless this fits a table of ``seats`` at which we are ``me``."""
        if len(self.keys) not in (seats, seats + 1):
            raise ValueError("the members are the seats, and the referee if there is one")
        own = None if self.own is None else self.own.verify_key.encode()
        if me is not None and (me >= len(self.keys) or own != self.keys[me]):
            raise ValueError("a member has the private key of its own table key")

    def key(self, member: Member) -> Point:
        """The point under which pieces are masked for ``member``."""
        return Point(self.keys[member])

    @property
    def scalar(self) -> int:
        """The exponent a of our own table key: it is a G (RFC 8032, section 5.1.5)."""
        assert self.own is not None
        half = bytearray(sha512(self.own.encode()).digest()[:32])
        half[0] &= 248
        half[31] = half[31] & 127 | 64
        return int.from_bytes(half, "little") % EDWARDS.order


@dataclass(frozen=True, slots=True)
class Deposit:
    """What the owner of a key has given into escrow for one pack, as everybody sees it.

    ``context`` is where it was said. ``point`` is k G, for the exponent k that the owner chose to
    mask with; ``masked`` has each holder's piece.
    """

    context: bytes
    commitments: tuple[Point, ...]
    point: Point
    masked: Mapping[Member, bytes]

    def key(self, group: Group, holder: Member) -> Point:
        """The public key that ``holder``'s shares in the owner's place are proved against."""
        return escrow.holder_key(group, self.commitments, holder + 1)

    def piece(self, holder: Member, shared: Point) -> int:
        """What ``holder`` was given; ``shared`` is k times its table key. Not yet checked."""
        raw = _mask(self.masked[holder], shared, self.context, self.point, holder)
        return int.from_bytes(raw, "little")

    def good(self, group: Group, holder: Member, piece: int) -> bool:
        """Whether ``piece`` is what the commitments say that ``holder`` gets."""
        try:
            escrow.check_piece(group, self.commitments, holder + 1, piece)
        except Fault:
            return False
        return True


def deposit_size(group: Group, holders: int) -> int:
    """Bytes that a deposit for so many holders adds to a key."""
    mask = EDWARDS.point_size + sigma.proof_size(EDWARDS)
    return (holders - 1) * group.point_size + mask + holders * group.scalar_size


def make_deposit(
    group: Group,
    standing: Standing,
    context: bytes,
    x: int,
    holders: Sequence[Member],
    secret: bytes,
) -> bytes:
    """Share out ``x``: commitments but for the first, k G, proof of k, each holder's masked piece.

    Who could publish another's k G as its own could learn from a complaint what unmasks the other's
    piece: hence the proof.
    """
    indices = [holder + 1 for holder in holders]
    source = Stream(secret, b"deck escrow", context)
    shared_out = escrow.split(group, x, indices, len(holders), source)
    k = 1 + Stream(secret, b"deck mask", context).below(EDWARDS.order - 1)
    point = EDWARDS.base(k)
    masked = [
        _mask(
            write_scalar(group, shared_out.pieces[holder + 1]),
            EDWARDS.mul(k, standing.key(holder)),
            context,
            point,
            holder,
        )
        for holder in holders
    ]
    proof = sigma.prove_key(EDWARDS, context, k, point, secret)
    return b"".join([*shared_out.commitments[1:], point, proof, *masked])


def read_deposit(
    group: Group, context: bytes, key: Point, holders: Sequence[Member], raw: bytes
) -> Deposit:
    """The deposit of the owner of ``key`` in ``raw``, which has its size.

    ``Fault`` ("point", "scalar", "key-proof").
    """
    end = (len(holders) - 1) * group.point_size
    middle = end + EDWARDS.point_size
    last = middle + sigma.proof_size(EDWARDS)
    commitments = escrow.read_commitments(group, key, len(holders), key + raw[:end])
    point = EDWARDS.decode(raw[end:middle])
    sigma.check_key(EDWARDS, context, point, raw[middle:last])
    pieces = split(raw[last:], group.scalar_size)
    return Deposit(context, commitments, point, dict(zip(holders, pieces, strict=True)))


def _mask(raw: bytes, shared: Point, context: bytes, point: Point, holder: Member) -> bytes:
    """``raw`` masked, or unmasked."""
    stream = Stream(shared, b"escrow", context, point, number(holder))
    return bytes(a ^ b for a, b in zip(raw, stream.take(len(raw)), strict=True))


# Complaints: how a holder shows everybody that its piece is bad.


def own_piece(standing: Standing, deposit: Deposit, me: Member) -> int:
    """The piece we were given."""
    return deposit.piece(me, EDWARDS.mul(standing.scalar, deposit.point))


def complaint(
    group: Group,
    standing: Standing,
    deposits: Mapping[Seat, Deposit],
    context: bytes,
    me: Member,
    secret: bytes,
) -> Any:
    """The body by which we say of the first bad piece we were given that it is; else ``None``.

    It shows the point its mask comes from, so that everybody can look at the piece.
    """
    for owner, deposit in deposits.items():
        if me in deposit.masked:
            piece = own_piece(standing, deposit, me)
            if not deposit.good(group, me, piece):
                a, key = standing.scalar, standing.key(me)
                (shared,), proof = sigma.make_shares(
                    EDWARDS, context, a, key, [deposit.point], secret
                )
                return [owner, bytes(shared), proof]
    return None


def read_complaint(
    group: Group,
    standing: Standing,
    deposits: Mapping[Seat, Deposit],
    context: bytes,
    holder: Member,
    body: Any,
) -> Seat | None:
    """The owner whom ``holder`` rightly complains of, if it complains.

    ``Fault`` ("bad-body", "point", "scalar", "share-proof") for what is no complaint, and
    ("false-complaint") for one of a good piece.
    """
    match body:
        case None:
            return None
        case [int(owner), bytes(shared), bytes(proof)] if (
            not isinstance(owner, bool) and owner in deposits
        ):
            deposit = deposits[owner]
        case _:
            raise Fault("bad-body")
    if holder not in deposit.masked:
        raise Fault("bad-body")
    claims = [Claim(sized(shared, EDWARDS.point_size))]
    sized(proof, sigma.proof_size(EDWARDS))
    key = standing.key(holder)
    sigma.check_shares(EDWARDS, context, key, [deposit.point], claims, proof)
    if deposit.good(group, holder, deposit.piece(holder, Point(claims[0]))):
        raise Fault("false-complaint", owner)
    return owner
