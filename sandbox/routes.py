"""Shuts a network namespace against private addresses: runs beside a builder, in its network, with the right to.

Standard library only, Python 3.8+: its source is handed to `python3 -IS -c`. Arguments: addresses that stay
reachable; before them `open`, when the network's own subnet does. It changes routes, so that the builder, which
has no right to, cannot undo it. Prints what it could not do, a line each.
"""
# The oldest Python that we meet:
# ruff: noqa: PTH123, UP031, T201

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PRIVATE = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "198.18.0.0/15"),
    "168.63.129.16/32",  # metadata on Azure
    *("fc00::/7", "64:ff9b::/96"),
)
TRIED = ("169.254.169.254", "10.0.0.1", "192.168.0.1")
_NEW, _DELETE = 24, 25
_REQUEST, _ACK, _REPLACE, _CREATE = 1, 4, 0x100, 0x400
_MAIN, _BOOT, _ONLINK = 254, 3, 4
_EVERYWHERE, _LINK = 0, 253
_UNICAST, _UNREACHABLE = 1, 7
_NO_GATEWAY = "0.0.0.0"  # noqa: S104 - as the kernel writes it
_TO, _OUT, _GATEWAY = 1, 4, 5


def route(
    kind: int, where: str, *, scope: int = _EVERYWHERE, reach: int = _UNICAST, out: int = 0, gateway: str = ""
) -> int:
    """Ask the kernel for a change of one route; it answers with an error number, or 0."""
    net = ipaddress.ip_network(where)
    family = socket.AF_INET if net.version == 4 else socket.AF_INET6
    flags = _ONLINK if gateway else 0
    origin = _BOOT if kind == _NEW else 0  # 0: whoever made it
    body = struct.pack("=BBBBBBBBI", family, net.prefixlen, 0, 0, _MAIN, origin, scope, reach, flags)
    for name, value in (
        (_TO, net.network_address.packed if net.prefixlen else b""),
        (_OUT, struct.pack("=I", out) if out else b""),
        (_GATEWAY, ipaddress.ip_address(gateway).packed if gateway else b""),
    ):
        if value:
            body += struct.pack("=HH", 4 + len(value), name) + value
    asked = _REQUEST | _ACK | (_REPLACE | _CREATE if kind == _NEW else 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.send(struct.pack("=IHHII", 16 + len(body), kind, asked, 1, 0) + body)
        return -int(struct.unpack("=i", kernel.recv(4096)[16:20])[0])


def must(answer: int, what: str) -> None:
    if answer:
        print("%s: %s" % (what, os.strerror(answer)))


def lines() -> Iterator[tuple[str, ipaddress.IPv4Network, str]]:
    """Interface, destination and gateway of each IPv4 route."""
    with open("/proc/net/route", encoding="ascii") as table:
        for line in table.read().splitlines()[1:]:
            name, to, via, _, _, _, _, mask = line.split()[:8]
            to, via, mask = (socket.inet_ntoa(struct.pack("=I", int(word, 16))) for word in (to, via, mask))
            yield name, ipaddress.IPv4Network("%s/%s" % (to, mask)), via


def nameservers() -> list[str]:
    with open("/etc/resolv.conf", encoding="utf-8", errors="replace") as settings:
        words = [line.split() for line in settings]
    return [line[1] for line in words if len(line) > 1 and line[0] == "nameserver"]


def fence(allowed: list[str], *, subnet_open: bool) -> None:
    """Private networks lead nowhere; the way out, and to each allowed address, does not need them."""
    known = list(lines())
    ways = [(socket.if_nametoindex(name), via) for name, net, via in known if not net.prefixlen]
    near = [(socket.if_nametoindex(name), net) for name, net, via in known if net.prefixlen and via == _NO_GATEWAY]
    for net in PRIVATE:
        answer = route(_NEW, net, reach=_UNREACHABLE)
        if ":" not in net or answer not in (errno.EAFNOSUPPORT, errno.EOPNOTSUPP, errno.EACCES):
            must(answer, "private addresses stay open, %s" % net)
    for out, via in ways:
        must(route(_NEW, "0.0.0.0/0", out=out, gateway=via), "no way out")
    for address in map(ipaddress.IPv4Address, allowed):
        direct = next((out for out, net in near if address in net), 0)
        if direct:
            must(route(_NEW, "%s/32" % address, scope=_LINK, out=direct), "no way to %s" % address)
        elif ways:
            must(route(_NEW, "%s/32" % address, out=ways[0][0], gateway=ways[0][1]), "no way to %s" % address)
    for out, subnet in [] if subnet_open else near:
        must(route(_DELETE, str(subnet), scope=_LINK, out=out), "the network's own addresses stay open")
    for word in (*TRIED, *(via for _, via in ways)):
        meant = word in allowed or (subnet_open and any(ipaddress.ip_address(word) in net for _, net in near))
        if not meant and reached(word):
            print("private addresses stay open: %s" % word)


def reached(address: str) -> bool:
    """Whether the kernel knows a way there; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        return asked.connect_ex((address, 80)) == 0


def main(arguments: list[str]) -> None:
    subnet_open = arguments[:1] == ["open"]
    allowed = {word for word in arguments[subnet_open:] if ":" not in word}
    for server in nameservers():
        # Where a link-local address answers for names, it answers for the machine's credentials as well.
        if ":" in server or ipaddress.ip_address(server) in ipaddress.ip_network("169.254.0.0/16"):
            print("the nameserver %s is not reachable in builds, since its address is a private one" % server)
        else:
            allowed.add(server)
    fence(sorted(allowed), subnet_open=subnet_open)


if __name__ == "__main__":
    main(sys.argv[1:])
