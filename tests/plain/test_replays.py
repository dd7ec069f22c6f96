"""Finished games in lines: which there are, and what happened in one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.plain.stage import talking
from tests.sim.nodes import small_numbers
from tests.tui.fake_doors import FakeDoors
from tests.tui.replay_stage import doors_of, game_file, kept
from tui.plain.replays import PAGE
from tui.sitting import Home, Replay

LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


def shelf(folder: Path, games: int) -> FakeDoors:
    """So many games, a day after each other; the newest was played by seat 0."""
    data = game_file("gnomia")
    for number in range(games):
        path = kept(folder, data, f"game-{number}.farfadet")
        os.utime(path, (0, 86400 * (number + 1)))
    return doors_of(data, 0, folder)


async def test_a_number_of_the_list_tells_that_game_with_its_verdict(tmp_path: Path) -> None:
    with small_numbers():
        async with talking(shelf(tmp_path, 1), Home()) as talk:
            listed = await talk.tell("replays")
            assert listed[-2].startswith("1: 1970-01-02 ")
            assert listed[-2].endswith("; Gnomia, with seat 1, seat 2")
            assert listed[-1] == "A number tells that game."
            await talk.tell("1")
            assert (await talk.until("messages")).startswith("Verified: ")
            told = await talk.new()
            assert told[0] == "Gnomia: seat 0, seat 1, seat 2"
            assert told[1].startswith("1 A new fiesta: ")
            assert any(line.startswith("1. ") for line in told)
            await talk.until("A number tells that game.")
            assert "1 play: play at once, against bots" in await talk.tell("/leave")


@LANGUAGES
async def test_older_games_are_told_of_when_asked_for(language: str, tmp_path: Path) -> None:
    async with talking(shelf(tmp_path, PAGE + 2), Replay(), language) as talk:
        await talk.new()
        assert [line[0] for line in talk.said[:PAGE]] == [str(n) for n in range(1, PAGE + 1)]
        older = {"en": "/more: 2 older ones.", "fr": "/suite : 2 plus anciennes."}
        assert talk.said[-1] == older[language]
        more = await talk.tell("/more")
        assert [line[0] for line in more[:2]] == ["6", "7"]
        assert not any("/more" in line or "/suite" in line for line in more)
        assert not any(line.startswith("/more") for line in await talk.tell("/help"))
        assert len(await talk.tell("")) == PAGE + 2


async def test_what_is_no_game_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "b\x1b[2J.farfadet").write_bytes(b"nothing")
    async with talking(FakeDoors(games=tmp_path), Replay()) as talk:
        await talk.new()
        assert talk.said[0].endswith("; damaged; b[2J.farfadet")
        for number in ("2", "0", "-1", "9" * 30, "one", "²"):
            assert await talk.tell(number) == ["There is no game of that number."]
        await talk.tell("1")
        await talk.until("no saved game")
        assert "1 play: play at once, against bots" in talk.said


async def test_without_games_one_is_told_so(tmp_path: Path) -> None:
    async with talking(FakeDoors(games=tmp_path / "none"), Home()) as talk:
        (said,) = await talk.tell("replays")
        assert said == "No game has been saved yet: each is when it ends."
