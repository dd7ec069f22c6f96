"""A broker's address as people write it: ``mqtt://[user:password@]host[:port]``, or ``mqtts://``.

The nodes of a cluster are written with commas: any of them is as good as the others.

>>> Broker.parse("mqtt://192.168.1.20")
Broker(host='192.168.1.20', port=1883, tls=False, user=None, others=())
>>> print(Broker.parse("mqtts://lou:secret@[2001:db8::1]:9999"))
mqtts://[2001:db8::1]:9999
>>> Broker.parse("mqtts://a.example.net,b.example.net:8884").hosts
(('a.example.net', 8883), ('b.example.net', 8884))
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote

from net.link.transport import TransportError

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The port of each scheme when none is given."""

MOST_HOSTS = 9
"""Most nodes of one cluster that an address names."""

_HOST = re.compile(
    r"(?:\[(?P<number>[0-9A-Za-z:.%]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::(?P<port>[0-9]{1,5}))?"
)


class BadHosts(ValueError):
    """Text that is no list of hosts; ``code`` is ``"bad-host"`` or ``"bad-port"``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_hosts(text: str, port: int) -> tuple[tuple[str, int], ...]:
    """The hosts in ``text``, with commas between them; ``port`` is for those that name none.

    An IPv6 host is in brackets there, and without them here. Raises ``BadHosts``.
    """
    parts = text.split(",")
    if len(parts) > MOST_HOSTS:
        raise BadHosts("bad-host")
    return tuple(_host(part, port) for part in parts)


def _host(text: str, port: int) -> tuple[str, int]:
    match = _HOST.fullmatch(text)
    if match is None or (match["number"] is not None and ":" not in match["number"]):
        raise BadHosts("bad-host")
    found = int(match["port"] or port)
    if not 1 <= found <= 65535:
        raise BadHosts("bad-port")
    return match["number"] or match["name"].lower(), found


def write_hosts(hosts: Iterable[tuple[str, int]]) -> str:
    """``hosts`` as ``read_hosts`` reads them, each with its port."""
    return ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in hosts)


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker listens, and as whom to go there. As text, it hides user and password.

    ``others`` are the hosts and ports of further nodes, if it is a cluster.
    """

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    others: tuple[tuple[str, int], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Broker:
        """The broker that ``text`` names; raises ``TransportError("bad-url")``.

        Special characters in the user or password are percent-encoded; an IPv6 host is in
        brackets; a name is in ASCII.
        """
        # Nothing of the text is repeated in the error: there may be a password in it.
        if any(char.isspace() or not char.isprintable() for char in text):
            raise TransportError("bad-url")
        scheme, _, rest = text.partition("://")
        scheme = scheme.lower()
        rest = rest.removesuffix("/")
        if scheme not in PORTS or any(char in rest for char in "/?#"):
            raise TransportError("bad-url")
        login, named, hosts = rest.rpartition("@")
        user, secret, password = login.partition(":")
        try:
            (host, port), *others = read_hosts(hosts, PORTS[scheme])
        except BadHosts:
            raise TransportError("bad-url") from None
        return cls(
            host,
            port,
            scheme == "mqtts",
            unquote(user) if named else None,
            unquote(password) if secret else None,
            tuple(others),
        )

    @property
    def hosts(self) -> tuple[tuple[str, int], ...]:
        """The hosts and ports of all nodes, in the order in which they were named."""
        return ((self.host, self.port), *self.others)

    def __str__(self) -> str:
        return f"{'mqtts' if self.tls else 'mqtt'}://{write_hosts(self.hosts)}"
