"""Keys: the host's own, and those that it lets in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import asyncssh

from net.disk import replace

HOST_KEY: Final = "host_ed25519"
FRIENDS: Final = "authorized_keys"

_HARMLESS: Final = frozenset(
    {
        "from",
        "expiry-time",
        "restrict",
        "command",
        "environment",
        "permitopen",
        "permitlisten",
        "pty",
        "agent-forwarding",
        "port-forwarding",
        "x11-forwarding",
        "user-rc",
        "tunnel",
    }
)
"""Options that narrow nothing which exists here, or that we heed."""


class KeysError(Exception):
    """A file of keys is of no use; ``code`` is ``"bad-host-key"`` or ``"bad-friend-keys"``."""

    def __init__(self, code: str, detail: object) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


def host_key(folder: Path) -> Path:
    """The file with the host's own key (ed25519), made if there is none.

    Raises ``OSError``, and ``KeysError("bad-host-key")`` if what is there is none.
    """
    path = folder / HOST_KEY
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        made = asyncssh.generate_private_key("ssh-ed25519", comment="farfadet")
        replace(path, made.export_private_key())
    try:
        asyncssh.read_private_key(path)
    except asyncssh.KeyImportError as error:
        raise KeysError("bad-host-key", error) from error
    return path


class KeyList:
    """The keys that may come in, from a file in the form of OpenSSH's ``authorized_keys``.

    The file is read again when it has changed. ``None`` instead of a file: any key may come in. Of
    the options of a line, ``from=`` and ``expiry-time=`` count; those that take away what nobody
    has here are passed over; a line with any other is nobody's.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._stamp = (0, 0)
        self._keys: asyncssh.SSHAuthorizedKeys | None = None

    def welcome(self, key: asyncssh.SSHKey, address: str) -> bool:
        """Whether ``key`` may come in from ``address``; raises as ``read``."""
        if self._path is None:
            return True
        options = self.read(self._path).validate(key, address, address)
        return options is not None and _holds(options)

    def read(self, path: Path) -> asyncssh.SSHAuthorizedKeys:
        """The keys in the file; raises ``OSError``, and ``KeysError("bad-friend-keys")``."""
        found = path.stat()
        stamp = found.st_mtime_ns, found.st_size
        if self._keys is None or stamp != self._stamp:
            try:
                self._keys = asyncssh.read_authorized_keys(path)
            except (ValueError, asyncssh.KeyImportError) as error:
                raise KeysError("bad-friend-keys", error) from error
            self._stamp = stamp
        return self._keys


def _holds(options: Mapping[str, object]) -> bool:
    """Whether a line with these options is good for coming in, now."""
    if any(name not in _HARMLESS and not name.startswith("no-") for name in options):
        return False
    until = options.get("expiry-time")
    if until is None:
        return True
    # What asyncssh does not know it collects.
    text = str(until[-1] if isinstance(until, list) and until else until)
    zone = UTC if text.endswith("Z") else None
    digits = text.removesuffix("Z")
    try:
        form = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}[len(digits)]
        # Without a Z it is the time of this machine.
        return datetime.now(UTC) < datetime.strptime(digits, form).replace(tzinfo=zone).astimezone()
    except (KeyError, ValueError):
        return False
