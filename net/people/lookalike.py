"""Whether two names could be taken for each other on a screen.

A small part of what UTS #39 does: enough for names that people read at a glance, not for proving
anything. What is too much alike is asked about; who somebody is, only the key says.
"""

# ruff: noqa: RUF001 - letters that can be mistaken are what this is about

from __future__ import annotations

from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

SHOWN: Final = 10
"""Letters of a name that every screen shows; after them it may be cut."""

_CAPITALS: Final = str.maketrans(
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕЅІЈКМНОРСТУХ",
    "ABEZHIKMNOPTYXABESIJKMHOPCTYX",
)
"""Greek and Cyrillic capitals that are drawn like Latin ones, before letters lose their case."""

_SMALL: Final = str.maketrans(
    "αεικνορτυχγωаеѕіјкморстухһԁԛԝɑɡıℓ0",
    "aeikvoptuxywaesijkmopctyxhdqwagilo",
)
"""Small letters and digits that are drawn like Latin letters."""

_STROKES: Final = str.maketrans("i1|", "lll")
"""A capital i, a small l and a one are the same stroke in many typefaces."""


_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or symbols and show nothing."""


@lru_cache(4096)
def skeleton(name: str) -> str:
    """What is left of ``name`` for the eye: two names with one skeleton are too much alike.

    Case, accents, spaces, punctuation and what shows nothing make no difference, nor do letters of
    other alphabets that look like Latin ones, nor what is cut off on screens.
    """
    shown = " ".join(_without("MC", normalize("NFKC", name)).split())[:SHOWN]
    bare = _without("MCZP", normalize("NFKD", shown).translate(_CAPITALS).casefold())
    like = _without("M", normalize("NFKD", bare)).translate(_SMALL).translate(_STROKES)
    return like.replace("rn", "m").replace("vv", "w") or name


def alike(one: str, other: str) -> bool:
    """Whether ``one`` could be taken for ``other``."""
    return skeleton(one) == skeleton(other)


def _without(kinds: str, text: str) -> str:
    """``text`` without the characters of these kinds (their Unicode categories) and blank ones."""
    return "".join(char for char in text if category(char)[0] not in kinds and char not in _BLANKS)
