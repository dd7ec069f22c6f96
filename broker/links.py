"""The networks this machine is on: where it can multicast, and which address of another is nearest.

No names are looked up and nothing is sent.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv6Address,
    IPv6Interface,
    ip_address,
    ip_interface,
)
from typing import Final, TypeAlias

import ifaddr

Address: TypeAlias = IPv4Address | IPv6Address

GROUP_4: Final = "224.0.0.251"
GROUP_6: Final = "ff02::fb"
PORT: Final = 5353
"""Where multicast DNS is spoken (RFC 6762, 3)."""


@dataclass(frozen=True, slots=True)
class Link:
    """One interface: its addresses, and the one or two of them from which it can multicast."""

    addresses: tuple[IPv4Interface | IPv6Interface, ...]
    senders: tuple[str, ...]

    @property
    def loopback(self) -> bool:
        """Whether it leads to this machine only."""
        return all(address.ip.is_loopback for address in self.addresses)


def links(only: Sequence[str] | None = None) -> tuple[Link, ...]:
    """The interfaces that can multicast; with ``only``, those of these addresses.

    Otherwise the loopback interface is one of them only if there is no other. Takes a millisecond
    or two, in any thread.
    """
    found = [link for adapter in ifaddr.get_adapters() if (link := _link(adapter, only)).senders]
    outside = [link for link in found if not link.loopback]
    return tuple(found if only is not None else outside or found)


def nearest(addresses: Sequence[Address], ours: Sequence[Link]) -> Address | None:
    """Which of another machine's ``addresses`` to try, from a machine on the links ``ours``.

    One that is on a link of ours before all others, IPv4 before IPv6, what works on one link only
    (``fe80::1``) last; ours at the very end, for every machine with containers has the same
    ``172.17.0.1``. ``None`` if no address can be reached from here.
    """
    everywhere = [address for link in ours for address in link.addresses]
    alone = all(link.loopback for link in ours)
    mine = {int(address.ip) for address in everywhere}

    def rank(address: Address) -> tuple[bool, bool, bool, int]:
        near = address.is_link_local or any(address in known.network for known in everywhere)
        local = address.version == 6 and address.is_link_local
        return int(address) in mine, not near, local, address.version

    fit = [address for address in addresses if _reachable(address, alone)]
    return min(fit, key=rank, default=None)


def _reachable(address: Address, alone: bool) -> bool:
    if address.is_multicast or address.is_unspecified or address.is_reserved:
        return False
    if isinstance(address, IPv6Address) and address.is_link_local and not address.scope_id:
        return False  # Nobody can tell on which of the links it is.
    return alone or not address.is_loopback


def _link(adapter: ifaddr.Adapter, only: Sequence[str] | None) -> Link:
    addresses = []
    for known in adapter.ips:
        host = known.ip if isinstance(known.ip, str) else known.ip[0]
        plain = host.partition("%")[0]
        if only is None or plain in only:
            addresses.append(ip_interface(f"{plain}/{known.network_prefix}"))
    ips = [address.ip for address in addresses]
    # What is sent from a link-local address tells its reader the link, so that is preferred.
    sixes = sorted((ip for ip in ips if ip.version == 6), key=lambda ip: not ip.is_link_local)
    fours = [ip for ip in ips if ip.version == 4]
    senders = [str(kind[0]) for kind in (fours, sixes) if kind and _sends(kind[0], adapter.index)]
    return Link(tuple(addresses), tuple(senders))


def _sends(address: Address, index: int | None) -> bool:
    """Whether the system has a way from ``address`` to the multicast group; asks, sends nothing."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            if address.version == 4:
                probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, address.packed)
                probe.bind((str(address), 0))
                probe.connect((GROUP_4, PORT))
            else:
                # It may not be bound to as long as it may turn out to be somebody else's, too.
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index or 0)
                probe.bind((str(address), 0, 0, index or 0))
                probe.connect((GROUP_6, PORT, 0, index or 0))
    except OSError:
        return False
    return True


def numeric(host: str) -> Address | None:
    """``host`` if it is an address and no name."""
    try:
        return ip_address(host)
    except ValueError:
        return None
