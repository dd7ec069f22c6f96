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
        **dict.fromkeys("▶▸→", ">"),
        **dict.fromkeys("◀◂←", "<"),
        **dict.fromkeys("·", "-"),
        **dict.fromkeys("•●☺", "o"),
        **dict.fromkeys("◆✦", "*"),
        **dict.fromkeys("○", "z"),
        **dict.fromkeys("\N{MULTIPLICATION SIGN}", "x"),
        **dict.fromkeys("…", "."),
        **dict.fromkeys("\N{RIGHT SINGLE QUOTATION MARK}", "'"),
        **dict.fromkeys("↑", "^"),
        **dict.fromkeys("↓", "v"),
        **dict.fromkeys("↵", "Enter"),
        **dict.fromkeys("«»", '"'),
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
    """One person's language; with ``ascii``, nothing but ASCII comes out."""

    def __init__(self, language: str, ascii: bool = False) -> None:  # noqa: A002
        self.language = language
        self.ascii = ascii
        self._catalogue: NullTranslations = translation(
            "farfadet", join(dirname(__file__), "locale"), [language], fallback=True
        )

    def fold(self, text: str) -> str:
        """``text`` as this terminal can show it."""
        return plain(text.translate(_ASCII)) if self.ascii else text

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


def trouble(code: str) -> str:
    """What to say about an error with this ``code``, to translate; its blank is ``{code}``.

    ``"unforeseen"`` has the blank ``{log}`` instead, the path of the log.
    """
    return _TROUBLES.get(code, _UNKNOWN)


def refusal(code: str) -> str:
    """Why a move may not be made, to translate."""
    return _REFUSALS.get(code, N_("That is not possible now ({code})."))


def offence(code: str) -> str:
    """How ``{who}`` has stopped the table, to translate; a blank may be ``{code}``."""
    broke = N_("The game is stopped: {who} broke the protocol ({code}). Nobody has won.")
    return _OFFENCES.get(code, broke)


_UNKNOWN: Final = N_("Something went wrong ({code}). Try again; the log says more.")
_NO_BROKER: Final = N_("Nobody answers there. Is the host's farfadet still open? Then try again.")
_BAD_INVITATION: Final = N_(
    "That is no invitation. Copy all of it, from the first character to the last."
)
_BAD_PORT: Final = N_("That port cannot be used here. Choose another one with --port.")

_TROUBLES: Final = {
    "unforeseen": N_("Something unforeseen went wrong. The details are in {log}."),
    "bad-invitation": _BAD_INVITATION,
    "bad-port": _BAD_INVITATION,
    "nobody-here": N_("The host of this table does not answer. Ask for a new invitation."),
    "host-left": N_("The host has gone before the game began. Ask for a new invitation."),
    "not-seated": N_("Somebody has gone while sitting down. Join again, or host another table."),
    "nobody-present": N_("Nobody is left who could deal the cards: the game cannot go on."),
    "table-full": N_("This table is full. Ask for a place at another one."),
    "unknown-game": N_("This table plays a game you do not have. Update farfadet."),
    "other-rules": N_("This table plays another version of the rules. Update farfadet on both."),
    "no-table": N_("There is no table to go back to."),
    "in-use": N_("You are at this table already, in another terminal."),
    "no-journal": N_("What was kept of this table is damaged; it cannot be gone back to."),
    "bad-deck": N_("The cards of this table cannot be played with here. Update farfadet on both."),
    "fixed-deck": N_("This game is always played with its own cards."),
    "seats": N_("This game is not for that many players. Choose another number of seats."),
    "bad-url": N_("That is no address of a broker. Write it like mqtt://host:1883."),
    "no-answer": _NO_BROKER,
    "timeout": _NO_BROKER,
    "refused": _NO_BROKER,
    "closed": N_("The connection was closed. Join again with the same invitation."),
    "denied": N_("The broker does not let you in. Ask the host for a new invitation."),
    "died": N_("The broker stopped by itself. Host again; the log says why it stopped."),
    "binary-missing": N_("The broker's program is missing. Install farfadet again."),
    "no-permission": _BAD_PORT,
    "address-in-use": _BAD_PORT,
    "no-such-address": _BAD_PORT,
    "no-referee": N_("No referee answers on this broker. Host without one, or start one there."),
    "referee-stopped": N_("No referee runs here. Start one with: farfadet referee --broker URL"),
    "referee-in-use": N_("A referee uses this folder already. Choose another one with --data."),
    "no-record": N_("No referee has kept a record here. See where with: farfadet locate."),
    "other-record": N_(
        "Another version of farfadet wrote this record. Choose another folder with --data."
    ),
    "bad-folder": N_("The broker cannot write its files. See where with: farfadet locate."),
}

_REFUSALS: Final = {
    "no-aim": N_("Aim at something first."),
    "sealed": N_("Your choice is sealed: there is no way back."),
    "not-asked": N_("Nothing is asked of you right now."),
    "looking-on": N_("You are looking on, not playing."),
    "no-such-seat": N_("Nobody sits there."),
    "not-now": N_("That is for another moment of the game."),
    "move-text": N_("That is no move; F1 lists them all."),
}

_OFFENCES: Final = {
    "two-votes": N_("Stopped, nobody has won: {who} has voted twice in different ways."),
    "bad-roll": N_("Stopped, nobody has won: {who} has called a false roll."),
    "escrow-piece": N_("Stopped, nobody has won: {who} gave a false piece of a key."),
    "false-complaint": N_("Stopped, nobody has won: {who} complained of a key without cause."),
}
