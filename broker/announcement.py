"""What is said of a table on the local network, in the terms of DNS service discovery (RFC 6763).

A table is an instance of ``SERVICE`` called like its room, so no two are called the same. Its SRV
record names the broker: the machine that announces, or another by its name. Its TXT record holds
the rest of the invitation, and how the table stands. What is read may come from anybody.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from zeroconf import ServiceInfo

from broker.links import Address, Link, nearest, numeric
from net.meeting.invitation import Invitation, read_invitation

SERVICE: Final = "_farfadet._tcp.local."
"""What a table is an instance of; at most 15 characters after the ``_`` (RFC 6763, 7)."""

VERSION: Final = "1"
"""The version of the TXT record; another one is not read."""

TTL: Final = 30
"""Seconds that what was heard of a table is good for: so long does one appear whose host died.

Usual are 75 minutes. The price of 30 s: while anybody looks, one question, and one answer of each
table, every 20 s or so, for all who look together.
"""

MOST_SEATS: Final = 16
"""Seats of a table that is believed."""

LONGEST_NAME: Final = 32
"""Characters of a host's name."""

LONGEST_OTHERS: Final = 200
"""Characters that name further nodes of a broker; what does not fit is left out."""

LONGEST_TEXT: Final = 512
"""Bytes of a TXT record that is read; the longest that we write has some 450."""

_INSTANCE = re.compile(rf"([A-Z2-7]{{16}})\.{re.escape(SERVICE)}", re.IGNORECASE)
_SERVER = re.compile(r"farfadet-([A-Z2-7]{16})\.local\.", re.IGNORECASE)
_NAME = re.compile(r"(?=.{1,253}\Z)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*")
_GAME = re.compile(r"[a-z]{1,16}")
_NUMBER = re.compile(r"[0-9]{1,9}")
_MOST_WORDS: Final = 10**9


@dataclass(frozen=True, slots=True)
class Announced:
    """A table on the local network: an invitation to all who are on it.

    ``game`` is the game's name and ``host`` the host's (text from the network); ``taken`` of the
    ``seats`` have somebody; ``open`` while there is room and it has not begun.
    """

    invitation: Invitation
    game: str
    seats: int
    taken: int
    host: str
    open: bool


def room_of_instance(name: str) -> str | None:
    """The room whose table is the instance ``name``; ``None`` if it is none of ours."""
    match = _INSTANCE.fullmatch(name)
    return match[1].upper() if match else None


def room_of_server(name: str) -> str | None:
    """The room of the machine ``name``, as we call machines; ``None`` if it is none of ours."""
    match = _SERVER.fullmatch(name)
    return match[1].upper() if match else None


def service(table: Announced, links: Sequence[Link], word: int = 0) -> ServiceInfo:
    """The records that announce ``table`` from a machine on ``links``.

    ``word`` counts what is said of it: what was said before may still arrive later. A broker at
    ``0.0.0.0`` or ``::`` is at all addresses of this machine. A host's name that is too long is
    cut. Raises ``ValueError`` for what no reader would believe.
    """
    told = table.invitation
    address = numeric(told.host)
    addresses = [] if address is None else [address]
    if address is not None and address.is_unspecified:
        own = [interface.ip for link in links for interface in link.addresses]
        addresses = sorted(own, key=lambda ip: ip.version)
    elif address is None and _NAME.fullmatch(told.host) is None:
        raise ValueError(f"not a name: {told.host!r}")
    fields = {
        "v": VERSION,
        "n": str(word % _MOST_WORDS),
        "key": urlsafe_b64encode(told.key).decode().rstrip("="),
        "tls": str(int(told.tls)),
        "game": table.game,
        "seats": str(table.seats),
        "taken": str(table.taken),
        "open": str(int(table.open)),
        "host": "".join(filter(str.isprintable, table.host))[:LONGEST_NAME],
    }
    others = _others(told)
    if others:
        fields["others"] = others
    info = ServiceInfo(
        SERVICE,
        f"{told.room}.{SERVICE}",
        port=told.port,
        properties=fields,
        # Not this machine's own name: that is nobody's business.
        server=f"{told.host}." if address is None else f"farfadet-{told.room.lower()}.local.",
        host_ttl=TTL,
        other_ttl=TTL,
        addresses=[address.packed for address in addresses],
    )
    _understood(told.room, told.port, info.text)
    return info


def read(
    room: str,
    server: str,
    port: int,
    text: bytes,
    addresses: Sequence[Address],
    links: Sequence[Link],
) -> Announced:
    """The table that these records announce; raises ``ValueError`` if they announce none.

    ``server`` and ``port`` are those of the SRV record, ``text`` is the TXT record, ``addresses``
    are what is known of the server; the invitation leads to the nearest of them from ``links``.
    """
    table = _understood(room, port, text)
    if room_of_server(server) == room:
        address = nearest(addresses, links)
        if address is None:
            raise ValueError("no address that is reached from here")
        host = str(address)
    else:
        host = server.removesuffix(".")
        if room_of_server(server) or _NAME.fullmatch(host) is None:
            raise ValueError("not a name")
    return replace(table, invitation=replace(table.invitation, host=host))


def word_of(text: bytes) -> int:
    """Which of its host's words on a table the ``text`` is; 0 if it does not say."""
    try:
        return _number(_fields(text)["n"], 0, _MOST_WORDS)
    except (ValueError, KeyError):
        return 0


def _others(told: Invitation) -> str:
    """The further nodes of its broker, as an invitation writes them."""
    others = str(told).partition("://")[2].partition("/")[0].partition(",")[2]
    while len(others) > LONGEST_OTHERS:
        others = others.rpartition(",")[0]
    return others


def _understood(room: str, port: int, text: bytes) -> Announced:
    """What the ``text`` says; the host of the invitation is not yet known."""
    fields = _fields(text)
    if fields.get("v") != VERSION:
        raise ValueError("another version")
    try:
        scheme = "farfadets" if _number(fields["tls"], 0, 1) else "farfadet"
        others = f",{fields['others']}" if "others" in fields else ""
        invitation = read_invitation(f"{scheme}://host:{port}{others}/{room}#{fields['key']}")
        seats = _number(fields["seats"], 2, MOST_SEATS)
        table = Announced(
            invitation,
            game=fields["game"],
            seats=seats,
            taken=_number(fields["taken"], 0, seats),
            host=fields["host"],
            open=bool(_number(fields["open"], 0, 1)),
        )
    except KeyError as missing:
        raise ValueError(f"no {missing}") from None
    if _GAME.fullmatch(table.game) is None:
        raise ValueError("not the name of a game")
    if len(table.host) > LONGEST_NAME or not table.host.isprintable():
        raise ValueError("not the name of a host")
    return table


def _fields(text: bytes) -> dict[str, str]:
    """The strings of a TXT record, each a key and a value (RFC 6763, 6); of two, the first."""
    if len(text) > LONGEST_TEXT:
        raise ValueError("too long")
    fields: dict[str, str] = {}
    at = 0
    while at < len(text):
        end = at + 1 + text[at]
        if end > len(text):
            raise ValueError("cut off")
        key, _, value = text[at + 1 : end].decode().partition("=")
        fields.setdefault(key.lower(), value)
        at = end
    return fields


def _number(text: str, least: int, most: int) -> int:
    if _NUMBER.fullmatch(text) is None or not least <= int(text) <= most:
        raise ValueError(f"not a number from {least} to {most}")
    return int(text)
