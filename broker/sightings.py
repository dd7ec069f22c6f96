"""What has been heard of tables on the local network, and which are there. No I/O, no clock.

A table is there as long as its SRV record is good. What is heard may come from anybody, so all of
it is bounded: the rooms, their addresses, and how long anything is believed.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from broker.announcement import (
    SERVICE,
    TTL,
    Announced,
    read,
    room_of_instance,
    room_of_server,
    word_of,
)
from broker.links import Address, Link

log = logging.getLogger(__name__)

MOST: Final = 64
"""Rooms kept, those included that are not yet known to have a table."""

MOST_ADDRESSES: Final = 16
"""Addresses kept of one room."""

STALE: Final = (0.6, 0.7)
"""After which part of its life a table is asked for again, by chance: who asks, asks for all."""

ECHOES: Final = 2.0
"""Seconds that a host's earlier words may still arrive after a later one: its answers to several
are gathered, and nothing is said twice within a second (RFC 6762, 6)."""

PTR, TXT, SRV, A, AAAA = 12, 16, 33, 1, 28
"""The types of DNS records that make a table."""

# What says whose the others are comes first, in whichever order a packet has them.
_ORDER: Final = {PTR: 0, TXT: 1, SRV: 2, A: 3, AAAA: 3}


@dataclass(slots=True)
class _Sighting:
    """What has been heard of one room, and the table that it makes."""

    heard: float
    lasts: float = TTL
    stale: float = 0.0
    server: str = ""
    port: int = 0
    text: bytes | None = None
    word: int = 0
    said: float = 0.0
    left: bool = False
    addresses: dict[Address, float] = field(default_factory=dict)
    judged: object = None
    table: Announced | None = None

    def leave(self, now: float) -> None:
        """Its host takes it back; it is kept for a while, so that no echo brings it back."""
        if not self.left:
            self.left, self.table, self.judged = True, None, ()
            self.heard = self.said = now
            self.stale = now + TTL

    def hear(self, record: Any, now: float) -> None:
        """Take in an SRV, TXT, A or AAAA record."""
        if record.type == TXT:
            word = word_of(record.text)
            if word > self.word or now > self.said + ECHOES or self.text is None:
                if record.text != self.text or self.left:
                    self.said = now
                self.word, self.text, self.left = word, bytes(record.text), False
        elif record.type == SRV and not self.left:
            self.server, self.port = record.server, record.port
            self.heard, self.lasts = now, min(record.ttl, TTL)
            self.stale = now + self.lasts * random.uniform(*STALE)
        elif record.type in (A, AAAA):
            address = ip_address(record.address)
            if isinstance(address, IPv6Address) and address.is_link_local and record.scope_id:
                address = IPv6Address(f"{address}%{record.scope_id}")
            if address in self.addresses or len(self.addresses) < MOST_ADDRESSES:
                self.addresses[address] = now


class Sightings:
    """The tables heard of, but for our own.

    ``echo`` tells whether one of our own was heard since it was last set to false; ``dropped``
    counts what was thrown away: unreadable, or beyond ``MOST``. Times are in seconds.
    """

    def __init__(self) -> None:
        self.echo = False
        self.dropped = 0
        self._own: set[str] = set()
        self._links: Sequence[Link] = ()
        self._found: dict[str, _Sighting] = {}

    @property
    def tables(self) -> tuple[Announced, ...]:
        """The tables that are there, the first one found first."""
        return tuple(seen.table for seen in self._found.values() if seen.table is not None)

    def missing(self, now: float) -> bool:
        """Whether it is time to ask again: a table may be gone, or something is not known of it."""
        return any(seen.judged is None or now > seen.stale for seen in self._found.values())

    def own(self, room: str) -> None:
        """The table in ``room`` is ours, from now on."""
        self._own.add(room)
        self._found.pop(room, None)

    def move(self, links: Sequence[Link]) -> None:
        """We are on other ``links`` now: the nearest addresses may be others."""
        self._links = links
        self._judge()

    def forget(self) -> None:
        """We are on no network any more."""
        self._found.clear()

    def hear(self, records: Sequence[Any], millis: float, now: float) -> None:
        """Take in what one packet says, as zeroconf reads it; ``millis`` is ``now`` by its clock.

        A record has a ``name``, a ``type`` and ``is_expired(millis)``; by its type an ``alias``, or
        ``server``, ``port`` and ``ttl``, or a ``text``, or an ``address`` and a ``scope_id``.
        """
        for record in sorted(records, key=lambda record: _ORDER.get(record.type, 9)):
            gone = record.is_expired(millis)
            if record.type == PTR and record.name.lower() == SERVICE:
                self._hear_of(room_of_instance(record.alias), gone, now)
            elif record.type in (SRV, TXT, A, AAAA) and not gone:
                named = room_of_server if record.type in (A, AAAA) else room_of_instance
                seen = self._found.get(named(record.name) or "")
                if seen is not None:
                    seen.hear(record, now)
        self._judge()

    def age(self, now: float) -> None:
        """Forget whom nobody has answered for."""
        for room, seen in tuple(self._found.items()):
            if now > seen.heard + (ECHOES if seen.left else seen.lasts):
                del self._found[room]
            elif any(now > heard + TTL for heard in seen.addresses.values()):
                fresh = {at: heard for at, heard in seen.addresses.items() if now <= heard + TTL}
                seen.addresses = fresh
        self._judge()

    def _hear_of(self, room: str | None, gone: bool, now: float) -> None:
        if room in self._own:
            self.echo = True
        elif room is not None and gone:
            if room in self._found:
                self._found[room].leave(now)
        elif room is None or (room not in self._found and len(self._found) >= MOST):
            self.dropped += 1
        elif room not in self._found:
            self._found[room] = _Sighting(now)

    def _judge(self) -> None:
        """Make tables of what is complete and has changed."""
        for room, seen in self._found.items():
            if not seen.server or seen.text is None or seen.left:
                continue
            heard = (seen.server, seen.port, seen.text, tuple(seen.addresses), self._links)
            somewhere = seen.addresses or room_of_server(seen.server) is None
            if somewhere and heard != seen.judged:
                seen.judged = heard
                seen.table = self._table(room, seen, seen.text)

    def _table(self, room: str, seen: _Sighting, text: bytes) -> Announced | None:
        try:
            return read(room, seen.server, seen.port, text, tuple(seen.addresses), self._links)
        except ValueError as error:
            log.debug("%s announces no table: %s", room, error)
            self.dropped += 1
            return None
