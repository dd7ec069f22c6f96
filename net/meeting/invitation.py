"""An invitation: where the broker is, which room, and the key that seals all its payloads."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from net.link.address import PORTS, BadHosts, Broker, read_hosts, write_hosts

KEY = 16
"""Length of an invitation's key in bytes."""

_FORM = re.compile(
    r"farfadet(?P<tls>s?)://(?P<hosts>[^/#]+)"
    r"/(?P<room>[A-Z2-7]{16})#(?P<key>[A-Za-z0-9_-]{22})"
)


class BadInvitation(ValueError):
    """Text that is no invitation; ``code`` says which part is wrong."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a friend needs to join. ``host`` has no brackets even if it is an IPv6 address.

    ``others`` are the hosts and ports of further nodes, if the broker is a cluster.
    """

    host: str
    port: int
    room: str
    key: bytes
    tls: bool = False
    others: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        """``farfadet://host:port/ROOM#KEY``; ``farfadets`` where the broker speaks TLS."""
        key = urlsafe_b64encode(self.key).decode().rstrip("=")
        hosts = write_hosts(self.broker.hosts)
        return f"farfadet{'s' if self.tls else ''}://{hosts}/{self.room}#{key}"

    @property
    def broker(self) -> Broker:
        """Where to go."""
        return Broker(self.host, self.port, self.tls, others=self.others)


def read_invitation(text: str) -> Invitation:
    """The invitation in ``text``, blanks and quotes around it ignored; raises ``BadInvitation``."""
    cleaned = "".join(text.split()).strip("\"'<>")
    match = _FORM.fullmatch(cleaned)
    if match is None:
        raise BadInvitation("bad-invitation")
    tls = bool(match["tls"])
    try:
        (host, port), *others = read_hosts(match["hosts"], PORTS["mqtts" if tls else "mqtt"])
    except BadHosts as error:
        wrong = "bad-port" if error.code == "bad-port" else "bad-invitation"
        raise BadInvitation(wrong) from None
    key = urlsafe_b64decode(match["key"] + "==")
    return Invitation(host, port, match["room"], key, tls, tuple(others))
