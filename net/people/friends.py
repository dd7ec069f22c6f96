"""Whom one has met, and what that says about whoever is here: trust on first use. Pure values.

A name belongs to the key that was first seen with it. Who comes with the name of somebody known, or
one that looks like it, but with another key, *claims* to be that person: only voices can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum, auto
from unicodedata import normalize

from net.meeting.proquint import proquint
from net.people.lookalike import alike
from net.play.charter import LONGEST_NAME
from net.play.digest import digest

WORDS = 6
"""Words of a fingerprint. Of 16 bits each: whoever wants a key with the same ones has years to try
keys, so the 64 bits that four words have, enough for a table that is gone tomorrow, are too few."""

NAMES = 16
"""Most names kept of one person: the latest."""


class FriendsError(Exception):
    """What cannot be done with the people one knows.

    Codes: ``"nobody-known"``, ``"which-friend"`` (``found`` are the candidates), ``"name-taken"``,
    ``"bad-name"``, ``"friends-not-saved"``.
    """

    def __init__(self, code: str, detail: object = "", found: tuple[Friend, ...] = ()) -> None:
        super().__init__(f"{code}: {detail}" if detail != "" else code)
        self.code = code
        self.found = found


@dataclass(frozen=True, slots=True)
class Friend:
    """Somebody one has played with.

    ``name`` is what we call them: the first name we saw, or one we gave. ``called`` are names they
    have come under. ``checked`` are those of their ``keys`` whose table words we have compared.
    """

    name: str
    keys: tuple[bytes, ...]
    called: tuple[str, ...]
    first: date
    last: date
    games: int = 0
    checked: frozenset[bytes] = frozenset()

    def answers_to(self, name: str) -> bool:
        """Whether ``name`` could be taken for one of theirs."""
        return any(alike(name, own) for own in (self.name, *self.called))


class Kind(Enum):
    """What somebody here is to us."""

    ME = auto()
    """Our own key, in whatever process."""
    BOT = auto()
    NEW = auto()
    """A key never seen, under a name nobody has."""
    KNOWN = auto()
    CLAIMS = auto()
    """The name of somebody known, or one that looks like it, without that person's key."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody is to us: ``owner`` is whose key it is, ``claimed`` who has such a name."""

    kind: Kind
    owner: Friend | None = None
    claimed: Friend | None = None
    checked: bool = False
    """Whether the words of a table have been compared under this key."""


@dataclass(frozen=True, slots=True)
class Friends:
    """Everybody we have met. Changes make a new value; one of nobody there changes nothing."""

    people: tuple[Friend, ...] = ()

    def owner(self, key: bytes) -> Friend | None:
        """Whose ``key`` it is."""
        return next((friend for friend in self.people if key in friend.keys), None)

    def standing(self, key: bytes, name: str, *, bot: bool = False, me: bytes = b"") -> Standing:
        """What the holder of ``key`` who is called ``name`` here is to the holder of ``me``.

        ``bot`` is what they say of themselves, so it does not help anyone to a friend's name.
        """
        if key == me:
            return Standing(Kind.ME)
        owner = self.owner(key)
        checked = owner is not None and key in owner.checked
        if owner is not None and owner.answers_to(name):
            return Standing(Kind.KNOWN, owner, checked=checked)
        others = [friend for friend in self.people if friend.answers_to(name)]
        if others:
            same = [friend for friend in others if _same(friend.name, name)]
            return Standing(Kind.CLAIMS, owner, (same or others)[0], checked)
        if owner is not None:
            return Standing(Kind.KNOWN, owner, checked=checked)
        return Standing(Kind.BOT if bot else Kind.NEW)

    def free(self, name: str) -> str:
        """What to call somebody new who is called ``name``: just that, or that and a number."""
        taken = [friend.name for friend in self.people]
        free, number = name, 1
        while any(_same(free, other) for other in taken):
            number += 1
            free = f"{name[: LONGEST_NAME - 5]} {number}"
        return free

    def find(self, who: str) -> Friend:
        """Whom ``who`` means: a name, or the start of a fingerprint.

        Raises ``FriendsError``: ``nobody-known``, ``which-friend``.
        """
        start = "-".join(who.casefold().replace("-", " ").split())
        tests: tuple[Callable[[Friend], bool], ...] = (
            lambda friend: friend.name == who,
            lambda friend: _same(friend.name, who),
            lambda friend: friend.answers_to(who),
            lambda friend: any(fingerprint(key).startswith(start or " ") for key in friend.keys),
        )
        for test in tests:
            found = tuple(filter(test, self.people))
            if len(found) > 1:
                raise FriendsError("which-friend", who, found)
            if found:
                return found[0]
        raise FriendsError("nobody-known", who)

    # What happens.

    def met(self, here: Mapping[bytes, str], day: date) -> Friends:
        """A game has begun with the holders of these keys, under these names."""
        friends, counted = self, set[bytes]()
        for key, name in here.items():
            owner = friends.owner(key)
            if owner is None:
                owner = Friend(friends.free(name), (key,), (), day, day)
                friends = Friends((*friends.people, owner))
            known = friends._known_as(owner, name)
            once = owner.keys[0] not in counted
            counted.add(owner.keys[0])
            games, last = owner.games + once, max(owner.last, day)
            friends = friends._with(owner, replace(known, games=games, last=last))
        return friends

    def adopted(self, key: bytes, name: str, claimed: bytes) -> Friends:
        """The unknown ``key`` belongs to the person who has the key ``claimed`` as well."""
        friend = self.owner(claimed)
        if friend is None or self.owner(key) is not None:
            return self
        known = self._known_as(friend, name)
        return self._with(friend, replace(known, keys=(*friend.keys, key)))

    def compared(self, keys: Iterable[bytes], same: bool = True) -> Friends:
        """The words of a table with these keys were the same on both sides, or were not."""
        friends = self
        for key in keys:
            friend = friends.owner(key)
            if friend is not None:
                checked = friend.checked | {key} if same else friend.checked - {key}
                friends = friends._with(friend, replace(friend, checked=checked))
        return friends

    def renamed(self, key: bytes, name: str) -> Friends:
        """The holder of ``key`` is called ``name`` from now on; see ``acceptable_name``."""
        friend = self.owner(key)
        return self if friend is None else self._with(friend, replace(friend, name=name))

    def forgotten(self, key: bytes) -> Friends:
        """Without the holder of ``key``: a stranger, from now on."""
        return Friends(tuple(friend for friend in self.people if key not in friend.keys))

    def acceptable_name(self, name: str, friend: Friend) -> str:
        """``name`` as it may be given to ``friend``.

        Raises ``FriendsError``: ``bad-name``, ``name-taken`` (somebody else could be meant).
        """
        clean = " ".join(normalize("NFC", name).split())
        if not clean.isprintable() or not 0 < len(clean) <= LONGEST_NAME:
            raise FriendsError("bad-name", name)
        if any(_same(other.name, clean) for other in self.people if other != friend):
            raise FriendsError("name-taken", name)
        return clean

    @staticmethod
    def _known_as(friend: Friend, name: str) -> Friend:
        called = (*(other for other in friend.called if other != name), name)
        return replace(friend, called=called[-NAMES:])

    def _with(self, old: Friend, new: Friend) -> Friends:
        return Friends(tuple(new if friend is old else friend for friend in self.people))


def fingerprint(key: bytes) -> str:
    """A public key to be read aloud, or typed: six words of two syllables, joined by hyphens.

    Words rather than hex groups: they survive a bad telephone line, and both languages say them.
    """
    value = digest(b"farfadet person", key)
    return "-".join(
        proquint(int.from_bytes(value[at : at + 2], "big")) for at in range(0, 2 * WORDS, 2)
    )


def _same(one: str, other: str) -> bool:
    return normalize("NFKC", one).casefold() == normalize("NFKC", other).casefold()
