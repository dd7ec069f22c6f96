"""The names of styles and what they look like, all in colours of the theme (``tui/themes.py``)."""

from __future__ import annotations

from typing import Final

from textual.content import Content

from tui.words import Pieces

STYLES: Final = {
    "": "",
    "red": "$ink on $stone-red",
    "blue": "$ink on $stone-blue",
    "yellow": "$ink on $stone-yellow",
    "white": "$ink on $stone-white",
    "green": "$ink on $stone-green",
    "purple": "$ink on $stone-purple",
    "grey": "$ink-grey on $stone-grey",
    "cap": "$cap",
    "cap-dots": "$cap-dot on $cap",
    "cap-in": "$cap-dot on $cap",
    "cap-stem": "$cap on $stem",
    "lit": "$rim-lit",
    "lit-stem": "$rim-lit on $stem",
    "stem": "$stem",
    "rule": "$rule",
    "dim": "$dim",
    "name": "bold",
    "me": "bold $accent",
    "key": "bold $accent",
    "sealed": "bold $success",
    "warning": "bold $warning",
    "error": "bold $error",
    "lost": "bold reverse $warning",
    "title": "bold $primary",
    "aimed": "bold reverse",
    "event": "bold",
    "chat": "$secondary",
}
"""Style by name, as Textual writes styles."""


FLAT: Final = frozenset(
    name for name, look in STYLES.items() if " on " not in look and "reverse" not in look
)
"""Styles in which a blank looks like any other blank."""


def content(pieces: Pieces) -> Content:
    """The pieces as Textual shows them; nothing in them is read as markup."""
    return Content.assemble(*[(text, STYLES[style]) for text, style in pieces])
