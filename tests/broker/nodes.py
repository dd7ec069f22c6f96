"""Three real nodes of a cluster on loopback, as ``broker.cluster`` configures them."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
from pathlib import Path
from random import Random
from urllib.error import URLError
from urllib.request import urlopen

from broker.cluster.files import CONF, write
from broker.cluster.nodes import Node
from broker.engine import server
from net.link.address import Broker
from net.link.mqtt import MqttTransport
from net.link.transport import TransportError
from tests.services import PATIENCE

PORTS = range(20000, 32000)
"""Where no system takes ports for outgoing connections, so that a node finds its own again."""


def free_ports(count: int) -> list[int]:
    """Loopback ports that nobody listens at."""
    found: list[int] = []
    for port in Random().sample(PORTS, len(PORTS)):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                found.append(port)
        if len(found) == count:
            break
    return found


class Cluster:
    """Three nodes whose files are in ``folder``; they know ``people`` (names and passwords).

    Without ``people`` they take anybody; without ``tls`` they speak none.
    """

    def __init__(
        self,
        folder: Path,
        tls: tuple[Path, Path] | None = None,
        people: dict[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self._scheme = "mqtt" if tls is None else "mqtts"
        self._people = people or {}
        ports = free_ports(9)
        self.nodes = tuple(
            Node(name, "127.0.0.1", *ports[3 * at : 3 * at + 3])
            for at, name in enumerate(("north", "east", "west"))
        )
        write(folder, self.nodes, tls, passwords=people is not None)
        lines = [f'{{ user: "{name}", password: "{word}" }}' for name, word in self._people.items()]
        for node in self.nodes:
            if lines:
                (folder / node.name / "users.conf").write_text(f"users: [{', '.join(lines)}]\n")
        self._running: dict[Node, subprocess.Popen[bytes]] = {}

    def url(self, *nodes: Node, login: str = "") -> str:
        """How to reach ``nodes``, or all of them; ``login`` is ``NAME:PASSWORD@``."""
        hosts = ",".join(f"{node.host}:{node.port}" for node in nodes or self.nodes)
        return f"{self._scheme}://{login}{hosts}"

    async def start(self, *nodes: Node) -> None:
        """Start ``nodes``, or all of them, and wait until each serves clients."""
        for node in nodes or self.nodes:
            self._launch(node)
        await asyncio.gather(*(self._served(node) for node in nodes or self.nodes))

    def kill(self, node: Node) -> None:
        """End ``node`` at once, without its knowing."""
        process = self._running.pop(node)
        process.kill()
        process.wait()

    def stop(self) -> None:
        """Kill all that run."""
        for node in tuple(self._running):
            self.kill(node)

    async def clients(self, node: Node) -> int:
        """How many clients ``node`` has."""
        return int((await asyncio.to_thread(_asked, node, "connz"))["num_connections"])

    def _launch(self, node: Node) -> None:
        folder = self.folder / node.name
        with (folder / "log").open("ab") as log:
            self._running[node] = subprocess.Popen(
                [server(), "-c", CONF], cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    async def _served(self, node: Node) -> None:
        login = "".join(f"{name}:{word}@" for name, word in list(self._people.items())[:1])
        async with asyncio.timeout(PATIENCE):
            while True:
                process = self._running[node]
                assert process.poll() is None, (self.folder / node.name / "log").read_text()
                try:
                    assert (await asyncio.to_thread(_asked, node, "healthz"))["status"] == "ok"
                    async with MqttTransport(Broker.parse(self.url(node, login=login))):
                        return
                except (URLError, TransportError):
                    await asyncio.sleep(0.05)


def _asked(node: Node, what: str) -> dict[str, str]:
    with urlopen(f"http://127.0.0.1:{node.health}/{what}", timeout=5) as answer:
        found: dict[str, str] = json.loads(answer.read())
    return found
