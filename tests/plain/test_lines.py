"""Lines over real pipes, and what a process loads that only writes lines."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path

import pytest

from tui.plain.lines import LONGEST, Console

ROOT = Path(__file__).parents[2]


class Pipes:
    """A console, and the other ends of its pipes."""

    def __init__(self) -> None:
        source, self.write_end = os.pipe()
        self.read_end, sink = os.pipe()
        self._source, self._sink = FileIO(source, "rb"), FileIO(sink, "wb")
        self.console = Console(self._source, self._sink)

    def write(self, data: bytes) -> None:
        """Write this."""
        os.write(self.write_end, data)

    def close(self) -> None:
        """Everything that is still open, when nobody reads there any more."""
        for end in (self.write_end, self.read_end):
            with suppress(OSError):
                os.close(end)
        for thread in threading.enumerate():
            if thread.name in ("reader", "writer"):
                thread.join(10)
        self._source.close()
        self._sink.close()


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    found = Pipes()
    yield found
    found.close()


async def test_lines_come_as_they_were_written(pipes: Pipes) -> None:
    pipes.console.open()
    pipes.write("proté".encode()[:-1])
    pipes.write("é".encode()[-1:] + b"ger\r\n\n1")
    assert await pipes.console.read() == "protéger"
    assert await pipes.console.read() == ""
    os.close(pipes.write_end)
    assert await pipes.console.read() == "1", "the last line may lack its end"
    assert await pipes.console.read() is None
    await pipes.console.close()


async def test_what_is_no_text_or_too_long_is_cut_and_does_no_harm(pipes: Pipes) -> None:
    pipes.console.open()
    pipes.write(b"\xff\xfe\n" + b"a" * (LONGEST + 500) + b"\nnext\n")
    assert await pipes.console.read() == "\N{REPLACEMENT CHARACTER}" * 2
    line = await pipes.console.read()
    assert line is not None
    assert len(line) <= LONGEST
    assert await pipes.console.read() == "next"
    pipes.write(b"x" * 60_000)
    pipes.write(b"\nshort\n")
    assert len(await pipes.console.read() or "") <= LONGEST
    assert await pipes.console.read() == "short"
    await pipes.console.close()


async def test_what_is_urgent_comes_first(pipes: Pipes) -> None:
    pipes.console.open()
    pipes.write(b"one\ntwo\n")
    assert await pipes.console.read() == "one"
    pipes.console.urge("now")
    assert await pipes.console.read() == "now"
    assert await pipes.console.read() == "two"
    await pipes.console.close()


async def test_what_was_said_last_is_still_written(pipes: Pipes) -> None:
    pipes.console.open()
    for number in range(500):
        pipes.console.write(f"ligne {number} é")
    await pipes.console.close()
    said = os.read(pipes.read_end, 1 << 16).decode().splitlines()
    assert said == [f"ligne {number} é" for number in range(500)]


async def test_who_does_not_listen_any_more_has_left(pipes: Pipes) -> None:
    pipes.console.open()
    os.close(pipes.read_end)
    pipes.console.write("hello")
    assert await pipes.console.read() is None
    await pipes.console.close()


async def test_more_lines_than_are_read_wait_in_the_pipe(pipes: Pipes) -> None:
    pipes.console.open()
    pipes.write(b"".join(b"%d\n" % number for number in range(1000)))
    assert [await pipes.console.read() for _ in range(1000)] == [str(n) for n in range(1000)]
    await pipes.console.close()


WHOLE_GAME = """
import asyncio, sys
from tests.plain.stage import talking
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tui.sitting import Home

async def main():
    for game in ("taverne", "gnomia", "gobelin"):
        sitting = FakeSitting(3, game=game)
        async with talking(FakeDoors(sitting=sitting), Home()) as talk:
            await talk.tell("near", "/leave", "host", "/leave", "play")
            sitting.begin()
            await talk.tell("/board", "/moves", "/rules", "/help", "1")
            sitting.end()
            assert await talk.end("/score") == 0

asyncio.run(main())
import tui.doors, tui.plain.client, tui.commands.show
print(*[name for name in sys.modules if name.partition(".")[0] == "textual"])
"""


def test_a_whole_game_in_lines_loads_no_screen() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WHOLE_GAME], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
