"""How a pack is made: its members agree on keys, then each of them shuffles, one after the other.

With escrow, each also shares out its key, and those who got pieces of it say whether they are good
before anything is sealed with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from net.deck import bodies, shuffle, sigma, standing
from net.deck.group import Cipher, Claim, Point, total
from net.deck.pack import Pack, Unsound, cards
from net.deck.party import Party
from net.deck.standing import Deposit, Member
from net.play.digest import SIZE, digest
from net.play.rounds import Absent, Contributions, Fault, Gate, Here, Job, Round, Script, Start
from net.play.stream import Stream
from rules.game import Face, Seat

Sealed: TypeAlias = tuple[Pack, tuple[Cipher, ...]]
"""A pack, and its tokens' ciphertexts from the top."""

Keys: TypeAlias = tuple[Mapping[Seat, Point], Mapping[Seat, Deposit]]
"""Each member's key to a pack, and its deposit if the pack has escrow."""


def seal(
    party: Party, number: int, faces: Sequence[Face], members: tuple[Seat, ...]
) -> Script[Sealed | None]:
    """Have ``members`` seal ``faces`` as the pack ``number``; ``None`` if one became absent."""
    group = party.group
    points = cards(group, len(faces))
    agreed = yield from _agree(party, number, members)
    if agreed is None:
        return None
    keys, deposits = agreed
    joint = total(group, keys.values())
    if joint == group.identity:
        raise Unsound("keys-cancel")
    pack = Pack(number, keys, joint, dict(zip(points, faces, strict=True)), deposits)
    deck = tuple(Cipher(group.generator, group.add(point, joint)) for point in points)
    others = len(members) - (party.me in members)
    proofs: list[tuple[Seat, Job]] = []
    for seat in members:
        sent = yield Round(
            "shuffled",
            (seat,),
            partial(_shuffle, party, pack, deck),
            partial(_read_shuffled, party, pack, deck),
        )
        if _somebody_absent(sent, members):
            # Those who shuffled before are held to it although it is of no use any more.
            yield Gate(tuple(proofs))
            return None
        claims, check, ours = sent[seat]
        if not ours:
            # The next seat computes with these points, so they are validated before it does.
            yield Gate(((seat, Job("points", partial(party.check_points, claims))),))
        deck = bodies.ciphers([Point(claim) for claim in claims])
        if not ours:
            proofs.append((seat, Job("proof", partial(check, deck), others)))
            yield Start((proofs[-1],))
    yield Gate(tuple(proofs))
    return pack, deck


def _somebody_absent(said: Contributions, members: Sequence[Seat]) -> bool:
    return any(isinstance(said.get(seat), Absent) for seat in members)


# Keys.


def _agree(party: Party, number: int, members: tuple[Seat, ...]) -> Script[Keys | None]:
    """Each member's key to this pack: hashed first, so that no key depends on another."""
    group = party.group

    def hashed(here: Here, seat: Seat, key: bytes) -> bytes:
        return digest(b"farfadet keyhash", party.context(here, seat, number), key)

    def make_hash(here: Here) -> bytes:
        return hashed(here, party.member, group.base(party.key(number)))

    def read_hash(here: Here, seat: Seat, body: Any) -> Callable[[bytes], bool]:
        expected = bodies.sized(body, SIZE)
        return lambda key: hashed(here, seat, key) == expected

    hashes = yield Round("keyhash", members, make_hash, read_hash)
    if _somebody_absent(hashes, members):
        return None
    keys = yield Round(
        "key",
        members,
        partial(_make_key, party, number, members),
        partial(_read_key, party, number, hashes),
    )
    if _somebody_absent(keys, members):
        return None
    deposits = {seat: deposit for seat, (_, deposit) in keys.items() if deposit is not None}
    confirmed: bool | None = True
    if deposits:
        confirmed = yield from _confirm(party, number, members, deposits)
    if confirmed is None:
        return None
    return {seat: key for seat, (key, _) in keys.items()}, deposits if confirmed else {}


def _make_key(party: Party, number: int, members: Sequence[Seat], here: Here) -> bytes:
    group, me, x = party.group, party.member, party.key(number)
    key, context = group.base(x), party.context(here, me, number)
    body = key + sigma.prove_key(group, context, x, key, party.secret)
    holders = party.holders(members, me)
    if party.standing is None or not holders:
        return body
    return body + standing.make_deposit(group, party.standing, context, x, holders, party.secret)


def _read_key(
    party: Party,
    number: int,
    hashes: Mapping[Seat, Callable[[bytes], bool]],
    here: Here,
    seat: Seat,
    body: Any,
) -> tuple[Point, Deposit | None]:
    group, holders = party.group, party.holders(tuple(hashes), seat)
    end = group.point_size
    middle = end + sigma.proof_size(group)
    more = standing.deposit_size(group, len(holders)) if holders else 0
    raw = bodies.sized(body, middle + more)
    if not hashes[seat](raw[:end]):
        raise Fault("key-hash")
    key, context = group.decode(raw[:end]), party.context(here, seat, number)
    sigma.check_key(group, context, key, raw[end:middle])
    if not holders:
        return key, None
    return key, standing.read_deposit(group, context, key, holders, raw[middle:])


def _confirm(
    party: Party, number: int, members: tuple[Seat, ...], deposits: Mapping[Seat, Deposit]
) -> Script[bool | None]:
    """Whether all who hold pieces have them; ``None`` if a member of the pack became absent.

    Without the referee's word the pack is made without escrow: its pieces may be bad.
    """
    agreed = party.standing
    assert agreed is not None

    def make(here: Here) -> Any:
        me = party.member
        context = party.context(here, me, number)
        return standing.complaint(party.group, agreed, deposits, context, me, party.secret)

    def read(here: Here, member: Member, body: Any) -> Seat | None:
        context = party.context(here, member, number)
        return standing.read_complaint(party.group, agreed, deposits, context, member, body)

    said = yield Round("held", (*members, *party.referee), make, read)
    guilty = sorted(owner for owner in set(said.values()) if isinstance(owner, int))
    if guilty:
        yield Gate(tuple((owner, Job("check-share", _refuse)) for owner in guilty))
    if _somebody_absent(said, members):
        return None
    return not _somebody_absent(said, party.referee)


def _refuse() -> None:
    raise Fault("escrow-piece")


# Shuffles.


def _shuffle(party: Party, pack: Pack, deck: Sequence[Cipher], here: Here) -> Job:
    group, secret = party.group, party.secret
    context = party.context(here, party.member, pack.number)

    def run() -> bytes:
        # Bound to the deck it is for: used on two decks, the same randomness would tell them
        # apart. (The context binds it too, through the hash of all that came before.)
        stream = Stream(secret, b"deck shuffle", context, pack.joint, *bodies.points(deck))
        order = stream.permutation(len(deck))
        exponents = [stream.below(group.order) for _ in deck]
        after = shuffle.reencrypt(group, pack.joint, deck, order, exponents)
        proof = shuffle.prove(group, context, pack.joint, deck, after, order, exponents, secret)
        return party.mark(here, b"".join(bodies.points(after)) + proof.write(group))

    return Job("seal", run)


def _read_shuffled(
    party: Party, pack: Pack, before: Sequence[Cipher], here: Here, seat: Seat, body: Any
) -> tuple[tuple[Claim, ...], Callable[[Sequence[Cipher]], None], bool]:
    """The claimed points of the new deck, the check of its proof, and if both are our own."""
    group, count = party.group, len(before)
    end = 2 * count * group.point_size
    raw = bodies.sized(body, end + shuffle.proof_size(group, count))
    claims = bodies.claims(group, raw[:end])
    proof = shuffle.read_proof(group, count, raw[end:])
    context = party.context(here, seat, pack.number)

    def check(after: Sequence[Cipher]) -> None:
        party.verified.once(
            b"shuffle",
            (group.name, context, pack.joint, *bodies.points(before), raw),
            lambda: shuffle.verify(group, context, pack.joint, before, after, proof),
        )

    return claims, check, party.marked(here, seat, raw)
