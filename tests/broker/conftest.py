"""The brokers that must pass, the embedded one and a real Mosquitto, and what TLS takes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from broker.engine import Engine
from tests.services import Mosquitto, Service, self_signed


@pytest.fixture(params=["engine", "mosquitto"])
async def broker(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Service]:
    """A running broker, empty; the test may stop and start it."""
    service: Service = Engine(tmp_path) if request.param == "engine" else Mosquitto(tmp_path)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    """A running embedded broker."""
    async with Engine(tmp_path) as running:
        yield running


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for this machine, beside its key."""
    return self_signed(tmp_path)
