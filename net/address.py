"""A broker's address as people write it: ``mqtt://[user:password@]host[:port]``, or ``mqtts://``.

>>> Broker.parse("mqtt://192.168.1.20")
Broker(host='192.168.1.20', port=1883, tls=False, user=None)
>>> print(Broker.parse("mqtts://lou:secret@[2001:db8::1]:9999"))
mqtts://[2001:db8::1]:9999
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from net.transport import TransportError

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The port of each scheme when none is given."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker listens, and as whom to go there. As text, it hides user and password."""

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> Broker:
        """The broker that ``text`` names; raises ``TransportError("bad-url")``.

        Special characters in the user or password are percent-encoded; an IPv6 host is in brackets.
        """
        # Nothing of the text is repeated in the error: there may be a password in it.
        try:
            url = urlsplit(text)
            port = url.port
        except ValueError:
            raise TransportError("bad-url") from None
        if url.scheme not in PORTS or not url.hostname or port == 0:
            raise TransportError("bad-url")
        if url.path not in ("", "/") or url.query or url.fragment:
            raise TransportError("bad-url")
        if any(char.isspace() or not char.isprintable() for char in text):
            raise TransportError("bad-url")
        return cls(
            url.hostname,
            port or PORTS[url.scheme],
            url.scheme == "mqtts",
            None if url.username is None else unquote(url.username),
            None if url.password is None else unquote(url.password),
        )

    def __str__(self) -> str:
        scheme = "mqtts" if self.tls else "mqtt"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{scheme}://{host}:{self.port}"
