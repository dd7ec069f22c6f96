"""Rounds about sealed tokens: shares of them, their owner's or a stand-in's, and new ciphertexts.

Each says which seats owe what; the outcome has who gave it. What it does to the tokens is
``net/deck/sealed.py``'s business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from net.deck import bodies, shuffle, sigma
from net.deck.group import Cipher, Claim, Point
from net.deck.pack import Lot, count
from net.deck.party import Party
from net.deck.standing import Member
from net.play.rounds import Absent, Contributions, Gate, Here, Job, Round, Script
from net.play.stream import Stream
from rules.game import Seat

FEW = 4
"""Up to so many tokens are worked on at once; for more, the work is a ``Job``."""

Checks: TypeAlias = Sequence[Callable[[], None]]
"""Pure checks that raise ``Fault``, in the order they are to be run."""


class Debt(NamedTuple):
    """Shares that are owed of ``lot``, made with ``owner``'s key or a piece of it."""

    owner: Seat
    lot: Lot


def ask_shares(
    party: Party, kind: str, owed: Mapping[Member, Sequence[Debt]]
) -> Script[dict[Member, list[Point]]]:
    """The shares of each member who gives what it owes, in the order of its debts and tokens."""
    found = yield Round(
        kind,
        tuple(owed),
        lambda here: _make_shares(party, owed[party.member], here),
        lambda here, member, body: _read_shares(party, owed[member], here, member, body),
    )
    return (yield from _settle(found))


def ask_renewed(
    party: Party, lots: Sequence[Lot], makers: tuple[Seat, ...]
) -> Script[dict[Seat, list[Point]]]:
    """A re-encryption of all tokens of ``lots`` by each of ``makers`` who gives one, as points."""
    found = yield Round(
        "reenc", makers, partial(_make_renewed, party, lots), partial(_read_renewed, party, lots)
    )
    return (yield from _settle(found))


def _settle(found: Contributions) -> Script[dict[Member, list[Point]]]:
    """What was given, when all checks that are still to be run have succeeded."""
    given = {
        member: contribution
        for member, contribution in found.items()
        if not isinstance(contribution, Absent)
    }
    many = [(member, checks) for member, (_, checks) in given.items() if checks]
    if many:
        yield Gate(
            tuple(
                (member, Job("check-share", partial(_run, checks), len(many)))
                for member, checks in many
            )
        )
    return {member: [Point(claim) for claim in claims] for member, (claims, _) in given.items()}


def _run(checks: Checks) -> None:
    for check in checks:
        check()


def _soon(lots: Iterable[Lot], checks: Checks) -> Checks:
    """Run ``checks`` of a message if it is of few tokens; returns those still to be run."""
    if count(lots) > FEW:
        return checks
    _run(checks)
    return ()


def _make_shares(party: Party, debts: Sequence[Debt], here: Here) -> Job | bytes:
    group, secret, me = party.group, party.secret, party.member

    def run() -> bytes:
        parts: list[bytes] = []
        for owner, lot in debts:
            context = party.context(here, me, lot.pack.number)
            x, key = party.exponent(lot.pack, owner), party.public(lot.pack, owner, me)
            shares, proof = sigma.make_shares(group, context, x, key, lot.points, secret)
            parts += [*shares, proof]
        return party.mark(here, b"".join(parts))

    return run() if count(debt.lot for debt in debts) <= FEW else Job("share", run)


def _read_shares(
    party: Party, debts: Sequence[Debt], here: Here, member: Member, body: Any
) -> tuple[Sequence[Claim], Checks]:
    group, shares, checks = party.group, list[Claim](), list[Callable[[], None]]()
    counts = [len(debt.lot.tokens) for debt in debts]
    parts = bodies.cut(body, counts, group.point_size, sigma.proof_size(group))
    for (owner, lot), (raw, proof) in zip(debts, parts, strict=True):
        context = party.context(here, member, lot.pack.number)
        key, claims = party.public(lot.pack, owner, member), bodies.claims(group, raw)
        check = partial(sigma.check_shares, group, context, key, lot.points, claims, proof)
        said = (group.name, context, key, *lot.points, raw, proof)
        checks.append(partial(party.verified.once, b"shares", said, check))
        shares += claims
    ours = party.marked(here, member, body)
    return shares, _soon((debt.lot for debt in debts), [] if ours else checks)


def _make_renewed(party: Party, lots: Sequence[Lot], here: Here) -> Job | bytes:
    group, secret, me = party.group, party.secret, party.member

    def run() -> bytes:
        parts: list[bytes] = []
        for lot in lots:
            context = party.context(here, me, lot.pack.number)
            key, before = lot.pack.joint, lot.ciphers
            stream = Stream(secret, b"deck reenc", context, *bodies.points(before))
            exponents = [1 + stream.below(group.order - 1) for _ in before]
            after = shuffle.reencrypt(group, key, before, range(len(before)), exponents)
            proof = sigma.prove_reencryption(group, context, key, before, after, exponents, secret)
            parts += [*bodies.points(after), proof]
        return party.mark(here, b"".join(parts))

    return run() if count(lots) <= FEW else Job("share", run)


def _read_renewed(
    party: Party, lots: Sequence[Lot], here: Here, seat: Seat, body: Any
) -> tuple[Sequence[Claim], Checks]:
    group, renewed, checks = party.group, list[Claim](), list[Callable[[], None]]()
    counts = [len(lot.tokens) for lot in lots]
    parts = bodies.cut(body, counts, 2 * group.point_size, sigma.proof_size(group))
    for lot, (raw, proof) in zip(lots, parts, strict=True):
        context = party.context(here, seat, lot.pack.number)
        key, before = lot.pack.joint, lot.ciphers
        claims = bodies.claims(group, raw)
        checks.append(partial(party.check_points, claims))
        # By the time this check runs, the one above has found the claims to be points.
        after = bodies.ciphers([Point(claim) for claim in claims])
        check = partial(sigma.check_reencryption, group, context, key, before, after, proof)
        said = (group.name, context, key, *bodies.points(before), raw, proof)
        checks.append(partial(party.verified.once, b"reenc", said, check))
        renewed += claims
    return renewed, _soon(lots, [] if party.marked(here, seat, body) else checks)


def merge(party: Party, before: Cipher, renewed: Sequence[Cipher]) -> Cipher:
    """``before`` with the randomness of each of ``renewed`` added, which all hide what it hides.

    As long as one of their makers keeps its exponent to itself, nobody knows by how much
    ``before`` has been moved; and since each proves that it knows its own, none can undo another's.
    """
    group, (a, b) = party.group, before
    for cipher in renewed:
        a = group.add(a, group.sub(cipher.a, before.a))
        b = group.add(b, group.sub(cipher.b, before.b))
    return Cipher(a, b)
