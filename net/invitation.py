"""An invitation: where the broker is, which room, and the key that seals all its payloads."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from net.address import Broker

KEY = 16
"""Length of an invitation's key in bytes."""

_FORM = re.compile(
    r"farfadet(?P<tls>s?)://"
    r"(?P<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:(?P<port>[0-9]{1,5}))?"
    r"/(?P<room>[A-Z2-7]{16})#(?P<key>[A-Za-z0-9_-]{22})"
)
_PORTS = {"": 1883, "s": 8883}


class BadInvitation(ValueError):
    """Text that is no invitation; ``code`` says which part is wrong."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a friend needs to join. ``host`` has no brackets even if it is an IPv6 address."""

    host: str
    port: int
    room: str
    key: bytes
    tls: bool = False

    def __str__(self) -> str:
        """``farfadet://host:port/ROOM#KEY``; ``farfadets`` where the broker speaks TLS."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        key = urlsafe_b64encode(self.key).decode().rstrip("=")
        return f"farfadet{'s' if self.tls else ''}://{host}:{self.port}/{self.room}#{key}"

    @property
    def broker(self) -> Broker:
        """Where to go."""
        return Broker(self.host, self.port, self.tls)


def read_invitation(text: str) -> Invitation:
    """The invitation in ``text``, blanks and quotes around it ignored; raises ``BadInvitation``."""
    cleaned = "".join(text.split()).strip("\"'<>")
    match = _FORM.fullmatch(cleaned)
    if match is None:
        raise BadInvitation("bad-invitation")
    port = int(match["port"] or _PORTS[match["tls"]])
    if not 1 <= port <= 65535:
        raise BadInvitation("bad-port")
    key = urlsafe_b64decode(match["key"] + "==")
    return Invitation(match["host"].strip("[]"), port, match["room"], key, bool(match["tls"]))
