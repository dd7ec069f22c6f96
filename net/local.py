"""A whole table in one process: one person against programs, by the same protocol as anywhere."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

from nacl.signing import SigningKey

from net.channel import Channel
from net.charter import LONGEST_NAME, Chair, Charter, claim, nonce_hash
from net.course import Player
from net.deck.sealed import SealedDeck
from net.digest import SIZE
from net.identity import Identity
from net.memory import Hub
from net.peer import THREADS, Peer, autoplay
from net.seating import room_of
from net.table import Table
from rules.bots import Chooser
from rules.game import Game


def sit_down(
    game: Game, identity: Identity, bots: Sequence[tuple[str, Chooser]], folder: Path | None
) -> Peer:
    """The peer of ``identity`` in seat 0; the ``bots``, by name, take the seats after it."""
    identities = [identity, *(Identity.fresh(name) for name, _ in bots)]
    keys = [SigningKey.generate() for _ in identities]
    room = room_of(bytes(keys[0].verify_key))
    chairs = [_chair(room, who, key) for who, key in zip(identities, keys, strict=True)]
    charter = Charter(room, game.name, game.version, game.deck, tuple(chairs))
    hub, workers = Hub(), ThreadPoolExecutor(THREADS, "farfadet")
    peers: list[Peer] = []
    for seat, (key, bot) in enumerate(zip(keys[1:], bots, strict=True), start=1):
        peers.append(_peer(hub, workers, charter, game, seat, key, None))
        autoplay(peers[-1], bot[1])
    return _peer(hub, workers, charter, game, 0, keys[0], folder, peers)


def _chair(room: str, who: Identity, key: SigningKey) -> Chair:
    nonce, public = secrets.token_bytes(SIZE), bytes(key.verify_key)
    name = who.name[:LONGEST_NAME]
    certificate = who.key.sign(claim(room, public, name, nonce_hash(nonce))).signature
    return Chair(who.public, public, name, nonce, certificate)


def _peer(
    hub: Hub,
    workers: Executor,
    charter: Charter,
    game: Game,
    seat: int,
    key: SigningKey,
    folder: Path | None,
    crew: Sequence[Peer] = (),
) -> Peer:
    secret = secrets.token_bytes(SIZE)
    deck = SealedDeck(charter.table, len(charter.chairs), seat, secret)
    table = Table(charter, game, deck, Player(seat, key, secret))
    channel = Channel(hub.transport(), charter.room, bytes(key.verify_key), None)
    return Peer(table, channel, folder=folder, crew=crew, workers=workers)
