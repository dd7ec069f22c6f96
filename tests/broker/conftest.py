"""The brokers that must pass, the embedded one and a real Mosquitto, and what TLS takes."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from broker.engine import Engine
from tests.services import Mosquitto, Service, program


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
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    options = ("-x509", "-nodes", "-newkey", "rsa:2048", "-keyout", key, "-out", certificate)
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    subprocess.run([program("openssl"), "req", *options, *names], check=True, capture_output=True)
    return certificate
