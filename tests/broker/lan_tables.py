"""Tables of the tests on the local network, and how they are heard of."""

from __future__ import annotations

import os
import random
import secrets
from dataclasses import replace
from ipaddress import ip_address, ip_interface
from typing import Any

from broker.announcement import SERVICE, TTL, Announced, service
from broker.links import Link
from broker.sightings import PTR, SRV, TXT, A
from net.meeting.invitation import Invitation

GAME = "".join(random.Random(os.urandom(8)).choices("abcdefgh", k=16))
"""What is played at our tables: other tests may use the same network at the same time."""

HOME = (Link((ip_interface("192.168.1.7/24"),), ("192.168.1.7",)),)


def some_table(**changes: Any) -> Announced:
    """A table in a room of its own, at a broker on this machine."""
    room = "".join(random.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=16))
    invitation = Invitation("0.0.0.0", 21883, room, secrets.token_bytes(16))
    return replace(Announced(invitation, GAME, 4, 1, "Lou", True), **changes)


def as_seen(table: Announced, host: str = "127.0.0.1") -> Announced:
    """``table`` as others get it, who see this machine at ``host``."""
    return replace(table, invitation=replace(table.invitation, host=host))


class Record:
    """A DNS record as zeroconf hands it on."""

    def __init__(self, name: str, kind: int, ttl: int = TTL, **what: object) -> None:
        self.name, self.type, self.ttl = name, kind, ttl
        self.__dict__.update({"scope_id": None, **what})

    def is_expired(self, millis: float) -> bool:
        """Whether it is a farewell."""
        return self.ttl == 0


def records_of(
    table: Announced, at: str = "192.168.1.20", ttl: int = TTL, word: int = 0
) -> list[Record]:
    """All that is said of ``table``, whose broker is at ``at``; the pointer to it last."""
    info = service(table, HOME, word)
    assert info.server is not None
    return [
        Record(info.server, A, ttl, address=ip_address(at).packed),
        Record(info.name, TXT, ttl, text=info.text),
        Record(info.name, SRV, ttl, server=info.server, port=info.port),
        Record(SERVICE, PTR, ttl, alias=info.name),
    ]
