"""A second reading of ``docs/sealed-deck.md``: its own hashes and checks, over the vectors.

Nothing here comes from ``net``. What the page says must be enough to verify what the deck makes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b, sha512
from pathlib import Path
from typing import Any

from nacl import bindings

L = 2**252 + 27742317777372353535851937790883648493
NAME = b"edwards25519"
FOLDER = Path(__file__).parent / "vectors"


def n(value: int) -> bytes:
    """An integer as a part of a hash."""
    return value.to_bytes(8, "big")


def hashed(domain: str, *parts: bytes) -> bytes:
    """H(domain; parts)."""
    state = blake2b(digest_size=32, person=b"farfadet " + domain.encode())
    for part in parts:
        state.update(n(len(part)) + part)
    return state.digest()


class Stream:
    """S(key; labels)."""

    def __init__(self, key: bytes, *labels: bytes) -> None:
        self.key = hashed("stream", key, *labels)
        self.blocks = 0
        self.left = b""

    def below(self, bound: int) -> int:
        """The next integer below ``bound``."""
        bits = (bound - 1).bit_length()
        size = -(-bits // 8)
        while True:
            while len(self.left) < size:
                block = blake2b(n(self.blocks), key=self.key, digest_size=64)
                self.left += block.digest()
                self.blocks += 1
            value = int.from_bytes(self.left[:size], "big") & ((1 << bits) - 1)
            self.left = self.left[size:]
            if value < bound:
                return value


def challenge(statement: bytes) -> int:
    """The challenge for a hash."""
    return Stream(statement, b"challenge").below(L)


def weights(seed: bytes, count: int) -> list[int]:
    """A number of integers below L."""
    stream = Stream(seed, b"weights")
    return [stream.below(L) for _ in range(count)]


def times(scalar: int, point: bytes) -> bytes:
    """``scalar`` times ``point``."""
    raw = (scalar % L).to_bytes(32, "little")
    return bindings.crypto_scalarmult_ed25519_noclamp(raw, point)


def base(scalar: int) -> bytes:
    """``scalar`` times G."""
    return bindings.crypto_scalarmult_ed25519_base_noclamp((scalar % L).to_bytes(32, "little"))


def add(*points: bytes) -> bytes:
    """The sum."""
    first, *rest = points
    for point in rest:
        first = bindings.crypto_core_ed25519_add(first, point)
    return first


def sub(left: bytes, right: bytes) -> bytes:
    """The difference."""
    return bindings.crypto_core_ed25519_sub(left, right)


def weigh(scalars: Iterable[int], points: Iterable[bytes]) -> bytes:
    """The weighed sum."""
    return add(*(times(s, p) for s, p in zip(scalars, points, strict=True)))


def point(*label: bytes) -> bytes:
    """P(label)."""
    return add(
        *(
            bindings.crypto_core_ed25519_from_uniform(hashed("point", *label, n(half)))
            for half in (0, 1)
        )
    )


def scalars(raw: bytes) -> list[int]:
    """Scalars one after the other."""
    found = [int.from_bytes(raw[at : at + 32], "little") for at in range(0, len(raw), 32)]
    assert all(scalar < L for scalar in found)
    return found


def flat(deck: Sequence[Sequence[bytes]]) -> list[bytes]:
    """The points of ciphertexts."""
    return [p for cipher in deck for p in cipher]


def load(name: str) -> Any:
    """A file of vectors, its hexadecimal strings as bytes."""

    def raw(value: Any) -> Any:
        if isinstance(value, str) and len(value) >= 64:
            return bytes.fromhex(value)
        if isinstance(value, list):
            return [raw(item) for item in value]
        if isinstance(value, dict):
            return {key: raw(item) for key, item in value.items()}
        return value

    return raw(json.loads((FOLDER / name).read_text()))


def equal(context: bytes, b: bytes, x: bytes, c: bytes, y: bytes, proof: bytes) -> bool:
    """The proof of one exponent behind x over b and y over c."""
    asked, answer = scalars(proof)
    statement = hashed("equal", NAME, context, b, x, c, y)
    first = sub(times(answer, b), times(asked, x))
    second = sub(times(answer, c), times(asked, y))
    return asked == challenge(hashed("asks", statement, first, second))


V = load("proofs.json")
HERE, KEY, G = V["context"], V["key"], base(1)


def test_fixed_points() -> None:
    vectors = load("points.json")
    assert vectors["cards"] == [point(b"card", n(i)) for i in range(60)]
    assert vectors["h"] == point(b"generator", n(0))
    assert vectors["generators"] == [point(b"generator", n(i)) for i in range(1, 61)]


def test_the_key_proof() -> None:
    assert base(scalars(V["x"])[0]) == KEY
    c, s = scalars(V["key_proof"])
    statement = hashed("knows", NAME, HERE, KEY)
    assert c == challenge(hashed("asks", statement, sub(base(s), times(c, KEY))))


def test_the_shares() -> None:
    a, d = [cipher[0] for cipher in V["after"]], V["shares"]
    seed = hashed("shares", NAME, HERE, KEY, n(3), *a, *d)
    v = [1, *weights(seed, 2)]
    assert equal(seed, G, KEY, weigh(v, a), weigh(v, d), V["share_proof"])


def test_the_reencryption() -> None:
    old, new = V["after"], V["renewed"]
    seed = hashed("reenc", NAME, HERE, KEY, n(3), *flat(old), *flat(new))
    v = [1, *weights(seed, 2)]
    moves, shifts = (
        weigh(v, [sub(after[at], before[at]) for before, after in zip(old, new, strict=True)])
        for at in (0, 1)
    )
    assert equal(seed, G, moves, KEY, shifts, V["renewal_proof"])


def test_the_shuffle() -> None:
    old, new, raw, count = V["before"], V["after"], V["shuffle_proof"], 3
    points = [raw[at : at + 32] for at in range(0, 64 * count, 32)]
    cs, chain = points[:count], points[count:]
    c, s1, s2, s3, s4, *rest = scalars(raw[64 * count :])
    links, answers = rest[:count], rest[count:]
    h, *hs = (point(b"generator", n(i)) for i in range(count + 1))
    statement = hashed("mix", NAME, HERE, KEY, n(count), *flat(old), *flat(new))
    u = weights(hashed("mix u", statement, *cs), count)
    product = u[0] * u[1] * u[2]
    t = [
        add(base(s1), times(-c, sub(add(*cs), add(*hs)))),
        add(base(s2), times(-c, sub(chain[-1], times(product, h)))),
        add(base(s3), weigh(answers, hs), times(-c, weigh(u, cs))),
    ]
    for at, masked in ((0, base(-s4)), (1, times(-s4, KEY))):
        before, after = [e[at] for e in old], [e[at] for e in new]
        t.append(add(weigh(answers, after), masked, times(-c, weigh(u, before))))
    for s, answer, link, previous in zip(links, answers, chain, [h, *chain[:-1]], strict=True):
        t.append(add(base(s), times(answer, previous), times(-c, link)))
    assert c == challenge(hashed("mix c", statement, *cs, *chain, *t))


def test_keys_and_their_hashes() -> None:
    vectors = load("table.json")
    table, said = vectors["table"], vectors["said"]
    hashes = {one["seat"]: one for one in said if one["kind"] == "keyhash"}
    keys = {one["seat"]: one["body"][:32] for one in said if one["kind"] == "key"}
    assert hashes.keys() == keys.keys() == {0, 1}
    for seat, one in hashes.items():
        place = hashed("place", table, n(one["step"]), one["prev"], n(seat))
        context = hashed("deck", place, n(0), n(2))
        assert one["body"] == hashed("keyhash", context, keys[seat])
        stream = Stream(vectors["secrets"][seat], b"deck key", table, n(0))
        assert keys[seat] == base(1 + stream.below(L - 1))


def test_the_escrow() -> None:
    """Unmask seat 1's pieces with the others' table keys; check what they say in its stead."""
    vectors = load("standing.json")
    table, said = vectors["table"], vectors["said"]
    one = next(one for one in said if (one["kind"], one["seat"]) == ("key", 1))
    place = hashed("place", table, n(one["step"]), one["prev"], n(1))
    context, parts = hashed("deck", place, n(0), n(2)), one["body"]
    key, slope, mask = parts[:32], parts[96:128], parts[128:160]
    c, s = scalars(parts[160:224])
    statement = hashed("knows", NAME, context, mask)
    assert c == challenge(hashed("asks", statement, sub(base(s), times(c, mask))))
    holders = {0: parts[224:256], 2: parts[256:288]}
    assert len(parts) == 288
    pieces = {}
    for holder, masked in holders.items():
        half = int.from_bytes(sha512(vectors["seeds"][holder]).digest()[:32], "little")
        a = half % 2**255 // 8 * 8 | 2**254
        pad = Stream(times(a, mask), b"escrow", context, mask, n(holder))
        blocks = blake2b(n(0), key=pad.key, digest_size=64).digest()
        piece = int.from_bytes(bytes(x ^ y for x, y in zip(masked, blocks, strict=False)), "little")
        assert base(piece) == add(key, times(holder + 1, slope))
        pieces[holder] = piece
    assert [one["body"] for one in said if one["kind"] == "held"] == [None] * 3
    end = next(one["body"] for one in said if (one["kind"], one["seat"]) == ("shuffled", 1))
    deck = [(end[at : at + 32], end[at + 32 : at + 64]) for at in (0, 64)]
    given = {}
    for one in said[-2:]:
        holder, body = one["seat"], one["body"]
        place = hashed("place", table, n(one["step"]), one["prev"], n(holder))
        context, public = hashed("deck", place, n(0), n(2)), base(pieces[holder])
        shares, proof = [body[:32], body[32:64]], body[64:]
        points = [a for a, _ in deck]
        seed = hashed("shares", NAME, context, public, n(2), *points, *shares)
        v = [1, *weights(seed, 1)]
        assert equal(seed, G, public, weigh(v, points), weigh(v, shares), proof)
        given[holder + 1] = shares
    assert given.keys() == {1, 3}
    inverse = pow(2, -1, L)
    own = next(one["body"] for one in said if (one["kind"], one["seat"]) == ("share", 0))
    for slot, (_, b) in enumerate(deck):
        stead = sub(times(3 * inverse, given[1][slot]), times(inverse, given[3][slot]))
        face = sub(b, add(own[32 * slot : 32 * slot + 32], stead))
        assert vectors["opened"][slot][1] == {point(b"card", n(i)): 7 + i for i in (0, 1)}[face]
