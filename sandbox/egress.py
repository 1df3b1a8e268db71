"""What an image build may know of this machine's way to the package indexes, and how to keep it out of the image."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from configparser import Error, RawConfigParser
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

CA_PATH = "/sbx/ca.crt"

_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
_INDEXES = (
    *("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"),
    *("UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS"),
    *("NPM_CONFIG_REGISTRY", "npm_config_registry", "GOPROXY", "GOSUMDB"),
)
_PLAIN = ("PIP_TRUSTED_HOST", "PIP_DEFAULT_TIMEOUT", "PIP_RETRIES", "UV_HTTP_TIMEOUT", "UV_INSECURE_HOST")
_CA_FROM = ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
_CA_FOR = (*_CA_FROM, "GIT_SSL_CAINFO", "CARGO_HTTP_CAINFO", "NIX_SSL_CERT_FILE")
_SECRET_LENGTH = 4
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Egress:
    """Environment for the steps of a build, the CA bundle they need, and what of it is secret."""

    env: Mapping[str, str]
    ca: bytes | None
    secrets: tuple[str, ...]
    indexes: tuple[str, ...]
    """Where packages come from, without credentials: part of what identifies an image."""

    @property
    def needs_host_network(self) -> bool:
        """A proxy on this machine's loopback cannot be reached from a bridge."""
        proxies = (self.env[name] for name in self.env if name.lower() in _PROXIES[:3])
        return any(_url(proxy).hostname in _LOOPBACK for proxy in proxies)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Hosts of the proxies and the indexes."""
        names = [name for name in self.env if name.lower() in _PROXIES[:3] or name in _INDEXES]
        found = {_url(word).hostname for name in names for word in self.env[name].replace(",", " ").split()}
        return tuple(sorted(host for host in found if host))

    def redacted(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, "[secret]")
        return text


def egress(environ: Mapping[str, str]) -> Egress:
    """Only names on our lists pass, and no index that lies on this machine's disk."""
    env = {name: environ[name] for name in _PLAIN if environ.get(name)}
    for name in (*_PROXIES, *(name.upper() for name in _PROXIES)):
        if environ.get(name):
            env[name] = environ[name]
    for name in _INDEXES:
        urls = [url for url in environ.get(name, "").split() if not _on_disk(name, url)]
        if urls:
            env[name] = " ".join(urls)
    if "PIP_INDEX_URL" in env and "UV_INDEX_URL" not in env:
        env.setdefault("UV_DEFAULT_INDEX", env["PIP_INDEX_URL"])
    if "PIP_EXTRA_INDEX_URL" in env and "UV_INDEX" not in env:
        env.setdefault("UV_EXTRA_INDEX_URL", env["PIP_EXTRA_INDEX_URL"])
    ca = _bundle(environ)
    if ca is not None:
        env.update(dict.fromkeys(_CA_FOR, CA_PATH))
    words = [word for name in env if name not in _PLAIN for word in env[name].replace(",", " ").split()]
    return Egress(
        env=env,
        ca=ca,
        secrets=tuple(sorted({secret for word in words for secret in _secrets(word)})),
        indexes=tuple(f"{name}={_bare(word)}" for name in _INDEXES for word in env.get(name, "").split()),
    )


def with_pip_conf(environ: Mapping[str, str]) -> dict[str, str]:
    """`environ`, and what pip's configuration files on this machine add to it, in pip's own order.

    Only the names that `egress` asks for; a file that cannot be read is left to pip to complain of.
    """
    home = environ.get("HOME", "/nonexistent")
    places = [
        "/etc/pip.conf",
        *(f"{folder}/pip/pip.conf" for folder in environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":")),
        f"{home}/.pip/pip.conf",
        f"{environ.get('XDG_CONFIG_HOME') or home + '/.config'}/pip/pip.conf",
        environ.get("PIP_CONFIG_FILE", ""),
    ]
    parser = RawConfigParser(strict=False)
    with contextlib.suppress(Error, OSError, UnicodeDecodeError):
        parser.read([place for place in places if place], "utf-8")
    found = {}
    for section in ("global", "install"):
        for key in ("index-url", "extra-index-url", "trusted-host", "cert"):
            if value := parser.get(section, key, fallback=""):
                found[f"PIP_{key.upper().replace('-', '_')}"] = " ".join(value.split())
    return {**found, **environ}


def _on_disk(name: str, entry: str) -> bool:
    """Go's lists hold words such as `direct`; everything else without a host is a path of this machine."""
    return "file:" in entry or ("://" not in entry and not name.startswith("GO"))


def _bundle(environ: Mapping[str, str]) -> bytes | None:
    for name in _CA_FROM:
        path = Path(environ.get(name) or "/nonexistent")
        if path.is_file():
            return path.read_bytes()
    return None


def _secrets(entry: str) -> set[str]:
    """The password of a URL, or its user name where that is all there is: as written, and decoded."""
    login = _url(entry).netloc.rpartition("@")[0]
    user, _, password = login.partition(":")
    secret = password or user
    return {secret, unquote(secret)} if len(secret) >= _SECRET_LENGTH else set()


def _bare(entry: str) -> str:
    url = _url(entry)
    return url._replace(netloc=url.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _url(entry: str) -> SplitResult:
    """The URL in `name=https://...` (uv), in `host:3128` (proxies), and in itself."""
    found = re.search(r"[a-z][a-z0-9+]*://.*", entry)
    return urlsplit(found[0] if found else f"//{entry}")
