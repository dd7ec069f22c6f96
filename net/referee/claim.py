"""What referees with one key say to each other about tables: claims, beats, questions; all sealed.

Only who has the secret key can read or make any of it, so nothing of it is signed besides. A claim
is retained by the broker, one a table; the rest is heard by who is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from net.link import topics
from net.meeting import invitation
from net.meeting.seating import room_of
from net.people.identity import Identity
from net.play.ballots import well_formed
from net.play.digest import SIZE, digest
from net.play.votes import Place
from net.play.wire import MOST_STEPS, Refusal, pack, unpack

INSTANCE = 8
"""Bytes in the name that a process gives itself when it starts."""

MOST_TABLES = 1000
"""Most tables that one process may hold, so that a beat can name them all."""

MOST_PLACES = 500
"""Most places of one table at which votes may be promised, so that a claim fits one payload."""

MOST_MEMBERS = 64
MOST_COUNT = 1 << 53

Promises: TypeAlias = Mapping[Place, tuple[int, ...]]
"""What has been voted at each place of a table, or is about to be: a history of ballots."""


@dataclass(frozen=True, slots=True)
class Claim:
    """That the process ``holder`` speaks for the referee at ``table``, reached by ``room, key``.

    Of two claims the later one holds: the one with the higher ``term``, and of two with the same
    term the one whose holder comes first in the order of ``weight``. ``version`` counts how often
    the holder has added to its ``promises``.
    """

    table: bytes
    room: str
    key: bytes
    term: int
    holder: bytes
    version: int
    promises: Promises

    @property
    def rank(self) -> tuple[int, int, int]:
        """Of two claims of one table, the one with the higher rank is the later."""
        return self.term, weight(self.room, self.holder), self.version


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life of ``instance``, its ``number``-th.

    ``free`` is whether it can take more tables; ``asks`` that everybody gives a sign of life too;
    ``leaves`` that this is its last. ``holds`` are all the tables that it has claimed, each with
    its claim's term and version.
    """

    instance: bytes
    number: int
    free: bool
    asks: bool
    leaves: bool
    holds: Mapping[bytes, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Ask:
    """Whoever holds one of ``tables`` is to publish its claim again."""

    tables: tuple[bytes, ...]


Word: TypeAlias = Claim | Beat | Ask


def weight(room: str, instance: bytes) -> int:
    """Who takes the table in ``room``: of several processes, the one with the highest weight.

    So everybody comes to the same answer, the load is shared, and only the tables of who goes are
    taken by others (rendezvous hashing).
    """
    return int.from_bytes(digest(b"farfadet weight", room.encode(), instance)[:8], "big")


class Seal:
    """What seals and opens the words of the referees that share ``identity``, and where they go."""

    def __init__(self, identity: Identity) -> None:
        self.room = room_of(identity.public)
        secret = bytes(identity.key)
        self._box = SecretBox(digest(b"farfadet claims", secret))
        self._names = digest(b"farfadet names", secret)

    @property
    def heard(self) -> str:
        """The filter for all that is said."""
        return topics.heard(self.room, "here")

    def topic(self, word: Word, speaker: bytes) -> str:
        """Where ``speaker`` says it; a claim's topic does not tell the broker which table's."""
        if isinstance(word, Claim):
            return self.place(word.table)
        return topics.spoken(self.room, "here", speaker.hex())

    def place(self, table: bytes) -> str:
        """The topic of the claims of ``table``."""
        return topics.spoken(self.room, "here", digest(b"farfadet claim", self._names, table).hex())

    def close(self, word: Word) -> bytes:
        """``word`` as it travels."""
        return bytes(self._box.encrypt(pack(_plain(word))))

    def open(self, data: bytes) -> Word:
        """The word in ``data``; raises ``Refusal`` if it is not one of ours."""
        try:
            opened = self._box.decrypt(data)
        except (CryptoError, ValueError, TypeError):
            raise Refusal("sealed") from None
        return _read(unpack(opened))


def _plain(word: Word) -> list[Any]:
    match word:
        case Claim():
            promises = [
                [step, prev, list(history)] for (step, prev), history in word.promises.items()
            ]
            way = word.table, word.room, word.key
            return ["claim", *way, word.term, word.holder, word.version, promises]
        case Beat():
            holds = [[table, *held] for table, held in word.holds.items()]
            flags = word.free, word.asks, word.leaves
            return ["beat", word.instance, word.number, *flags, holds]
        case Ask():
            return ["ask", list(word.tables)]


def _read(plain: object) -> Word:
    match plain:
        case ["claim", bytes(table), str(room), bytes(key), int(term), bytes(holder), int(version),
              list(promises)] if (
            len(table) == SIZE
            and len(key) == invitation.KEY
            and len(holder) == INSTANCE
            and _count(term)
            and _count(version)
        ):  # fmt: skip
            try:
                way = topics.level(room), key
            except ValueError:
                raise Refusal("claim") from None
            return Claim(table, *way, term, holder, version, dict(map(_promise, promises)))
        case ["beat", bytes(instance), int(count), bool(free), bool(asks), bool(leaves),
              list(holds)] if len(instance) == INSTANCE and _count(count):  # fmt: skip
            return Beat(instance, count, free, asks, leaves, dict(map(_held, holds)))
        case ["ask", list(tables)] if all(isinstance(table, bytes) for table in tables):
            return Ask(tuple(tables))
    raise Refusal("claim")


def _promise(plain: object) -> tuple[Place, tuple[int, ...]]:
    match plain:
        case [int(step), bytes(prev), list(history)] if (
            0 <= step < MOST_STEPS and len(prev) == SIZE and well_formed(history, MOST_MEMBERS)
        ):
            return (step, prev), tuple(history)
    raise Refusal("promise")


def _held(plain: object) -> tuple[bytes, tuple[int, int]]:
    match plain:
        case [bytes(table), int(term), int(version)] if _count(term) and _count(version):
            return table, (term, version)
    raise Refusal("beat")


def _count(value: int) -> bool:
    return type(value) is int and 0 <= value < MOST_COUNT


def fits(history: Iterable[int], known: Iterable[int]) -> bool:
    """Whether one of two histories begins with the other: who says both contradicts nothing."""
    return all(ours == theirs for ours, theirs in zip(history, known, strict=False))


def merged(first: Promises, second: Promises) -> Promises:
    """All promises of both, the longer of two that fit; where they contradict, the ``first``."""
    both = dict(first)
    for place, history in second.items():
        known = both.get(place, ())
        if len(history) > len(known) and fits(history, known):
            both[place] = history
    return both
