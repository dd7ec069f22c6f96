"""The way to the doors: they are hung when the first screen is there, since they are heavy.

All that speaks to a network, and the cryptography, takes longer to load than all the screens. Until
somebody goes through a door nothing of it is needed but the answer to whether a table waits for us.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tui.places import Places

if TYPE_CHECKING:
    from net.play.resume import Saved
    from tui.doors import NetworkDoors
    from tui.near import Near
    from tui.terms import Terms


class Threshold:
    """``NetworkDoors`` of these ``terms``, from the first time that one is used."""

    def __init__(self, places: Places, terms: Terms) -> None:
        self._places = places
        self._terms = terms
        self._hung: NetworkDoors | None = None

    async def __aenter__(self) -> Self:
        """Nothing to start yet."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End what the doors have started, if anything."""
        if self._hung is not None:
            await self._hung.__aexit__(kind, error, trace)

    def _doors(self) -> NetworkDoors:
        if self._hung is None:
            from tui.doors import NetworkDoors

            self._hung = NetworkDoors(self._places, self._terms)
        return self._hung

    async def near(self) -> Near:
        """The tables near us. Whoever looks has a screen already: keys are not to wait."""
        await asyncio.to_thread(_load)
        return await self._doors().near()

    def saved(self) -> Sequence[Saved]:
        """The tables one can go back to, the latest first."""
        return self._doors().saved() if _anything(self._places.tables) else ()

    def part(self) -> None:
        """Wait for nobody any more, if there was anybody."""
        if self._hung is not None:
            self._hung.part()

    def __getattr__(self, name: str) -> Any:
        """All other doors."""
        return getattr(self._doors(), name)


def _load() -> None:
    import tui.doors  # noqa: F401


def _anything(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())
