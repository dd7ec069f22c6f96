"""Draws the pictures of README and docs from the real screens: ``make pictures``."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

for name in ("NO_COLOR", "COLORTERM", "TEXTUAL_ANIMATIONS", "TEXTUAL_THEME"):
    os.environ.pop(name, None)

DOCS = Path(__file__).parents[2] / "docs"


async def main() -> None:
    """One turn of Taverne with five seats, in English and in French."""
    from tests.tui.fake import FakeSitting
    from tests.tui.stage import playing, settle, some_turns

    for language in ("en", "fr"):
        sitting = FakeSitting(5, seed=3)
        async with playing(sitting, language) as (_, pilot):
            some_turns(sitting, 4)
            await settle(pilot)
            await pilot.press("2")
            sitting.seal(3, sitting.moves()[0])
            await settle(pilot)
            path = DOCS / f"taverne-{language}.svg"
            path.write_text(pilot.app.export_screenshot(), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
