"""What a simulated world is made of: a charter that follows from a seed, and processes that die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from unittest.mock import patch

from nacl.signing import SigningKey

from net.meeting.seating import room_of
from net.play import wire
from net.play.charter import Chair, Charter, claim, nonce_hash
from net.play.course import Player
from net.play.journal import Chosen, Entry, Heard, Ticket
from net.play.patience import Patience
from net.play.replica import replica
from net.play.resume import restored
from net.play.rounds import Here
from net.play.sync import Sync
from net.play.table import Table
from rules.form import plain
from rules.game import Game, Move, Seat
from tests.net.deck.groups import Toy

TOY = Toy()


def agreed(
    seed: int,
    seats: int,
    game: Game,
    *,
    limit: int = 0,
    referee: bool = False,
    escrow: bool = False,
    names: Sequence[str] = (),
) -> tuple[Charter, list[Player]]:
    """A charter and its players (the referee last), the same for the same arguments."""
    source = Random(f"charter {seed}")
    keys = [SigningKey(source.randbytes(32)) for _ in range(seats)]
    room = room_of(bytes(keys[0].verify_key))
    players, chairs = [], []
    for seat, key in enumerate(keys):
        identity = SigningKey(source.randbytes(32))
        nonce, name = source.randbytes(32), names[seat] if names else f"seat {seat}"
        public = bytes(key.verify_key)
        signature = identity.sign(claim(room, public, name, nonce_hash(nonce))).signature
        chairs.append(Chair(bytes(identity.verify_key), public, name, nonce, signature))
        players.append(Player(seat, key, source.randbytes(32)))
    judge = b""
    if referee:
        players.append(Player(seats, SigningKey(source.randbytes(32)), source.randbytes(32)))
        judge = bytes(players[-1].key.verify_key)
    terms = (game.name, game.version, game.deck, tuple(chairs), limit, judge, escrow)
    return Charter(room, *terms), players


@contextmanager
def small_numbers() -> Iterator[None]:
    """Replicas and audits seal decks in a group of small numbers, in a fraction of the time.

    What several replicas would look at in vain again, the signature of the same bytes, is looked at
    once. Everything but the strength of the cards' secrecy is as it is; ``tests/net/deck`` looks
    at that.
    """
    once = lru_cache(maxsize=100_000)(wire.signed)
    with (
        patch("net.play.replica.EDWARDS", TOY),
        patch("net.play.wire.signed", once),
        patch("net.play.sync.signed", once),
    ):
        yield


@dataclass
class Node:
    """One process at the table: a seat's, the referee's, or (without a player) a spectator's."""

    charter: Charter
    player: Player | None
    table: Table = field(init=False)
    sync: Sync = field(init=False)
    patience: Patience = field(init=False)
    alive: bool = True
    entries: list[Entry] = field(default_factory=list)
    """Its journal."""
    synced: int = 0
    """How many entries are on disk for certain."""
    marks: list[tuple[bytes, bytes]] = field(default_factory=list)
    """The hashes of the transcript and of the state after each step."""

    def __post_init__(self) -> None:
        self.start()

    @property
    def member(self) -> Seat | None:
        """Its number at the table."""
        return None if self.player is None else self.player.seat

    @property
    def ticket(self) -> Ticket:
        """What it needs to come back."""
        assert self.player is not None
        key, secret = bytes(self.player.key), self.player.secret
        return Ticket(self.charter.data(), self.player.seat, key, secret)

    def start(self) -> None:
        """Begin, or go on from the journal."""
        if self.player is None:
            self.table = replica(self.charter, None)
        else:
            self.table = restored(self.ticket, self.entries)
        self.table.memory = None if self.player is None else self
        self.sync = Sync(self.table)
        self.patience = Patience(self.table)
        self.sync.hurry()

    def die(self, source: Random) -> None:
        """What was written after the last choice may or may not have reached the disk."""
        self.alive = False
        del self.entries[source.randint(self.synced, len(self.entries)) :]

    def tick(self, now: float) -> list[bytes]:
        """What to publish for catching up; votes are cast meanwhile."""
        said = self.sync.tick(now)
        self.patience.tick(now, self.sync.away(now))
        return said

    def heard(self, message: bytes) -> None:
        """Note a message down."""
        self.entries.append(Heard(message))

    def chosen(self, here: Here, move: Move) -> None:
        """Note a choice down, for certain."""
        self.entries.append(Chosen(here.step, here.prev, plain(move)))
        self.synced = len(self.entries)

    def promised(self, message: bytes) -> None:
        """Note down, for certain, what could not be made again."""
        self.entries.append(Heard(message))
        self.synced = len(self.entries)
