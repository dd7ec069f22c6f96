"""The themes: what every named colour looks like in each of them."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

COLOURS: Final = {
    "stone-red": "#e5534b",
    "stone-blue": "#5b9bf0",
    "stone-yellow": "#e8c33d",
    "stone-white": "#f4f4f0",
    "stone-green": "#6fbf73",
    "stone-purple": "#b98ae0",
    "stone-grey": "#a9a9a9",
    "ink": "bold #16161a",
    "ink-grey": "bold #16161a",
    "cap": "#7a4a6a",
    "cap-dot": "#e9d3df",
    "rim-lit": "#f0b35a",
    "stem": "#d9cdb4",
    "dim": "#9a948f",
    "rule": "#4d494f",
}
"""What the house's theme adds to Textual's names; the other themes have the same names.

``ink`` is what stones are written with, ``ink-grey`` on grey ones; these two and ``dim`` and
``rule`` may have attributes besides a colour.
"""

HOUSE: Final = Theme(
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
    variables=dict(COLOURS),
)
"""The house's own: dusk in the undergrowth."""

LIGHT: Final = Theme(
    name="light",
    primary="#7a2f63",
    secondary="#1d566e",
    accent="#84440a",
    success="#1d6529",
    warning="#84440a",
    error="#9c1f19",
    foreground="#2b2530",
    background="#f4efe6",
    surface="#ebe4d8",
    panel="#ddd5c7",
    dark=False,
    variables={
        **COLOURS,
        "stone-white": "#ffffff",
        "cap": "#95567f",
        "cap-dot": "#ffffff",
        "rim-lit": "#84440a",
        "stem": "#a3916c",
        "dim": "#5f5862",
        "rule": "#b5ab9d",
    },
)
"""The same wood in the morning."""

COLOUR_BLIND: Final = Theme(
    name="colour-blind",
    primary="#cc79a7",
    secondary="#56b4e9",
    accent="#e69f00",
    success="#56b4e9",
    warning="#f0e442",
    error="#ff9e6b",
    foreground="#ffffff",
    background="#121212",
    surface="#1a1a1a",
    panel="#242424",
    variables={
        "stone-red": "#d55e00",
        "stone-blue": "#56b4e9",
        "stone-yellow": "#f0e442",
        "stone-white": "#ffffff",
        "stone-green": "#009e73",
        "stone-purple": "#cc79a7",
        "stone-grey": "#505050",
        "ink": "bold #000000",
        "ink-grey": "bold #ffffff",
        "cap": "#0072b2",
        "cap-dot": "#ffffff",
        "rim-lit": "#e69f00",
        "stem": "#d9cdb4",
        "dim": "#a3a3a3",
        "rule": "#505050",
    },
)
"""The eight colours of M. Okabe and K. Ito ("Color Universal Design", 2008).

They were chosen so that people who lack one kind of cone tell each from every other: vermillion
stands for red, bluish green for green. Mid grey is what purple and green look like without the
middle cones, so grey is dark here and written on in white, as black is in their set.
"""

HIGH_CONTRAST: Final = Theme(
    name="high-contrast",
    primary="#ffd0f0",
    secondary="#9fe0ff",
    accent="#ffd400",
    success="#6dff8a",
    warning="#ffc04d",
    error="#ffa3a3",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    variables={
        "stone-red": "#ff7a70",
        "stone-blue": "#6fb2ff",
        "stone-yellow": "#ffe14d",
        "stone-white": "#ffffff",
        "stone-green": "#5ee07a",
        "stone-purple": "#d9a0ff",
        "stone-grey": "#b0b0b0",
        "ink": "bold #000000",
        "ink-grey": "bold #000000",
        "cap": "#e08fd0",
        "cap-dot": "#000000",
        "rim-lit": "#ffd400",
        "stem": "#ffffff",
        "dim": "#c4c4c4",
        "rule": "#9a9a9a",
    },
)
"""Black and white first, and seven to one for everything that is written."""

TERMINAL: Final = Theme(
    name="terminal",
    primary="ansi_magenta",
    secondary="ansi_default",
    accent="ansi_magenta",
    success="ansi_green",
    warning="ansi_red",
    error="ansi_red",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    ansi=True,
    variables={
        # Names that Textual's own styles want of such a theme.
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "stone-red": "ansi_bright_red",
        "stone-blue": "ansi_bright_blue",
        "stone-yellow": "ansi_bright_yellow",
        "stone-white": "ansi_bright_white",
        "stone-green": "ansi_bright_green",
        "stone-purple": "ansi_bright_magenta",
        "stone-grey": "ansi_white",
        # Where bold means bright, bold black is grey.
        "ink": "ansi_black",
        "ink-grey": "ansi_black",
        "cap": "ansi_magenta",
        "cap-dot": "ansi_bright_white",
        "rim-lit": "ansi_yellow",
        "stem": "ansi_white",
        "dim": "dim ansi_default",
        "rule": "dim ansi_default",
    },
)
"""The sixteen colours and the ground of whatever terminal this is."""

THEMES: Final = {
    theme.name: theme for theme in (HOUSE, LIGHT, COLOUR_BLIND, HIGH_CONTRAST, TERMINAL)
}
"""All of them, by name, in the order they are offered."""
