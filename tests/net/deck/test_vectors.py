"""Golden vectors: from fixed secrets the same bytes as ever, in a form a stranger can compare with.

``FARFADET_GOLDEN=write`` writes them anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from net.deck import shuffle, sigma
from net.deck.escrow import split
from net.deck.group import EDWARDS, Claim, write_scalar
from net.deck.pack import cards
from net.deck.sealed import SealedDeck
from net.play.digest import digest
from net.play.rounds import Script
from net.play.stream import Stream
from tests.net.deck.driver import Circle, secret_of, table_key
from tests.net.deck.groups import mix

FOLDER = Path(__file__).parent / "vectors"
CONTEXT = digest(b"test", b"vectors")
SECRET = digest(b"test", b"vector secret")


def points() -> Any:
    """Fixed points of the deck, and hashing to the group."""
    h, hs, _ = shuffle.generators(EDWARDS, 60)
    return {
        "cards": [point.hex() for point in cards(EDWARDS, 60)],
        "h": h.hex(),
        "generators": [point.hex() for point in hs],
    }


def proofs() -> Any:
    """One proof of each kind, with its statement."""
    group = EDWARDS
    one = mix(group, 3, "vectors")
    proof = shuffle.prove(
        group, CONTEXT, one.key, one.before, one.after, one.order, one.exponents, SECRET
    )
    shares, share_proof = sigma.make_shares(
        group, CONTEXT, one.x, one.key, [cipher.a for cipher in one.after], SECRET
    )
    renewed = shuffle.reencrypt(group, one.key, one.after, range(3), (5, 6, 7))
    renewal = sigma.prove_reencryption(
        group, CONTEXT, one.key, one.after, renewed, (5, 6, 7), SECRET
    )
    escrow = split(group, one.x, (1, 2, 3), 2, Stream(SECRET, b"vectors"))
    raw = proof.write(group)
    shuffle.verify(
        group, CONTEXT, one.key, one.before, one.after, shuffle.read_proof(group, 3, raw)
    )
    claims = [Claim(share) for share in shares]
    a = [cipher.a for cipher in one.after]
    sigma.check_shares(group, CONTEXT, one.key, a, claims, share_proof)
    sigma.check_reencryption(group, CONTEXT, one.key, one.after, renewed, renewal)
    return {
        "context": CONTEXT.hex(),
        "x": write_scalar(group, one.x).hex(),
        "key": one.key.hex(),
        "key_proof": sigma.prove_key(group, CONTEXT, one.x, one.key, SECRET).hex(),
        "before": [[point.hex() for point in cipher] for cipher in one.before],
        "after": [[point.hex() for point in cipher] for cipher in one.after],
        "order": list(one.order),
        "shuffle_proof": raw.hex(),
        "shares": [share.hex() for share in shares],
        "share_proof": share_proof.hex(),
        "renewed": [[point.hex() for point in cipher] for cipher in renewed],
        "renewal_proof": renewal.hex(),
        "escrow_commitments": escrow.write().hex(),
        "escrow_pieces": [write_scalar(group, piece).hex() for piece in escrow.pieces.values()],
    }


def game(deck: SealedDeck) -> Script[list[tuple[int, int]]]:
    """A short game that says everything there is to say."""
    slots = yield from deck.shuffle((7, 7, 8))
    yield from deck.deal(slots[:1], 0)
    yield from deck.deal(slots[:2], 1)
    return list((yield from deck.open(slots)))


def told(circle: Circle) -> Any:
    """Every message body, and the place it was said at."""
    return [
        {
            "step": said.here.step,
            "prev": said.here.prev.hex(),
            "kind": said.kind,
            "seat": said.seat,
            "body": None if said.body is None else said.body.hex(),
        }
        for said in circle.log
    ]


def table() -> Any:
    """Every message of a short game of two seats."""
    circle = Circle(2, EDWARDS, "vectors")
    opened = circle.run(game)
    return {
        "table": circle.table.hex(),
        "secrets": [secret_of(seat, "vectors").hex() for seat in range(2)],
        "said": told(circle),
        "opened": [list(pair) for pair in opened],
    }


def standing() -> Any:
    """A game of two seats and a referee with escrow; seat 1 leaves after the shuffle."""
    circle = Circle(2, EDWARDS, "vectors", escrow=True, referee=True, leaves={5: (1,)})
    circle.run(lambda deck: deck.shuffle((7, 8)))
    opened = circle.run(lambda deck: deck.open((0, 1)))
    return {
        "table": circle.table.hex(),
        "seeds": [bytes(table_key(member, "vectors")).hex() for member in range(3)],
        "said": told(circle),
        "opened": [list(pair) for pair in opened],
    }


@pytest.mark.parametrize("make", [points, proofs, table, standing])
def test_the_bytes_are_those_of_the_golden_vectors(make: Any) -> None:
    path = FOLDER / f"{make.__name__}.json"
    text = json.dumps(make(), indent=1) + "\n"
    if os.environ.get("FARFADET_GOLDEN") == "write":
        path.write_text(text)
    assert text == path.read_text()
