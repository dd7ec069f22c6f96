"""What players are called on a board: harmless, short, and told apart."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tests.tui.fake import FakeSitting
from tui.story.members import NAME, clean_names


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (("Ana", "Bo", "Cleo"), ("Ana", "Bo", "Cleo")),
        (("Bo", "Bo", "Bo"), ("Bo", "Bo (b)", "Bo (c)")),
        (("Bo", "B\N{CYRILLIC SMALL LETTER O}", "bo"), ("Bo", "B\u043e (b)", "bo (c)")),
        (("Maximilienne", "Maximilian", "Max"), ("Maximilien\u2026", "Maximilian", "Max")),
        (("Maximilien I", "Maximilien II", "x"), ("Maximilien\u2026", "Maximi\u2026 (b)", "x")),
        (("", "\x1b[2J", " "), ("(a)", "[2J", "(c)")),
    ],
)
def test_names_are_told_apart(told: tuple[str, ...], shown: tuple[str, ...]) -> None:
    names = clean_names(FakeSitting(names=told))
    assert names == shown
    assert all(cell_len(name) <= NAME for name in names)
