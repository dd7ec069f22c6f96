"""Every topic name, once: how it is built, read back and matched, and how much one may carry.

One room is one gathering of players, from the first seat taken to the end of the game. Everything
in it is published under ``farfadet/1/t/{room}/{kind}/{key}``, where ``key`` names the one peer that
writes there; ``farfadet/1/lobby/{room}`` announces the room to strangers.

>>> spoken("Qk3x", "log", "Zm9v")
'farfadet/1/t/Qk3x/log/Zm9v'
>>> parse("farfadet/1/t/Qk3x/log/Zm9v")
Address(room='Qk3x', kind='log', key='Zm9v')
>>> parse("somebody/else") is None
True
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ROOT = "farfadet/1"
"""What all our topics begin with: the name and the version of the protocol."""

LOBBY = "lobby"
"""The kind of an announcement: retained, signed, empty when what it announces is gone."""

KINDS = ("log", "sync", "here", "chat", "room")
"""What is said in a room.

``log``: the seats' messages; ``sync``: catching up; ``here``: presence (retained, last will);
``chat``: talk; ``room``: taking seats before the game.
"""

LOBBIES = f"{ROOT}/{LOBBY}/+"
"""The filter that finds every announced room."""

LIMIT = 64 * 1024
"""Most bytes of one payload, sent or received."""

_LEVEL = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Address:
    """A topic, read: the room, the kind (one of ``KINDS``, or ``LOBBY``), and who writes there.

    ``key`` is empty for the lobby, where the host alone writes.
    """

    room: str
    kind: str
    key: str = ""


def level(text: str) -> str:
    """``text`` itself if it may be one level of a topic; raises ``ValueError`` otherwise.

    1 to 64 of ``A-Z a-z 0-9 _ -``: what no broker gives a meaning of its own (a NATS server takes
    ``.`` for ``/``, and ``+ # $`` are MQTT's).
    """
    if _LEVEL.fullmatch(text) is None:
        raise ValueError(f"not a level of a topic: {text!r}")
    return text


def lobby(room: str) -> str:
    """Where the host of ``room`` announces it."""
    return f"{ROOT}/{LOBBY}/{level(room)}"


def spoken(room: str, kind: str, key: str) -> str:
    """Where the peer called ``key`` says things of one of the ``KINDS`` in ``room``."""
    if kind not in KINDS:
        raise ValueError(f"not a kind of topic: {kind!r}")
    return f"{ROOT}/t/{level(room)}/{kind}/{level(key)}"


def heard(room: str, kind: str = "+") -> str:
    """The filter for what everybody says in ``room``: of one kind, or of all."""
    if kind != "+" and kind not in KINDS:
        raise ValueError(f"not a kind of topic: {kind!r}")
    return f"{ROOT}/t/{level(room)}/{kind}/+"


def everywhere(kind: str) -> str:
    """The filter for what is said, of one kind, in all rooms."""
    if kind not in KINDS:
        raise ValueError(f"not a kind of topic: {kind!r}")
    return f"{ROOT}/t/+/{kind}/+"


def parse(topic: str) -> Address | None:
    """What ``topic`` names, or ``None`` if it is not one of ours, exactly as we write them."""
    if not topic.startswith(f"{ROOT}/"):
        return None
    match topic[len(ROOT) + 1 :].split("/"):
        case ["lobby", room] if _LEVEL.fullmatch(room):
            return Address(room, LOBBY)
        case ["t", room, kind, key] if (
            kind in KINDS and _LEVEL.fullmatch(room) and _LEVEL.fullmatch(key)
        ):
            return Address(room, kind, key)
        case _:
            return None


def matches(pattern: str, topic: str) -> bool:
    """Whether ``topic`` is among those the filter ``pattern`` asks for (MQTT 3.1.1, 4.7)."""
    wanted, levels = pattern.split("/"), topic.split("/")
    if topic.startswith("$") and wanted[0] in ("+", "#"):
        return False
    if wanted[-1] == "#":
        wanted.pop()
        if len(levels) < len(wanted):
            return False
        levels = levels[: len(wanted)]
    return len(wanted) == len(levels) and all(
        want in ("+", found) for want, found in zip(wanted, levels, strict=True)
    )
