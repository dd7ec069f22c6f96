"""Short sessions, word for word, in both languages."""

from __future__ import annotations

from random import Random

import pytest

import rules
from tests.plain.stage import talking
from tests.tui.fake import FakeSitting
from tests.tui.fake_doors import FakeDoors
from tests.tui.frames import compare
from tui.sitting import Home

TURNS = 4


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", rules.names())
async def test_session_golden(game: str, language: str) -> None:
    sitting, random = FakeSitting(3, 4, game=game), Random(1)
    async with talking(FakeDoors(sitting=sitting), Home(), language) as talk:

        async def write(line: str) -> None:
            talk.said.append(f"> {line}")
            await talk.tell(line)

        await write("1")
        sitting.begin()
        await talk.new()
        while len(sitting.calls) < TURNS:
            for seat in sorted(sitting.owing):
                move = random.choice(sitting.options(seat))
                if seat == 0:
                    await write(sitting.game.write(move))
                else:
                    sitting.seal(seat, move)
                await talk.new()
        for line in ("/moves", "/board", "/help"):
            await write(line)
        sitting.end()
        await talk.new()
        compare(f"plain-{game}-{language}", "\n".join(talk.said))
