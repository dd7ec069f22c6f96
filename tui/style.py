"""The names of styles and what they look like, all in colours of the theme."""

from __future__ import annotations

from typing import Final

from textual.content import Content

from tui.words import Pieces

COLOURS: Final = {
    "stone-red": "#e5534b",
    "stone-blue": "#5b9bf0",
    "stone-yellow": "#e8c33d",
    "stone-white": "#f4f4f0",
    "stone-ink": "#16161a",
    "cap": "#7a4a6a",
    "cap-lit": "#b06a94",
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
    "cap": "$cap",
    "cap-dots": "$cap-dot on $cap",
    "cap-in": "$cap-dot on $cap",
    "cap-stem": "$cap on $stem",
    "lit": "$cap-lit",
    "lit-dots": "$cap-dot on $cap-lit",
    "lit-in": "$cap-dot on $cap-lit",
    "lit-stem": "$cap-lit on $stem",
    "stem": "$stem",
    "rule": "$foreground 25%",
    "dim": "$foreground 55%",
    "name": "bold",
    "me": "bold $accent",
    "key": "bold $accent",
    "sealed": "bold $success",
    "warning": "bold $warning",
    "error": "bold $error",
    "title": "bold $primary",
    "aimed": "bold reverse",
    "event": "bold",
}
"""Style by name, as Textual writes styles."""


def content(pieces: Pieces) -> Content:
    """The pieces as Textual shows them; nothing in them is read as markup."""
    return Content.assemble(*[(text, STYLES[style]) for text, style in pieces])
