"""What a build may reach: the internet and the operator's own index and proxy, and no other private address."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from sandbox import routes
from sandbox.egress import Egress

Api: TypeAlias = Any
"""docker.APIClient, which has no types."""

_FENCE_S = 60
_USUAL = ("pypi.org", "files.pythonhosted.org")
"""Where packages come from unless an index is named."""


STAY_OPEN = "stay open"
"""In each line that tells of addresses which could not be shut; routes.py prints such lines too."""
REMEDY = (
    "Nothing is built where a repository's code could reach private addresses. Let the base image have a python3 "
    "that runs, and the engine give NET_ADMIN to a container beside the builder; or name a network that you guard "
    "yourself in REGREEN_BUILD_NETWORK."
)


def allowed(way: Egress) -> tuple[str, ...]:
    """Private addresses that the operator's own settings lead to, as this machine resolves them.

    The names come from the operator, and so does the resolver: a repository has no say in either.
    """
    found: set[str] = set()
    for host in (*way.hosts, *_USUAL):
        with contextlib.suppress(OSError, UnicodeError):
            found.update(str(info[4][0]) for info in socket.getaddrinfo(host, None, socket.AF_INET))
    return tuple(sorted(one for one in found if _shut(one)))


def _shut(address: str) -> bool:
    nets = (ipaddress.ip_network(net) for net in routes.PRIVATE)
    return any(ipaddress.ip_address(address) in net for net in nets)


def put_up(api: Api, builder: str, image: str, words: list[str], labels: Mapping[str, str]) -> list[str]:
    """Put the fence up in the network of a running builder; what it could not do, a line each.

    A container of its own does it, with the right to: the builder has none, so it cannot undo it. `words` are
    the arguments of routes.py.
    """
    argv = ["python3", "-IS", "-c", Path(routes.__file__).read_text("utf-8"), *words]
    host = api.create_host_config(
        network_mode=f"container:{builder}",
        cap_drop=["ALL"],
        cap_add=["NET_ADMIN"],
        security_opt=["no-new-privileges:true"],
        read_only=True,
        mem_limit="128m",
        pids_limit=16,
        log_config={"Type": "json-file", "Config": {"max-size": "1m"}},
    )
    made = api.create_container(
        image, argv, entrypoint=[], user="0:0", working_dir="/", labels=dict(labels),
        healthcheck={"test": ["NONE"]}, host_config=host,
    )["Id"]  # fmt: skip
    try:
        api.start(made)
        code = api.wait(made, timeout=_FENCE_S)["StatusCode"]
        lines = api.logs(made).decode("utf-8", "replace").splitlines()
    finally:
        api.remove_container(made, force=True, v=True)
    return lines if code == 0 else [f"private addresses stay open: {' '.join(lines[-1:]) or f'code {code}'}"]
