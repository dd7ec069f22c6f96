"""The configuration of one node, as a NATS server reads it.

Users play and nothing else: they publish where a player does and hear what is under our root. There
is no setting by which each would write under a key of its own; see ``broker/mosquitto.py``.

Sources: docs.nats.io (configuration, MQTT, clustering); measured with NATS 2.15.1.
"""

from __future__ import annotations

from collections.abc import Sequence

from broker.cluster.nodes import Node
from net.link.topics import KINDS, LIMIT, LOBBIES, ROOT

USERS = "users.conf"
CERTIFICATE, KEY = "cert.pem", "key.pem"
ROUTES_CERTIFICATE, ROUTES_KEY = "routes.pem", "routes-key.pem"
STORE = "store"
"""The names of a node's files, and of the folder of what it retains."""

COPIES = 3
"""On how many nodes everything retained is."""

MOST_CONNECTIONS = 1000
"""Clients of one node at a time: some 160 tables of six."""

MOST_SUBSCRIPTIONS = 1024
"""Subscriptions of one client: a referee has a few for each of its tables."""

MOST_PENDING = 8 * 1024 * 1024
"""Bytes waiting for one slow client before it is hung up on."""

MOST_DISK = 256 * 1024 * 1024
"""Bytes that one node keeps of what is retained."""

MOST_MEMORY = 64 * 1024 * 1024
"""Bytes of memory for what a node notes of its clients' subscriptions."""


def conf(node: Node, cluster: Sequence[Node], *, tls: bool, passwords: bool, secret: str) -> str:
    """The text of ``nats.conf`` for ``node`` of ``cluster``.

    ``tls`` is whether clients and nodes use it, with the files of the names above; ``passwords``
    is whether clients must log in; ``secret`` is what the nodes know each other by,
    and nobody else.
    """
    lines = [
        f"# The node {node.name} of a cluster of brokers for farfadet.",
        "# Paths are seen from the folder in which the server is started.",
        f"server_name: {quoted(node.name)}",
        "",
        "# NATS cannot do without a door of its own: this machine only, and nobody gets in.",
        'listen: "127.0.0.1:-1"',
        "# How it is doing, for this machine only: /healthz, /varz, /routez, /connz.",
        f'http: "127.0.0.1:{node.health}"',
        "",
        "# Players.",
        "mqtt {",
        f"  listen: {quoted(at(node.bind, node.port))}",
        *(_tls(CERTIFICATE, KEY) if tls else []),
        *([] if passwords else ['  no_auth_user: "guest"']),
        '  ack_wait: "2s"',
        "  max_ack_pending: 100",
        "  # A client that cannot be served now had better ask another node soon.",
        '  js_api_timeout: "2s"',
        f"  stream_replicas: {COPIES}",
        "  consumer_memory_storage: true",
        "}",
        "",
        "# The other nodes.",
        "cluster {",
        '  name: "farfadet"',
        f"  listen: {quoted(at(node.bind, node.routes))}",
        "  no_advertise: true",
        *(_tls(ROUTES_CERTIFICATE, ROUTES_KEY, ROUTES_CERTIFICATE) if tls else []),
        f'  authorization {{ user: "node", password: {quoted(secret)}, timeout: 5 }}',
        "  routes: [",
        *(f"    {quoted(_route(other, secret))}" for other in cluster if other != node),
        "  ]",
        "}",
        "",
        "# What is retained, on disk. No table needs it: once all nodes are stopped, delete it.",
        "jetstream {",
        f"  store_dir: {quoted(STORE)}",
        f"  max_memory_store: {MOST_MEMORY}",
        f"  max_file_store: {MOST_DISK}",
        "}",
        "",
        "# A payload, with its topic and header.",
        f"max_payload: {LIMIT + 1024}",
        f"max_connections: {MOST_CONNECTIONS}",
        f"max_subscriptions: {MOST_SUBSCRIPTIONS}",
        f"max_pending: {MOST_PENDING}",
        'write_deadline: "10s"',
        "",
        "# NATS writes a topic's / as a dot.",
        "accounts {",
        "  PLAYERS {",
        f"    jetstream {{ max_mem: {MOST_MEMORY}, max_file: {MOST_DISK}, max_consumers: 256 }}",
        "    default_permissions {",
        "      publish: [",
        *(f"        {quoted(_subject(filter_))}" for filter_ in _said()),
        "      ]",
        f"      subscribe: [{quoted(_subject(ROOT) + '.>')}]",
        "    }",
        *_users(passwords, secret),
        "  }",
        "  # Without a user that needs a password, nobody would need one.",
        f'  NOBODY {{ users: [{{ user: "nobody", password: {quoted(secret)} }}] }}',
        "}",
        "system_account: NOBODY",
    ]
    return "\n".join(lines) + "\n"


def users() -> str:
    """The text of ``users.conf``, with no users yet."""
    lines = [
        "# Who may play, a line each; the same file on every node. After a change: reload.",
        "users: [",
        '  # { user: "lou", password: "secret", allowed_connection_types: ["MQTT"] }',
        "]",
    ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """``text`` as a string of a configuration; raises ``ValueError`` if it cannot be one."""
    if not text.isprintable() or '"' in text or "\\" in text:
        raise ValueError(f"cannot be written into a configuration: {text!r}")
    return f'"{text}"'


def _users(passwords: bool, secret: str) -> list[str]:
    if passwords:
        return [f'    include "./{USERS}"']
    # MQTT clients need no password, and NATS clients are not wanted.
    guest = f'user: "guest", password: {quoted(secret)}, allowed_connection_types: ["MQTT"]'
    return [f"    users: [{{ {guest} }}]"]


def _tls(certificate: str, key: str, authority: str | None = None) -> list[str]:
    files = f"cert_file: {quoted(certificate)}, key_file: {quoted(key)}"
    if authority is not None:
        files += f", ca_file: {quoted(authority)}"
    return [f"  tls {{ {files}, timeout: 5 }}"]


def _route(node: Node, secret: str) -> str:
    return f"nats-route://node:{secret}@{at(node.host, node.routes)}"


def at(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _said() -> list[str]:
    """The filters for everything that a player says."""
    return [LOBBIES, *(f"{ROOT}/t/+/{kind}/+" for kind in KINDS)]


def _subject(filter_: str) -> str:
    """What NATS calls the topics that ``filter_`` matches."""
    return filter_.replace("/", ".").replace("+", "*")
