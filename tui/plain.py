"""Verdicts and figures as the plain text that commands print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tui.text import safe

if TYPE_CHECKING:
    from net.audit import Verdict


def verdict_text(verdict: Verdict) -> str:
    """What an audit found."""
    lines = []
    if verdict.names:
        players = ", ".join(safe(name, 16) for name in verdict.names)
        lines.append(f"{verdict.game}: {players}")
        lines.append(f"{verdict.messages} messages, {verdict.steps} steps; words: {verdict.words}")
    if verdict.result is not None:
        lines += (
            f"{score.rank}. {safe(verdict.names[score.seat], 16)}: {score.total}"
            for score in sorted(verdict.result.scores, key=lambda score: score.rank)
        )
    if verdict.good:
        lines.append("good: every signature, draw, proof and move is as it must be")
    else:
        where = "" if verdict.message is None else f" at message {verdict.message}"
        who = "" if verdict.seat is None else f", by {safe(verdict.names[verdict.seat], 16)}"
        lines.append(f"bad: {verdict.fault}{where}{who}")
    return "\n".join(lines)


def figures_text(figures: Mapping[str, object]) -> str:
    """One figure a line."""
    return "\n".join(f"{key}: {value}" for key, value in figures.items())
