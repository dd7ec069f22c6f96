"""Who somebody is: a long-term key of one's own, and a fresh key for every table."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from nacl.bindings import crypto_core_ed25519_is_valid_point
from nacl.signing import SigningKey

from net.disk import draft

KEY = 32
"""Length of a public or private key in bytes."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A person's name and long-term Ed25519 key. The name is a wish; the key is the person."""

    name: str
    key: SigningKey

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return bytes(self.key.verify_key)

    @classmethod
    def fresh(cls, name: str) -> Identity:
        """Somebody new."""
        return cls(name, SigningKey.generate())


def load(folder: Path, name: str) -> Identity:
    """The identity kept in ``folder``, made on first use; its file is for the owner's eyes only.

    Raises ``OSError`` if the folder cannot be used and ``ValueError`` if the file is no key.
    """
    path = folder / "identity.key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make(path, bytes(SigningKey.generate()))
    seed = path.read_bytes()
    if len(seed) != KEY:
        raise ValueError(f"{path} is not a key of {KEY} bytes")
    return Identity(name, SigningKey(seed))


def _make(path: Path, seed: bytes) -> None:
    """Write the file whole or not at all; of two processes that do so at once, one is heard."""
    with draft(path, seed) as made:
        try:
            os.link(made, path)
        except FileExistsError:
            return
        except OSError:
            # A file system without links, as on a memory stick.
            os.replace(made, path)


def acceptable(public: bytes) -> bool:
    """Whether ``public`` may be somebody's key: a point of large order, in its one encoding.

    Keys of small order would accept one signature for two messages.
    """
    return len(public) == KEY and crypto_core_ed25519_is_valid_point(public)
