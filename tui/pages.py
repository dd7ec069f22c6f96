"""The rule pages: where they lie, and how their Markdown is laid out in the cells of a terminal.

They are written for the web as well (``docs/rules``), so what they use is little: headings,
paragraphs, lists, quotes, tables, commands (indented) and pictures (fenced).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tui.flow import cells, table, wrap
from tui.words import Pieces, Words

INDENT: Final = 2
"""Blanks before a command; pictures have their own."""

_DRAWN: Final = {
    **dict.fromkeys("█▄▀", "cap"),
    **dict.fromkeys("▐▌", "stem"),
    **dict.fromkeys("─│┌┐└┘├┤┬┴┼╭╮╰╯═║╔╗╚╝", "dim"),
    **dict.fromkeys("▶◀→←", "key"),
}
"""What a picture is drawn with, by character."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and the line in which it stands."""

    title: str
    at: int


@dataclass(slots=True)
class Page:
    """A page, laid out."""

    lines: list[Pieces] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)


def folder() -> Path:
    """Where the pages lie: inside what was installed, or with the other docs in a checkout.

    They are written once, in ``docs/rules``, where they are read on the web; a wheel has a copy.
    """
    installed = Path(__file__).parent / "pages"
    return installed if installed.is_dir() else Path(__file__).parent.parent / "docs" / "rules"


def read(game: str, language: str) -> list[Token]:
    """The page of a game as tokens of Markdown. ``game`` and ``language`` are known ones."""
    written = (folder() / f"{game}.{language}.md").read_text(encoding="utf-8")
    return MarkdownIt("commonmark").enable("table").parse(written)


def lay_out(tokens: list[Token], words: Words, width: int, letters: Mapping[str, str]) -> Page:
    """The page in lines of at most ``width`` cells.

    ``letters`` gives the style of what stands for a colour by its letter, in pictures.
    """
    return _Layout(words, width, letters).page(tokens)


class _Layout:
    """Goes through the tokens once."""

    def __init__(self, words: Words, width: int, letters: Mapping[str, str]) -> None:
        self._words = words
        self._width = width
        self._letters = letters
        self._page = Page()
        self._marks: list[int | None] = []
        """For each list we are in, the number of the item that comes next; ``None`` for a dot."""
        self._rows: list[list[Pieces]] = []
        self._quoted = False

    def page(self, tokens: list[Token]) -> Page:
        """All of it."""
        for token, before in zip(tokens, [None, *tokens], strict=False):
            match token.type:
                case "bullet_list_open":
                    self._marks.append(None)
                case "ordered_list_open":
                    self._marks.append(int(token.attrGet("start") or 1))
                case "bullet_list_close" | "ordered_list_close":
                    self._marks.pop()
                    self._blank()
                case "blockquote_open" | "blockquote_close":
                    self._quoted = token.type == "blockquote_open"
                case "tr_open":
                    self._rows.append([])
                case "table_close":
                    self._page.lines += table(self._rows, self._width)
                    self._rows = []
                    self._blank()
                case "fence":
                    self._page.lines += [self._drawn(line) for line in token.content.splitlines()]
                    self._blank()
                case "code_block":
                    said = token.content.splitlines()
                    self._page.lines += [((" " * INDENT + line, "name"),) for line in said]
                    self._blank()
                case "inline" if before is not None:
                    self._text(before, self._inline(token.children or []))
        return self._page

    def _blank(self) -> None:
        if self._page.lines and self._page.lines[-1]:
            self._page.lines.append(())

    def _text(self, of: Token, pieces: Pieces) -> None:
        """Text, as what ``of`` opens."""
        lines, width = self._page.lines, self._width
        if of.tag in {"td", "th"}:
            heading = of.tag == "th"
            self._rows[-1].append(tuple((part, "dim" if heading else s) for part, s in pieces))
        elif of.tag.startswith("h"):
            self._heading("".join(part for part, _ in pieces), of.tag == "h1")
        elif self._marks:
            mark = self._marks[-1]
            first = self._words.fold("• ") if mark is None else f"{mark}. "
            if mark is not None:
                self._marks[-1] = mark + 1
            lines += wrap(pieces, width, ((first, "key"),), len(first))
        elif self._quoted:
            bar = ((self._words.fold("│ "), "rule"),)
            quoted = tuple((part, style or "chat") for part, style in pieces)
            lines += [(*bar, *line) for line in wrap(quoted, width - 2)]
            self._blank()
        elif pieces:
            lines += wrap(pieces, width)
            self._blank()

    def _heading(self, title: str, top: bool) -> None:
        lines = self._page.lines
        self._page.sections.append(Section(title, len(lines)))
        if top:
            # The screen has it as its title.
            return
        rule = "─" * (self._width - cells(((title, ""),)) - 4)
        lines += [(("── ", "rule"), (title, "title"), (f" {rule}", "rule")), ()]

    def _inline(self, children: list[Token]) -> Pieces:
        """A run of text; nothing, if all of it is a link: here pages are changed by keys."""
        pieces, styles, linked, bare = list[tuple[str, str]](), [""], False, False
        for child in children:
            match child.type:
                case "text" | "softbreak" | "code_inline":
                    said = child.content if child.type != "softbreak" else " "
                    style = "key" if child.type == "code_inline" else styles[-1]
                    pieces.append((self._words.fold(said), style))
                    bare = bare or (not linked and bool(said))
                case "strong_open" | "em_open":
                    styles.append("event")
                case "strong_close" | "em_close":
                    styles.pop()
                case "link_open" | "link_close":
                    linked = child.type == "link_open"
        return tuple(piece for piece in pieces if piece[0]) if bare else ()

    def _drawn(self, line: str) -> Pieces:
        """A line of a picture: what is drawn, letters that stand for a colour, and words."""
        return tuple(_styled(line, self._letters))


def _styled(line: str, letters: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for at, char in enumerate(line):
        alone = not f" {line} "[at].isalnum() and not f" {line} "[at + 2].isalnum()
        yield char, letters.get(char, "") if alone and char in letters else _DRAWN.get(char, "")
