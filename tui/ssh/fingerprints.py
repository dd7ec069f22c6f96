"""A guest is a key: its fingerprint, how sshd tells it, and the folder that belongs to it."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path


def home_of(fingerprint: str, folder: Path) -> Path:
    """The folder, in ``folder``, of the guest whose key has this fingerprint (``SHA256:…``).

    Raises ``ValueError`` if it is no fingerprint.
    """
    kind, _, digest = fingerprint.partition(":")
    raw = base64.b64decode(f"{digest}=", validate=True)
    if kind != "SHA256" or len(raw) != 32:
        raise ValueError(fingerprint)
    # The form that ssh-keygen -l shows, but for what a folder cannot be called.
    return folder / "guests" / base64.urlsafe_b64encode(raw).decode().rstrip("=")


def fingerprint_of(blob: bytes) -> str:
    """The fingerprint of a public key, given as the bytes of its base64 form."""
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
    return f"SHA256:{digest}"


def proven(told: str) -> str | None:
    """The fingerprint of the key with which sshd let somebody in; ``None`` if it was none.

    ``told`` is what sshd writes to the file ``$SSH_USER_AUTH`` with ``ExposeAuthInfo yes``: a line
    a method that has succeeded, ``publickey ssh-ed25519 AAAA…``.
    """
    for line in told.splitlines():
        method, *words = line.split()
        if method == "publickey" and len(words) >= 2:
            return fingerprint_of(base64.b64decode(words[1], validate=True))
    return None
