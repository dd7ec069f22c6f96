"""Draws the pictures of README and docs from the real screens: ``make pictures``."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

for name in ("NO_COLOR", "COLORTERM", "TEXTUAL_ANIMATIONS", "TEXTUAL_THEME"):
    os.environ.pop(name, None)

DOCS = Path(__file__).parents[2] / "docs"


async def main() -> None:
    """The first screen and a moment of each game, in English and in French."""
    from tests.tui.around import BO, Around
    from tests.tui.fake import FakeSitting
    from tests.tui.fake_doors import FakeDoors
    from tests.tui.gobelin_stage import at, long_trail
    from tests.tui.stage import opened, playing, settle, some_turns
    from tui.sitting import Home

    def draw(name: str, svg: str) -> None:
        # Without this, some viewers drop the blanks at the beginning of a text.
        kept = svg.replace("<svg ", '<svg xml:space="preserve" ', 1)
        (DOCS / f"{name}.svg").write_text(kept, encoding="utf-8")

    for language in ("en", "fr"):
        async with opened(FakeDoors(around=Around(BO)), Home(), language) as (app, pilot):
            await settle(pilot)
            draw(f"home-{language}", app.export_screenshot())
        sitting = FakeSitting(5, seed=3)
        async with playing(sitting, language) as (_, pilot):
            some_turns(sitting, 4)
            await settle(pilot)
            await pilot.press("2")
            sitting.seal(3, sitting.moves()[0])
            await settle(pilot)
            draw(f"taverne-{language}", pilot.app.export_screenshot())
        sitting = FakeSitting(4, seed=3, game="gnomia")
        async with playing(sitting, language) as (_, pilot):
            some_turns(sitting, 14)
            while not sitting.moves():
                some_turns(sitting, 1)
            await settle(pilot)
            await pilot.press("6")
            sitting.seal(3, sitting.options(3)[0])
            await settle(pilot)
            draw(f"gnomia-{language}", pilot.app.export_screenshot())
        async with at(long_trail, language=language) as (_, _, pilot):
            await pilot.press("1")
            await settle(pilot)
            draw(f"gobelin-{language}", pilot.app.export_screenshot())


if __name__ == "__main__":
    asyncio.run(main())
