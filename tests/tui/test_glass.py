"""Whatever is written to a terminal bit by bit, it shows what it would show of the whole."""

from __future__ import annotations

import io
from random import Random

import pyte
import pytest
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.strip import Strip

from tests.tui.fake import FakeSitting
from tests.tui.frames import frame
from tests.tui.wire import obeyed, wired_game
from tui.glass import APART, Glass, Piece, cells

EIGHT_BIT = ColorSystem.EIGHT_BIT
SIZE = Size(40, 4)
SCREEN = Size(80, 24)
STYLES = [Style.parse(style) for style in ("", "bold", "red", "on blue", "reverse", "underline")]
WRITTEN = ("a", "bcd", "漢字", "   ", "e\u0301f", "漢\u0301", " " * 20)


def console() -> Console:
    """One with 256 colours."""
    return Console(color_system="256", force_terminal=True, file=io.StringIO())


def strip(text: str, style: Style = STYLES[0]) -> Strip:
    """One stretch of text."""
    return Strip([Segment(text, style)])


def scribbled(random: Random) -> list[Piece]:
    """Lines full of anything."""
    lines = []
    for y in range(SIZE.height):
        parts = [Segment(random.choice(WRITTEN), random.choice(STYLES)) for _ in range(20)]
        # With an accent at the very end pyte begins a new line.
        lines.append((0, y, Strip.join([Strip(parts).crop(0, SIZE.width - 1), strip("|")])))
    return lines


def part(random: Random, whole: list[Piece]) -> list[Piece]:
    """Some of it, and nothing of it that is half a letter."""
    some = []
    for _, y, line in random.sample(whole, 2):
        x, end = sorted(random.choices(range(SIZE.width + 1), k=2))
        if cells(line.crop(x, end), EIGHT_BIT) == cells(line, EIGHT_BIT)[x:end]:
            some.append((x, y, line.crop(x, end)))
    return some


def shown(terminal: pyte.Screen) -> list[object]:
    """What each cell shows; the ink of a blank is not seen."""
    cells = [terminal.buffer[y][x] for y in range(SIZE.height) for x in range(SIZE.width)]
    return [
        cell._replace(fg="default", bold=False)
        if cell.data == " " and not (cell.reverse or cell.underscore)
        else cell
        for cell in cells
    ]


def test_bit_by_bit_is_as_good_as_all_at_once() -> None:
    for seed in range(40):
        random, glass, bit, whole = Random(seed), Glass(), *(pyte.Screen(*SIZE) for _ in range(2))
        lines: list[Piece] = []
        for _ in range(6):
            lines = scribbled(random) if not lines or random.random() < 0.5 else lines
            pyte.Stream(bit).feed(glass.show(SIZE, lines, console()))
            assert glass.show(SIZE, part(random, lines), console()) == "", "it is there already"
            whole.reset()
            pyte.Stream(whole).feed(Glass().show(SIZE, lines, console()))
            assert shown(bit) == shown(whole), seed


def test_only_what_differs_is_written_and_a_wide_letter_whole() -> None:
    glass = Glass()
    glass.show(SIZE, [(0, 0, strip("漢b  .......................  ."))], console())
    said = glass.show(SIZE, [(0, 0, strip("字b  .......................  :"))], console())
    assert said == "\x1b[1;1H字\x1b[1;31H:"
    near = "x" + "." * (APART - 1) + "x"
    glass.show(SIZE, [(3, 1, strip("." * 30))], console())
    assert glass.show(SIZE, [(3, 1, strip(near))], console()) == f"\x1b[2;4H{near}"


def test_an_accent_is_written_with_its_letter() -> None:
    for letter in ("e\u0301\u0302", "漢\u0301"):
        glass = Glass()
        glass.show(SIZE, [(0, 0, strip("  " + "." * 20))], console())
        # A narrow one leaves a cell to the dots.
        narrow = cell_len(letter) == 1
        line = letter + "." * (21 if narrow else 20)
        said = glass.show(SIZE, [(0, 0, strip(line))], console())
        assert said == "\x1b[1;1H" + letter + "." * narrow


def test_the_ink_of_a_blank_is_nothing_to_write() -> None:
    glass = Glass()
    glass.show(SIZE, [(0, 0, strip("  ", Style.parse("red")))], console())
    assert glass.show(SIZE, [(0, 0, strip("  ", Style.parse("bold blue")))], console()) == ""
    assert glass.show(SIZE, [(0, 0, strip("  ", Style.parse("on red")))], console())
    assert glass.show(SIZE, [(0, 0, strip("  ", Style.parse("underline on red")))], console())


def test_what_may_have_changed_behind_our_back_is_written_anew() -> None:
    glass, piece = Glass(), (2, 1, strip("abc"))
    once = glass.show(SIZE, [piece], console())
    assert glass.show(SIZE, [piece], console()) == ""
    glass.forget()
    assert glass.show(SIZE, [piece], console()) == once
    assert glass.show(SIZE + Size(1, 0), [piece], console()) == once, "another size"


def test_letters_of_an_unknown_width_are_written_every_time() -> None:
    glass, piece = Glass(), (0, 0, Strip([Segment("ab")], 3))
    said = glass.show(SIZE, [piece], console())
    assert said == glass.show(SIZE, [piece], console()) == "\x1b[1;1Hab"


async def test_ctrl_l_writes_everything_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with wired_game(FakeSitting(3), monkeypatch) as session:
        drawn = [line for line in frame(session.app).splitlines() if line]
        assert obeyed(await session.press("ctrl+l")) == drawn
        assert not obeyed(await session.press("f24"))


async def test_after_a_change_of_size_everything_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with wired_game(FakeSitting(3), monkeypatch) as session:
        session.wire.sent.clear()
        # As it was, but on the way there the terminal may have moved what stood there.
        session.app.post_message(events.Resize(SCREEN, SCREEN))
        written = await session.written()
        assert obeyed(written) == [line for line in frame(session.app).splitlines() if line]
