"""``farfadet doctor``: what a broker can and cannot do of all that farfadet needs, by trying it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass

from net.doctor.checks import Check, Checks, Level
from net.link.address import Broker
from net.link.mqtt_client import explained
from net.link.transport import TransportError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finding:
    """What came out of one check.

    ``level`` is ``fail`` if some part of farfadet needs it, ``warn`` if it is slow, leaky or
    unusual. ``code`` says what is wrong, and is empty with ``ok``; besides the codes of the check
    (``net/doctor/checks.py``), it may be any of ``net.link.transport.TransportError``. ``detail``
    is figures, or text from the broker and the system that nobody has checked.
    """

    name: str
    level: Level
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Report:
    """All findings about the broker at ``address``, which tells no password."""

    address: str
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        """Whether all that farfadet needs is there."""
        return all(finding.level != "fail" for finding in self.findings)

    def data(self) -> dict[str, object]:
        """The report as JSON can say it."""
        findings = [asdict(finding) for finding in self.findings]
        return {"broker": self.address, "good": self.good, "findings": findings}


async def examine(broker: Broker, tell: Callable[[Finding], None] = lambda _: None) -> Report:
    """Examine ``broker``; ``tell`` is called with each finding as it is made.

    Takes less than ten seconds where all is well and near, and less where the first checks fail,
    since the others need them. Raises nothing, whatever the broker does. What is retained meanwhile
    is taken back.
    """
    checks = Checks(broker)
    findings: list[Finding] = []
    try:
        for step in _course(checks):
            made = [_tried(name, check) for name, check in step.items()]
            for finding in asyncio.as_completed(made):
                findings.append(await finding)
                tell(findings[-1])
            if len(step) == 1 and findings[-1].level == "fail":
                break
    finally:
        with suppress(TransportError):
            await checks.tidy()
    order = [name for step in _course(checks) for name in step]
    return Report(str(broker), tuple(sorted(findings, key=lambda made: order.index(made.name))))


def _course(checks: Checks) -> Iterator[dict[str, Check]]:
    """The checks, in order; those of one step run at once. The rest needs one that is alone."""
    yield {"reach": checks.reach}
    yield {"tls": checks.certificate}
    yield {"login": checks.log_in}
    yield {"topics": checks.carry}
    yield {
        "strangers": checks.strangers,
        "elsewhere": checks.elsewhere,
        "system": checks.system,
        "payload": checks.payload,
        "larger": checks.larger,
        "retained": checks.retain,
        "will": checks.will,
        "goodbye": checks.goodbye,
        "silence": checks.silence,
    }
    yield {"clients": checks.clients, "subscriptions": checks.subscriptions}
    yield {"order": checks.order}
    yield {"round-trip": checks.round_trip}
    yield {"pairs": checks.pairs}


async def _tried(name: str, check: Check) -> Finding:
    try:
        return Finding(name, *await check())
    except Exception as error:
        if not isinstance(error, TransportError):
            log.info("%s: %r", name, error)
        failure = explained(error)
        return Finding(name, "fail", failure.code, str(failure.detail))
