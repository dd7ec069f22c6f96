"""The one hash of the protocol: BLAKE2b-256, separated by domain, every part length-prefixed."""

from __future__ import annotations

from hashlib import blake2b

SIZE = 32
"""Length of a digest in bytes."""


def digest(domain: bytes, *parts: bytes) -> bytes:
    """Hash ``parts`` under ``domain`` (1 to 16 bytes, BLAKE2b's ``person`` field).

    Each part is preceded by its length as 8 bytes, big-endian, so that no two different lists of
    parts are hashed as the same bytes.
    """
    if not 1 <= len(domain) <= 16:
        raise ValueError("a hash domain has 1 to 16 bytes")
    state = blake2b(digest_size=SIZE, person=domain)
    for part in parts:
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.digest()


def number(value: int) -> bytes:
    """``value`` (0 to 2**64 - 1) as a part to hash: 8 bytes, big-endian."""
    return value.to_bytes(8, "big")
