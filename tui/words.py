"""French and English: a sentence is written once, in English, and translated where it is shown.

``N_("…")`` marks a text where it stands; ``Words.say`` and its sisters translate it where it is
shown. Blanks are named, ``"{who} takes {stones}"``: a translation puts them in its own order. There
is one ``Words`` per app and nothing global: two people at two terminals of one process may each
read their own language.

The catalogue is ``tui/locale/fr/LC_MESSAGES/farfadet.po``; English needs none. The compiled ``.mo``
lies beside it and is kept in step by the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from gettext import NullTranslations, translation
from os.path import dirname, join
from string import Formatter
from typing import Final, TypeAlias

from tui.text import plain

LANGUAGES: Final = {"en": "English", "fr": "français"}
"""The languages, by code, each in its own words."""

Piece: TypeAlias = tuple[str, str]
"""Some text and the name of its style (``tui/style.py``); ``""`` for the usual one."""

Pieces: TypeAlias = tuple[Piece, ...]
"""A sentence ready to be shown."""

_ASCII: Final = str.maketrans(
    {
        **dict.fromkeys("▄", "."),
        **dict.fromkeys("▀", "'"),
        **dict.fromkeys("█▐▌", "#"),
        **dict.fromkeys("─━", "-"),
        **dict.fromkeys("═", "="),
        **dict.fromkeys("│┃║", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╦╩", "+"),
        **dict.fromkeys("▒░", "%"),
        **dict.fromkeys("▶▸", ">"),
        **dict.fromkeys("◀◂", "<"),
        **dict.fromkeys("→", "->"),
        **dict.fromkeys("←", "<-"),
        **dict.fromkeys("·", "-"),
        **dict.fromkeys("•●☺", "o"),
        **dict.fromkeys("◆", "*"),
        **dict.fromkeys("✦", "@"),
        **dict.fromkeys("○", "_"),
        **dict.fromkeys("\N{MULTIPLICATION SIGN}", "x"),
        **dict.fromkeys("…", "."),
        **dict.fromkeys("\N{RIGHT SINGLE QUOTATION MARK}", "'"),
        **dict.fromkeys("↑", "^"),
        **dict.fromkeys("↓", "v"),
        **dict.fromkeys("↵", "Enter"),
        **dict.fromkeys("«»“”", '"'),
        **dict.fromkeys("\N{NO-BREAK SPACE}", " "),
    }
)


def N_(text: str) -> str:  # noqa: N802 - the name every gettext tool knows
    """Mark ``text`` for translation and return it as it is."""
    return text


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802
    """Mark two forms of one text, for one thing and for several."""
    return one, many


def first_language(environ: Mapping[str, str]) -> str:
    """The code of the language that the locale asks for; English if it is none of ours."""
    code = _locale(environ, "LC_MESSAGES")[:2].lower()
    return code if code in LANGUAGES else "en"


def ascii_only(environ: Mapping[str, str]) -> bool:
    """Whether the locale names an encoding that cannot carry our drawings."""
    locale = _locale(environ, "LC_CTYPE").upper()
    encoding = locale.partition(".")[2].partition("@")[0].replace("-", "")
    return locale in {"C", "POSIX"} or encoding not in {"", "UTF8"}


def _locale(environ: Mapping[str, str], kind: str) -> str:
    names = ("LC_ALL", kind, "LANG")
    return next((environ[name] for name in names if environ.get(name)), "")


class Words:
    """One person's language; with ``ascii``, nothing but ASCII comes out.

    ``aloud`` tells who makes sentences of them that they are for ears: colours have names then, not
    letters on a ground.
    """

    def __init__(self, language: str, ascii: bool = False, aloud: bool = False) -> None:  # noqa: A002
        self.language = language
        self.ascii = ascii
        self.aloud = aloud
        self._catalogue: NullTranslations = translation(
            "farfadet", join(dirname(__file__), "locale"), [language], fallback=True
        )

    def fold(self, text: str) -> str:
        """``text`` as this terminal can show it."""
        # Keys side by side need no shafts.
        return plain(text.replace("←→", "<>").translate(_ASCII)) if self.ascii else text

    def say(self, text: str, /, **blanks: object) -> str:
        """``text`` in the language, its blanks filled."""
        return self.fold(self._catalogue.gettext(text).format(**blanks))

    def count(self, forms: tuple[str, str], number: int, /, **blanks: object) -> str:
        """One of ``forms``, as the language counts ``number``, which is the blank ``{n}``."""
        return self.fold(self._catalogue.ngettext(*forms, number).format(n=number, **blanks))

    def tell(self, text: str, /, **blanks: str | Pieces) -> Pieces:
        """Like ``say``, but blanks may be pieces with styles of their own."""
        return tuple(self._pieces(self._catalogue.gettext(text), blanks))

    def _pieces(self, text: str, blanks: Mapping[str, str | Pieces]) -> Iterator[Piece]:
        for before, name, _, _ in Formatter().parse(text):
            if before:
                yield self.fold(before), ""
            if name is not None:
                blank = blanks[name]
                for part, style in ((blank, ""),) if isinstance(blank, str) else blank:
                    yield self.fold(part), style

    def several(self, items: Sequence[Pieces]) -> Pieces:
        """``a``, ``a and b``, ``a, b and c``; nothing for no items."""
        if len(items) < 2:
            return items[0] if items else ()
        listed: Pieces = items[0]
        for item in items[1:-1]:
            listed = (*listed, (", ", ""), *item)
        return self.tell(N_("{several} and {last}"), several=listed, last=items[-1])


def text(pieces: Pieces) -> str:
    """The pieces without their styles."""
    return "".join(part for part, _ in pieces)


def capital(pieces: Pieces) -> Pieces:
    """The pieces with a capital at the start."""
    if not pieces:
        return pieces
    (first, style), *rest = pieces
    return ((first[:1].upper() + first[1:], style), *rest)
