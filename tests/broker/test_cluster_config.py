"""The files of a cluster: where they are, what the server and systemd think of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from broker.cluster import files
from broker.cluster.conf import USERS
from broker.cluster.files import CONF, README, UNIT, write
from broker.cluster.nodes import FEWEST, MOST, Node, nodes
from broker.engine import server
from net.link.address import MOST_HOSTS, Broker
from tests.services import program, self_signed

THREE = Broker.parse("mqtts://a.example.net,b.example.net,c.example.net:8884").hosts
HERE = (("127.0.0.1", 1883), ("127.0.0.1", 1884), ("127.0.0.1", 1885))


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate and its key."""
    certificate = self_signed(tmp_path_factory.mktemp("tls"))
    return certificate, certificate.with_name("key.pem")


def test_each_node_has_a_folder_that_is_for_its_owner_only(
    tmp_path: Path, tls: tuple[Path, Path]
) -> None:
    folder = tmp_path / "new" / "cluster"
    written = write(folder, nodes(THREE), tls, passwords=True)
    assert written[0] == folder / README
    assert {path.stat().st_mode & 0o777 for path in written} == {0o600}
    assert {path for path in folder.rglob("*") if path.is_file()} == set(written)
    named = {"cert.pem", "key.pem", "routes.pem", "routes-key.pem", CONF, UNIT, USERS}
    for name in ("a.example.net", "b.example.net", "c.example.net"):
        assert (folder / name).stat().st_mode & 0o777 == 0o700
        assert {path.name for path in (folder / name).iterdir()} == named
        assert (folder / name / "key.pem").read_text() == tls[1].read_text()


@pytest.mark.parametrize("hosts", [THREE, HERE])
@pytest.mark.parametrize("secured", [True, False])
@pytest.mark.parametrize("passwords", [True, False])
def test_the_server_understands_them(
    tmp_path: Path,
    tls: tuple[Path, Path],
    hosts: tuple[tuple[str, int], ...],
    secured: bool,
    passwords: bool,
) -> None:
    folder = tmp_path / "my cluster"
    cluster = nodes(hosts)
    write(folder, cluster, tls if secured else None, passwords=passwords)
    for node in cluster:
        command = [str(server()), "-t", "-c", CONF]
        done = subprocess.run(
            command, cwd=folder / node.name, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "is valid" in done.stderr


def test_systemd_has_nothing_to_say_but_that_the_server_is_not_installed() -> None:
    unit = Path(files.__file__).with_name(UNIT)
    command = [str(program("systemd-analyze")), "verify", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = [line for line in done.stderr.splitlines() if UNIT in line]
    assert all("is not executable: No such file" in line for line in told), done.stderr


def test_the_unit_and_the_instructions_speak_of_the_same_places(tmp_path: Path) -> None:
    unit = Path(files.__file__).with_name(UNIT).read_text()
    assert f"ExecStart={files.PROGRAM}/bin/nats-server -c {CONF}" in unit
    assert f"WorkingDirectory={files.HOME}" in unit
    assert f"User={files.USER}" in unit
    write(tmp_path, nodes(THREE), None, passwords=False)
    told = (tmp_path / README).read_text()
    for line in (
        f"scp -r {tmp_path / 'b.example.net'} root@b.example.net:{files.HOME}",
        f"install -m 644 {files.HOME}/{UNIT} /etc/systemd/system/",
        "farfadet host GAME --broker mqtt://a.example.net:8883,b.example.net:8883,c.example.net:8884",
    ):
        assert line in told


def test_on_one_machine_one_is_told_how_to_start_them(tmp_path: Path) -> None:
    folder = tmp_path / "my cluster"
    write(folder, nodes(HERE), None, passwords=False)
    told = (folder / README).read_text()
    assert f"cd '{folder}/127.0.0.1-1884' && nats-server -c {CONF}" in told
    assert "mqtt://127.0.0.1,127.0.0.1:1884,127.0.0.1:1885" in told
    assert "systemctl" not in told


def test_nodes_of_one_machine_do_not_get_in_each_others_way() -> None:
    assert nodes(HERE) == (
        Node("127.0.0.1-1883", "127.0.0.1", 1883, 6222, 8222),
        Node("127.0.0.1-1884", "127.0.0.1", 1884, 6223, 8223),
        Node("127.0.0.1-1885", "127.0.0.1", 1885, 6224, 8224),
    )
    assert {node.bind for node in nodes(HERE)} == {"127.0.0.1"}
    assert [(node.name, node.bind, node.routes) for node in nodes(THREE)] == [
        ("a.example.net", "0.0.0.0", 6222),
        ("b.example.net", "0.0.0.0", 6222),
        ("c.example.net", "0.0.0.0", 6222),
    ]
    (one, *_) = nodes((("::1", 1), ("2001:db8::1", 1), ("localhost", 1)))
    assert (one.name, one.bind) == ("--1", "::1")


@pytest.mark.parametrize(
    "hosts", [(), HERE[:2], (HERE[0],) * 3, tuple((str(at), 1883) for at in range(MOST + 1))]
)
def test_what_is_no_cluster_is_refused(hosts: tuple[tuple[str, int], ...]) -> None:
    with pytest.raises(ValueError, match="node"):
        nodes(hosts)


def test_an_address_can_name_as_many_nodes_as_a_cluster_has() -> None:
    assert FEWEST <= MOST == MOST_HOSTS


@pytest.mark.parametrize(
    "name", [README, f"a.example.net/{CONF}", f"c.example.net/{UNIT}", f"b.example.net/{USERS}"]
)
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(FileExistsError) as caught:
        write(tmp_path, nodes(THREE), None, passwords=True)
    assert caught.value.filename == str(tmp_path / name)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / name]
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize("host", ['a" b', "a\nb", "a\\b"])
def test_what_a_configuration_cannot_contain_is_refused(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "cluster"
    with pytest.raises(ValueError, match="cannot be written"):
        write(folder, nodes((*THREE[:2], (host, 1883))), None, passwords=False)
    assert not folder.exists()


def test_without_openssl_it_says_so_and_writes_nothing(
    tmp_path: Path, tls: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    folder = tmp_path / "cluster"
    with pytest.raises(OSError, match="openssl"):
        write(folder, nodes(THREE), tls, passwords=True)
    assert not folder.exists()


def test_the_nodes_certificate_names_all_of_them(tmp_path: Path, tls: tuple[Path, Path]) -> None:
    hosts = (("a.example.net", 1), ("192.0.2.1", 1), ("2001:db8::1", 1))
    cluster = nodes(hosts)
    write(tmp_path / "cluster", cluster, tls, passwords=True)
    made = tmp_path / "cluster" / cluster[0].name / "routes.pem"
    command = [
        str(program("openssl")),
        "x509",
        "-in",
        str(made),
        "-noout",
        "-ext",
        "subjectAltName",
    ]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for name in ("DNS:a.example.net", "IP Address:192.0.2.1", "IP Address:2001:DB8:0:0:0:0:0:1"):
        assert name in told
