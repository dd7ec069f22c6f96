"""Nothing is lost without colours, nor in ASCII: letters and signs carry everything."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

import rules
from rules.game import Move
from tests.tui.fake import FakeSitting
from tests.tui.frames import frame
from tests.tui.stage import playing, settle
from tui import boards
from tui.text import CUT
from tui.words import Words, text

GAMES = pytest.mark.parametrize("game", rules.names())
DRAWN = "▄▀█▐▌─━═│┃║┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╦╩"
"""What is only drawn with, and means nothing by itself."""


def choices(game: str, seed: int = 4) -> Iterator[FakeSitting]:
    """A game, at the first choice of each kind that seat 0 has."""
    random, met = Random(seed), set[frozenset[type[Move]]]()
    sitting = FakeSitting(4, seed, game=game)
    sitting.begin()
    while sitting.result is None:
        moves = sitting.moves()
        kinds = frozenset(type(move) for move in moves)
        if len(moves) > 1 and kinds not in met:
            met.add(kinds)
            yield sitting
        if moves:
            sitting.choose(random.choice(moves))
        for seat in sorted(sitting.owing):
            sitting.seal(seat, random.choice(sitting.options(seat)))
    assert met


@pytest.mark.sampled(2)
@GAMES
@pytest.mark.parametrize("bare", [False, True])
async def test_letters_alone_say_what_one_aims_at(game: str, bare: bool) -> None:
    for sitting in choices(game):
        async with playing(sitting, ascii_only=bare) as (screen, pilot):
            shown = {"nothing": frame(pilot.app)}
            for move in sitting.moves():
                screen.board.aim_at(move)
                await settle(pilot)
                shown[str(move)] = frame(pilot.app)
        assert [
            f"{one} and {two}" for one, two in combinations(shown, 2) if shown[one] == shown[two]
        ] == []
        assert not bare or all(picture.isascii() for picture in shown.values())


@GAMES
@pytest.mark.parametrize("language", ["en", "fr"])
def test_signs_that_mean_different_things_differ_in_ascii(game: str, language: str) -> None:
    words = Words(language, ascii=True)
    drawn = [text(sign.drawn(words)) for sign in boards.voice(game).SIGNS]
    parts = [part for sign in drawn for part in sign.split()]
    assert all(part.isascii() for part in parts)
    assert sorted(set(parts)) == sorted(parts)


def test_a_sign_is_never_drawn_like_a_wall() -> None:
    fold = Words("en", ascii=True).fold
    walls = {fold(char) for char in DRAWN}
    for sign in "◆○✦●•▒▶◀→←↑↓\N{MULTIPLICATION SIGN}":
        assert fold(sign).isascii()
        assert fold(sign) not in walls, sign


def test_what_means_different_things_on_one_screen_differs_in_ascii() -> None:
    fold = Words("en", ascii=True).fold
    signs = ("◆", "○", "✦", "●", "▒", "▶", "◀", "→", "←", "↑", "↓", "·", CUT)
    assert len({fold(sign) for sign in signs}) == len(signs)
    assert fold("↑↓←→") == "^v<>"
    assert len(fold(CUT)) == 1, "it stands at the end of a text that just fits"
