"""The nodes of a cluster: how each is called, and where it listens for whom."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

FEWEST, MOST = 3, 9
"""How many nodes a cluster has: with three, one may fail; more carry more clients."""

ROUTES = 6222
"""The port at which a node listens for the others."""

HEALTH = 8222
"""The port at which a node tells its own machine how it is."""


@dataclass(frozen=True, slots=True)
class Node:
    """One node: ``host`` is how clients and the other nodes reach it, ``port`` is for clients.

    ``routes`` is the port for the other nodes, ``health`` one on its loopback address. ``name``
    is what the node is called, and the name of its folder.
    """

    name: str
    host: str
    port: int
    routes: int = ROUTES
    health: int = HEALTH

    @property
    def bind(self) -> str:
        """Where it listens: everywhere, unless it is only for its own machine."""
        return self.host if is_loopback(self.host) else "0.0.0.0"


def nodes(hosts: Sequence[tuple[str, int]]) -> tuple[Node, ...]:
    """The nodes at ``hosts`` (where clients reach them, and the ports).

    Nodes on one host are told apart by their ports, and get one after the other for the rest.
    Raises ``ValueError`` if there are too few or too many, or two at the same place.
    """
    if not FEWEST <= len(hosts) <= MOST:
        raise ValueError(f"a cluster has {FEWEST} to {MOST} nodes, not {len(hosts)}")
    if len(set(hosts)) < len(hosts):
        raise ValueError("two nodes at the same place: give each its own port, as in HOST:PORT")
    names = [host for host, _ in hosts]
    found = []
    for at, (host, port) in enumerate(hosts):
        # A colon cannot be in the name of a folder everywhere.
        name = host.replace(":", "-") if names.count(host) == 1 else f"{host}-{port}"
        before = names[:at].count(host)
        found.append(Node(name.replace(":", "-"), host, port, ROUTES + before, HEALTH + before))
    return tuple(found)


def is_loopback(host: str) -> bool:
    """Whether ``host`` is this very machine, for itself alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_number(host: str) -> bool:
    """Whether ``host`` is an IP address, not a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
