"""The doctor finds what ails a broker, and only that; it leaves nothing there and never fails."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from broker.engine import Engine
from broker.mosquitto import ACL, Door, write
from net.doctor import checks, probe
from net.doctor.checks import Checks
from net.doctor.doctor import Finding, Report, _course, _tried, examine
from net.link.address import Broker
from tests.broker.clients import ear
from tests.broker.patient import CRAMPED, Patient
from tests.services import PATIENCE, Mosquitto, free_port, program
from tui.plain.verdicts import finding_text, report_text

pytestmark = pytest.mark.broker

SEED = 20261130

ALL = (
    *("reach", "tls", "login", "topics"),
    *("strangers", "elsewhere", "system", "payload", "larger"),
    *("retained", "will", "goodbye", "silence"),
    *("clients", "subscriptions", "order", "round-trip", "pairs"),
)


def ailing(report: Report) -> dict[str, tuple[str, str]]:
    """Level and code of what is not as it should be; but how fast it was is nobody's fault."""
    return {
        finding.name: (finding.level, finding.code)
        for finding in report.findings
        if finding.level != "ok" and finding.code != "stalls"
    }


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for what will not come."""
    monkeypatch.setattr(checks, "PATIENCE", 1.0)
    monkeypatch.setattr(probe, "PATIENCE", 1.0)
    monkeypatch.setattr(checks, "NOTICED_WITHIN", 3.0)
    monkeypatch.setattr(checks, "NOTHING_WITHIN", 0.3)


# Brokers as they are.


async def test_the_embedded_broker_is_in_good_health(tmp_path: Path) -> None:
    async with Engine(tmp_path) as engine:
        told: list[Finding] = []
        report = await examine(Broker.parse(engine.url), told.append)
        assert ailing(report) == {}
        assert report.good
        assert tuple(finding.name for finding in report.findings) == ALL
        assert sorted(told, key=str) == sorted(report.findings, key=str)
        async with ear(engine.url, "farfadet/1/t/#", "farfadet/1/lobby/+") as witness:
            assert await witness.fenced() == []


async def test_an_open_mosquitto_is_good_for_us_and_leaks_what_is_not_ours(tmp_path: Path) -> None:
    async with mosquitto(tmp_path) as service:
        report = await examine(Broker.parse(service.url))
        assert report.good
        assert ailing(report) == {
            "elsewhere": ("warn", "everything-readable"),
            "system": ("warn", "system-readable"),
        }
        async with ear(service.url, "#") as witness:
            assert await witness.fenced() == []


async def test_a_mosquitto_as_we_configure_it_is_in_good_health(
    tmp_path: Path, hurried: None
) -> None:
    async with mosquitto(tmp_path, **locked(tmp_path)) as service:
        for login, wrong in (
            ("lou:secret@", None),
            ("lou:guess@", ("fail", "auth")),
            ("", ("fail", "auth")),
        ):
            report = await examine(Broker.parse(service.url.replace("//", f"//{login}")))
            if wrong is not None:
                assert ailing(report) == {"login": wrong}
                assert tuple(finding.name for finding in report.findings) == ALL[:3]
                continue
            # Mosquitto looks only every five seconds who has fallen silent.
            assert set(ailing(report)) <= {"silence"}
            assert report.good
            assert "secret" not in json.dumps(report.data())


async def test_a_broker_whose_acl_forbids_us_is_found_out_early(tmp_path: Path) -> None:
    acl = tmp_path / "other_acl"
    acl.write_text("pattern readwrite other/#\n")
    async with mosquitto(tmp_path, acl_file=str(acl)) as service:
        report = await examine(Broker.parse(service.url))
    # Mosquitto lets everybody subscribe, and says nothing.
    assert ailing(report) == {"topics": ("fail", "not-carried")}
    assert report.findings[-1].detail.startswith("farfadet/1/lobby/")


async def test_a_broker_that_only_lets_us_listen_is_found_out(tmp_path: Path) -> None:
    acl = tmp_path / "other_acl"
    acl.write_text("pattern read farfadet/1/#\n")
    async with mosquitto(tmp_path, acl_file=str(acl)) as service:
        report = await examine(Broker.parse(service.url))
    assert ailing(report) == {"topics": ("fail", "not-carried")}


async def test_a_broker_for_small_messages_only_is_found_out(tmp_path: Path, hurried: None) -> None:
    async with mosquitto(tmp_path, message_size_limit="1024") as service:
        report = await examine(Broker.parse(service.url))
    assert ailing(report)["payload"] == ("fail", "too-small")
    assert next(f.detail for f in report.findings if f.name == "payload") == "1024 bytes pass"
    assert not report.good


async def test_tls_that_is_not_trusted_is_said_and_tls_that_is_is_used(
    certificate: Path, monkeypatch: pytest.MonkeyPatch, hurried: None
) -> None:
    files = {"certfile": str(certificate), "keyfile": str(certificate.with_name("key.pem"))}
    async with mosquitto(certificate.parent, **files) as service:
        broker = Broker.parse(service.url.replace("mqtt", "mqtts"))
        report = await examine(broker)
        assert ailing(report) == {"tls": ("fail", "tls")}
        assert "certificate" in report.findings[-1].detail
        assert not (await examine(Broker.parse(service.url))).good
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        report = await examine(broker)
        assert report.good
        # It is made for 30 days.
        monkeypatch.setattr(checks, "EXPIRES_SOON", 40)
        assert (await found(str(broker), "tls")).code == "expires-soon"


async def test_of_a_cluster_all_nodes_are_asked(tmp_path: Path, hurried: None) -> None:
    async with Engine(tmp_path) as engine, Patient() as patient:
        alone = f"{engine.url},127.0.0.1:{free_port()}"
        report = await examine(Broker.parse(alone))
        assert ailing(report) == {"reach": ("fail", "refused")}
        # Two that are no cluster: what is said at one is not heard at the other.
        apart = f"{engine.url},{patient.url.removeprefix('mqtt://')}"
        report = await examine(Broker.parse(apart))
        assert ailing(report) == {"topics": ("fail", "not-carried")}


# Brokers that are ill.


async def test_one_that_is_well(hurried: None) -> None:
    async with Patient() as patient:
        report = await examine(Broker.parse(patient.url))
    assert ailing(report) == {}
    assert patient.retained == {}


@pytest.mark.parametrize(
    ("illness", "name", "level", "code"),
    [
        ("locked", "login", "fail", "auth"),
        ("forbidding", "topics", "fail", "denied"),
        ("mute", "topics", "fail", "not-carried"),
        ("open", "elsewhere", "warn", "everything-readable"),
        ("vain", "system", "warn", "system-readable"),
        ("cramped", "payload", "fail", "too-small"),
        ("forgetful", "retained", "fail", "not-retained"),
        ("clinging", "retained", "fail", "not-cleared"),
        ("speechless", "retained", "fail", "timeout"),
        ("heartless", "will", "fail", "not-fired"),
        ("morbid", "goodbye", "fail", "fired"),
        ("patient", "silence", "warn", "not-noticed"),
        ("narrow", "subscriptions", "fail", "too-few"),
        ("leaky", "order", "warn", "lost"),
        ("stuttering", "order", "warn", "repeated"),
        ("hasty", "order", "warn", "mixed"),
    ],
)
async def test_each_illness_is_found(
    illness: str, name: str, level: str, code: str, hurried: None
) -> None:
    async with Patient(illness) as patient:
        finding = await found(patient.url, name)
    assert (finding.level, finding.code) == (level, code)
    if illness == "cramped":
        assert finding.detail == f"{CRAMPED} bytes pass"
    # There is a sentence for it, not just the code.
    shown, named, said = finding_text(finding).split(maxsplit=2)
    assert (shown, named) == (level, name)
    assert not said.startswith(code)


async def test_other_checks_do_not_mind(hurried: None) -> None:
    async with Patient("hasty") as patient:
        report = await examine(Broker.parse(patient.url))
    assert ailing(report) == {"order": ("warn", "mixed")}
    assert report.good


async def found(url: str, name: str) -> Finding:
    """What one check alone finds."""
    steps = _course(Checks(Broker.parse(url)))
    return await _tried(name, next(step[name] for step in steps if name in step))


async def test_a_broker_for_a_few_clients_is_too_small(hurried: None) -> None:
    async with Patient("crowded") as patient:
        broker = Broker.parse(patient.url)
        room = Checks(broker)
        assert await room.clients() == ("warn", "too-few", "11 of 12")
        async with AsyncExitStack() as stack:
            for _ in range(5):
                await stack.enter_async_context(ear(patient.url))
            assert await room.clients() == ("fail", "too-few", "6 of 12")


async def test_a_broker_that_is_not_ours_alone_is_only_said_so_if_we_have_a_name() -> None:
    async with Patient() as patient:
        named = Broker.parse(patient.url.replace("//", "//lou:secret@"))
        assert await Checks(named).strangers() == ("warn", "welcome", "")
        assert (await Checks(Broker.parse(patient.url)).strangers())[0] == "ok"


async def test_a_password_in_the_clear_is_said_unless_it_stays_on_this_machine() -> None:
    examination = Checks(Broker.parse("mqtt://lou:secret@127.0.0.1"))
    assert (await examination.certificate())[0] == "ok"
    examination._exposed = True
    assert await examination.certificate() == ("warn", "in-clear", "")


@pytest.mark.parametrize(("gap", "level"), [(0.001, "ok"), (0.044, "warn")])
async def test_a_broker_that_holds_messages_back_is_found(gap: float, level: str) -> None:
    examination = Checks(Broker.parse("mqtt://127.0.0.1"))
    examination._gaps = [gap] * 30 + [0.0] * 5 + [1.0] * 5
    assert (await examination.pairs())[0] == level


# What is no broker.


async def test_nobody_listening_is_said() -> None:
    report = await examine(Broker.parse(f"mqtt://127.0.0.1:{free_port()}"))
    assert ailing(report) == {"reach": ("fail", "refused")}
    assert len(report.findings) == 1
    assert report_text(report).startswith("bad")


async def test_a_name_that_is_none_is_said() -> None:
    report = await examine(Broker.parse("mqtt://nobody.invalid"))
    assert report.findings[0].name == "reach"
    assert report.findings[0].code in ("no-such-host", "timeout")


HTTP = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
WELCOME = b"\x20\x02\x00\x00"


@pytest.mark.parametrize(
    ("answer", "hangs_up", "name", "codes"),
    [
        (b"", False, "login", {"timeout"}),
        (b"", True, "login", {"closed"}),
        (HTTP, True, "login", {"closed", "failed"}),
        (HTTP, False, "login", {"closed", "failed", "timeout"}),
        (b"SSH-2.0-nobody\r\n", False, "login", {"closed", "failed", "timeout"}),
        (WELCOME, True, "topics", {"closed", "failed"}),
        (WELCOME, False, "topics", {"timeout"}),
        (WELCOME + b"\x90\x03\x00\x01\x80" * 99, False, "topics", {"denied", "timeout", "failed"}),
    ],
)
async def test_what_is_no_broker_is_said(
    answer: bytes, hangs_up: bool, name: str, codes: set[str], hurried: None
) -> None:
    async with impostor(answer, hangs_up) as url:
        report = await examine(Broker.parse(url))
        assert report.findings[-1].name == name
        assert report.findings[-1].code in codes
        assert not report.good
        secured = await examine(Broker.parse(url.replace("mqtt", "mqtts")))
        assert secured.findings[-1].name == "tls"


async def test_no_garbage_makes_it_fail(hurried: None) -> None:
    print(f"seed {SEED}")
    source = random.Random(SEED)
    for _ in range(12):
        start = source.choice((b"", WELCOME, WELCOME + b"\x90\x03\x00\x01\x00"))
        async with impostor(start + source.randbytes(source.randrange(2000)), True) as url:
            report = await examine(Broker.parse(url))
        assert not report.good
        assert all(finding_text(finding).isprintable() for finding in report.findings)


async def test_the_end_of_a_broker_in_the_middle_is_survived(tmp_path: Path, hurried: None) -> None:
    async with Engine(tmp_path) as engine:

        def tell(finding: Finding) -> None:
            if finding.name == "topics":
                ending.append(asyncio.create_task(engine.stop()))

        ending: list[asyncio.Task[None]] = []
        report = await examine(Broker.parse(engine.url), tell)
        await ending[0]
    assert not report.good
    assert len(report.findings) > 10


def test_what_a_broken_broker_says_is_made_harmless() -> None:
    finding = Finding("login", "fail", "failed", "\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}bad" * 50)
    line = finding_text(finding)
    assert line.isprintable()
    assert len(line) < 200


def test_a_report_says_whether_it_will_do() -> None:
    fine = Finding("reach", "ok", "", "127.0.0.1")
    odd = Finding("system", "warn", "system-readable", "")
    assert report_text(Report("mqtt://a:1", (fine,))) == "good: all that farfadet needs is there"
    assert report_text(Report("mqtt://a:1", (fine, odd))).endswith("; warnings: 1")
    assert Report("mqtt://a:1", (fine,)).data() == {
        "broker": "mqtt://a:1",
        "good": True,
        "findings": [{"name": "reach", "level": "ok", "code": "", "detail": "127.0.0.1"}],
    }


@asynccontextmanager
async def mosquitto(folder: Path, **settings: str) -> AsyncIterator[Mosquitto]:
    """A running Mosquitto with these ``settings``."""
    service = Mosquitto(folder, settings)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


def locked(folder: Path) -> dict[str, str]:
    """The settings of one that has our ACL and knows lou, whose password is ``secret``."""
    passwords = folder / "people"
    command = [program("mosquitto_passwd"), "-c", "-b", passwords, "lou", "secret"]
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    write(folder / "ours", Door(1883, None, None, passwords=True))
    acl = folder / "ours" / ACL
    return {
        "allow_anonymous": "false",
        "password_file": str(passwords),
        "acl_file": str(acl),
    }


@asynccontextmanager
async def impostor(answer: bytes, hangs_up: bool) -> AsyncIterator[str]:
    """Something that gives the same ``answer`` to everybody, and hangs up or goes on listening."""
    served: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.read(1)
            writer.write(answer)
            if not hangs_up:
                await reader.read()
        except OSError:
            pass
        finally:
            writer.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.add(asyncio.create_task(serve(reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with server:
        yield f"mqtt://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        for task in served:
            task.cancel()
        await asyncio.wait_for(asyncio.gather(*served, return_exceptions=True), PATIENCE)
