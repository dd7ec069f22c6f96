"""A whole table in one process: one person against programs, by the same protocol as anywhere."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nacl.signing import SigningKey

from net.link.channel import Channel
from net.link.memory import Hub
from net.meeting.seating import room_of
from net.people.identity import Identity
from net.play.charter import LONGEST_NAME, Chair, Charter, claim, nonce_hash
from net.play.digest import SIZE
from net.play.journal import Ticket
from net.play.peer import THREADS, Peer
from net.play.resume import Place, begin, restored
from rules.bots import Chooser
from rules.game import Game


def sit_down(
    game: Game,
    identity: Identity,
    bots: Sequence[tuple[str, Chooser]],
    folder: Path | None,
    tables: Path | None = None,
    level: str = "",
) -> Peer:
    """The peer of ``identity`` in seat 0; the ``bots``, by name, take the seats after it.

    Transcripts go to ``folder``; journals, with the ``level`` of the bots, to ``tables``.
    """
    identities = [identity, *(Identity.fresh(name) for name, _ in bots)]
    keys = [SigningKey.generate() for _ in identities]
    room = room_of(bytes(keys[0].verify_key))
    chairs = [_chair(room, who, key) for who, key in zip(identities, keys, strict=True)]
    charter = Charter(room, game.name, game.version, game.deck, tuple(chairs))
    places = []
    for seat, key in enumerate(keys):
        secret = secrets.token_bytes(SIZE)
        ticket = Ticket(charter.data(), seat, bytes(key), secret, bot=level if seat else "")
        places.append(Place(ticket, restored(ticket, ()), begin(tables, ticket, charter)))
    return gather(places, [chooser for _, chooser in bots], folder)


def gather(places: Sequence[Place], choosers: Sequence[Chooser], folder: Path | None) -> Peer:
    """The peer of seat 0 at a table whose other ``places`` are taken by ``choosers``."""
    hub, workers = Hub(), ThreadPoolExecutor(THREADS, "farfadet")

    def peer(place: Place, folder: Path | None, crew: Sequence[Peer] = ()) -> Peer:
        channel = Channel(hub.transport(), place.table.charter.room, place.key, None)
        return Peer(
            place.table,
            channel,
            folder=folder,
            journal=place.journal,
            crew=crew,
            workers=workers,
        )

    crew = [peer(place, None) for place in places[1:]]
    for bot, choose in zip(crew, choosers, strict=True):
        bot.delegate(choose)
    return peer(places[0], folder, crew)


def _chair(room: str, who: Identity, key: SigningKey) -> Chair:
    nonce, public = secrets.token_bytes(SIZE), bytes(key.verify_key)
    name = who.name[:LONGEST_NAME]
    certificate = who.key.sign(claim(room, public, name, nonce_hash(nonce))).signature
    return Chair(who.public, public, name, nonce, certificate)
