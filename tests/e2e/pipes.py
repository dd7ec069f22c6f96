"""The line client as a process of its own, driven through pipes as a script would drive it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.players import environment
from tests.e2e.terminals import FARFADET, PATIENCE

QUESTION = re.compile(r"(?:Write|Écris)(?: for example| par exemple)? (.+?)[.;,\N{NO-BREAK SPACE}]")


class Plain:
    """One such process. ``playing`` lets it answer every question with a move that it names."""

    def __init__(self, folder: Path, name: str, *command: str, locale: str = "en_GB.UTF-8") -> None:
        languages = {"LANG": locale, "LC_ALL": locale}
        self.name = name
        self.lines: list[str] = []
        self.playing = False
        self._asked = ""
        self._news = threading.Condition()
        self._process = subprocess.Popen(
            [str(FARFADET), *command, "--plain"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment(folder, name), **languages},
            encoding="utf-8",
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                found = QUESTION.search(line)
                self._asked = found[1] if found else self._asked
                self._answer()
                self._news.notify_all()

    def _answer(self) -> None:
        if self.playing and self._asked:
            self._asked, move = "", self._asked
            self.write(move)

    def play(self) -> None:
        """Answer from now on."""
        with self._news:
            self.playing = True
            self._answer()

    def write(self, *lines: str) -> None:
        """Write these lines."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def wait_for(self, *texts: str, patience: float = PATIENCE) -> str:
        """Wait for a line with one of ``texts`` in it; the last such line."""

        def found() -> list[str]:
            return [line for line in self.lines if any(text in line for text in texts)]

        with self._news:
            assert self._news.wait_for(found, patience), "\n".join([self.name, *self.lines])
            return found()[-1]

    def end(self, *lines: str) -> int:
        """Write these lines and no more; the exit code."""
        self.write(*lines)
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self.code()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def code(self) -> int:
        """Wait for its exit code."""
        code = self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def close(self) -> None:
        """End it if it goes on."""
        self._process.kill()
        self.code()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()


@contextmanager
def plain(folder: Path, name: str, *command: str, locale: str = "en_GB.UTF-8") -> Iterator[Plain]:
    """Such a process, which ends with the block."""
    process = Plain(folder, name, *command, locale=locale)
    try:
        yield process
    finally:
        process.close()
