"""Verdicts and figures as the plain text that commands print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from tui.text import safe

if TYPE_CHECKING:
    from net.doctor.doctor import Finding, Report
    from net.play.audit import Absence, Verdict


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


_UNREACHED: Final = {
    "no-such-host": "there is no machine of that name",
    "refused": "nobody listens there",
    "no-route": "there is no way there from here",
    "timeout": "no answer came in time",
    "closed": "it hung up: it is full, or speaks something else than we do",
    "tls": "the certificate is not one this machine trusts, or there is no TLS",
    "auth": "it does not accept this name and password, or wants some",
    "denied": "it does not allow this",
    "failed": "something else went wrong",
}
"""What it means for any check that the broker did not even do what the check is not about."""

_FINDINGS: Final = {
    ("tls", "in-clear"): "the password travels in the clear: use mqtts://",
    ("tls", "expires-soon"): "the certificate ends soon: renew it",
    ("topics", "denied"): "it lets nobody listen there; allow farfadet/1/#",
    ("topics", "not-carried"): "what is said there does not arrive; allow writing there",
    ("strangers", "welcome"): "it lets anybody in without a name, too",
    ("elsewhere", "everything-readable"): "anybody can overhear what is not of farfadet, too",
    ("system", "system-readable"): "anybody can read its figures",
    ("payload", "too-small"): "payloads of 64 KiB must pass: raise its limit",
    ("retained", "not-retained"): "it keeps nothing for those who come later: no lobby",
    ("retained", "not-cleared"): "what was taken back is still there",
    ("will", "not-fired"): "it does not say when a player is cut off",
    ("goodbye", "fired"): "it says of those who leave that they were cut off",
    ("silence", "not-noticed"): "it goes on waiting for who has fallen silent",
    ("clients", "too-few"): "too few can be there at a time",
    ("subscriptions", "too-few"): "too few subscriptions: a client needs a dozen",
    ("order", "lost"): "messages were lost",
    ("order", "repeated"): "messages came twice",
    ("order", "mixed"): "messages overtook each other",
    ("pairs", "stalls"): "it holds messages back: set its TCP_NODELAY",
}


def finding_text(finding: Finding) -> str:
    """One finding about a broker, on a line."""
    code = finding.code
    meant = _FINDINGS.get((finding.name, code)) or _UNREACHED.get(code, code)
    detail = safe(finding.detail, 100)
    said = f"{meant} ({detail})" if meant and detail else meant or detail
    return f"{finding.level:<5} {finding.name:<14} {said}"


def report_text(report: Report) -> str:
    """What an examination of a broker comes to, below its findings."""
    if not report.good:
        return "bad: farfadet needs what has failed"
    warned = sum(finding.level == "warn" for finding in report.findings)
    return "good: all that farfadet needs is there" + (f"; warnings: {warned}" if warned else "")
