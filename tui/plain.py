"""Verdicts and figures as the plain text that commands print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tui.text import safe

if TYPE_CHECKING:
    from net.audit import Absence, Verdict


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
    lines += (_absence(absence, verdict.names) for absence in verdict.absences)
    if verdict.good:
        lines.append("good: every signature, draw, proof and move is as it must be")
    else:
        where = "" if verdict.message is None else f" at message {verdict.message}"
        who = "" if verdict.seat is None else f", by {safe(verdict.names[verdict.seat], 16)}"
        lines.append(f"bad: {verdict.fault}{where}{who}")
    return "\n".join(lines)


def _absence(absence: Absence, names: tuple[str, ...]) -> str:
    """Who was ruled absent, by whom, and whether that is disputed."""

    def called(members: tuple[int, ...]) -> str:
        known = (safe(names[m], 16) if m < len(names) else "the referee" for m in members)
        return ", ".join(known)

    said = f"step {absence.step}: {called(absence.voters)} ruled {called(absence.absent)} absent"
    if not absence.disputed:
        return said
    return f"{said}; disputed: what {called(absence.disputed)} had to say then has come to light"


def figures_text(figures: Mapping[str, object]) -> str:
    """One figure a line."""
    return "\n".join(f"{key}: {value}" for key, value in figures.items())
