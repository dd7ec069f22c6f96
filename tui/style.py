"""The names of styles and what they look like, all in colours of the theme."""

from __future__ import annotations

from typing import Final

from textual.content import Content
from textual.theme import Theme

from tui.words import Pieces

COLOURS: Final = {
    "stone-red": "#e5534b",
    "stone-blue": "#5b9bf0",
    "stone-yellow": "#e8c33d",
    "stone-white": "#f4f4f0",
    "stone-green": "#6fbf73",
    "stone-purple": "#b98ae0",
    "stone-grey": "#a9a9a9",
    "stone-ink": "#16161a",
    "cap": "#7a4a6a",
    "rim-lit": "#f0b35a",
    "cap-dot": "#e9d3df",
    "stem": "#d9cdb4",
}
"""Colours that games need besides the theme's own; a theme may override them by these names."""

STYLES: Final = {
    "": "",
    "red": "bold $stone-ink on $stone-red",
    "blue": "bold $stone-ink on $stone-blue",
    "yellow": "bold $stone-ink on $stone-yellow",
    "white": "bold $stone-ink on $stone-white",
    "green": "bold $stone-ink on $stone-green",
    "purple": "bold $stone-ink on $stone-purple",
    "grey": "bold $stone-ink on $stone-grey",
    "cap": "$cap",
    "cap-dots": "$cap-dot on $cap",
    "cap-in": "$cap-dot on $cap",
    "cap-stem": "$cap on $stem",
    "lit": "$rim-lit",
    "lit-stem": "$rim-lit on $stem",
    "stem": "$stem",
    "rule": "$foreground 25%",
    "dim": "$foreground 55%",
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

THEME: Final = Theme(
    name="farfadet",
    primary="#d19abf",
    secondary="#8fb8c9",
    accent="#f0b35a",
    success="#86c98a",
    warning="#f0b35a",
    error="#f0706a",
    foreground="#e9e4dc",
    background="#19161b",
    surface="#211d24",
    panel="#2d2731",
    dark=True,
    variables=dict(COLOURS),
)
"""The house's own theme: dusk in the undergrowth."""


def content(pieces: Pieces) -> Content:
    """The pieces as Textual shows them; nothing in them is read as markup."""
    return Content.assemble(*[(text, STYLES[style]) for text, style in pieces])
