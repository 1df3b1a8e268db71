"""Images that boxes are made from: the Python base of this machine, and one image per set of dependencies."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from typing import IO, Any, TypeAlias
from urllib.parse import quote, unquote

from docker import APIClient
from docker.errors import APIError, ImageNotFound
from docker.utils import kwargs_from_env, parse_repository_tag
from requests.exceptions import RequestException

from sandbox import BuildFailed, Image, Progress, Recipe, SandboxUnavailable, builder, debian, lastuse
from sandbox.builder import Api, Builder
from sandbox.egress import Egress, egress, with_pip_conf
from sandbox.owner import Claim
from sandbox.recipes import BASE_STEPS, SCHEMA, base_key, hash_of, locked, recipe_key, run_steps

_Found: TypeAlias = dict[str, Any]
"""What the engine says of an image."""

OFFICIAL = ("python", "3.11-slim-bookworm")
_REGISTRY_S = 20
KIND, KEY, _NOTES = "regreen.image", "regreen.image.key", "regreen.image.notes"
DEPENDENCIES, BASE, RAW = "regreen-deps", "regreen-base", "regreen-raw"
"""Repositories of our images: dependencies on a base on a root file system that was made here."""


class Images:
    """Finds images on the engine, and builds those that are missing, each once at a time on this machine."""

    def __init__(self, claim: Claim, *, base_image: str | None, network: str | None, runtime: str | None) -> None:
        self._claim, self._base_image = claim, base_image
        self._network, self._runtime = network, runtime

    def prepare(self, api: Api, recipe: Recipe, progress: Progress) -> Image:
        """The image of `recipe`. Raises BuildFailed when a step that is not optional fails."""
        base = self.python_base(api, recipe.base, progress)
        if not recipe.steps:
            return Image(base)
        way = egress(with_pip_conf(os.environ))
        key = recipe_key(recipe, base, way)
        with locked(key):
            found = _found(api, f"{DEPENDENCIES}:{key[:24]}")
            if found:
                return Image(found["Id"], notes=_notes(found))
            return self._build(api, recipe, base=base, way=way, key=key, progress=progress)

    def python_base(self, api: Api, name: str | None, progress: Progress) -> str:
        """The id of the base: `name` or this machine's raw Python, with our user, folders and tools."""
        raw = self._raw(api, name or self._base_image, progress)
        key = base_key(raw)
        with locked(key):
            found = _found(api, f"{BASE}:{key[:12]}")
            if found:
                return str(found["Id"])
            try:
                return self._build_base(api, raw, key, progress)
            except (BuildFailed, APIError) as error:
                raise SandboxUnavailable(_no_base(raw, error)) from error

    def _build(self, api: Api, recipe: Recipe, *, base: str, way: Egress, key: str, progress: Progress) -> Image:
        with self._builder(api, base, way, progress) as box:
            box.put(recipe.files)
            notes = box.notes + run_steps(box, recipe.steps, progress)
            labels = self._labels("dependencies", key, notes)
            return Image(box.commit(DEPENDENCIES, key[:24], labels), notes=tuple(notes), built=True)

    def _build_base(self, api: Api, raw: str, key: str, progress: Progress) -> str:
        with self._builder(api, raw, egress(with_pip_conf(os.environ)), progress) as box:
            notes = run_steps(box, BASE_STEPS, progress, root=True)
            return box.commit(BASE, key[:12], self._labels("base", key, notes))

    def build_network(self, api: Api, progress: Progress, way: Egress | None = None) -> str:
        """Name of the network that builders get."""
        return self._network or _network(api, way or egress(with_pip_conf(os.environ)), progress)

    def _builder(self, api: Api, base: str, way: Egress, progress: Progress) -> Builder:
        labels = self._claim.labels(builder.DEADLINE_S + 300)
        network = self.build_network(api, progress, way)
        return Builder(
            api,
            base,
            labels=labels,
            network=network,
            egress=way,
            runtime=self._runtime,
            network_is_ours=self._network is None,
        )

    def _labels(self, kind: str, key: str, notes: list[str]) -> dict[str, str]:
        return {**self._claim.blank(), KIND: kind, KEY: key, _NOTES: quote(json.dumps(notes))}

    def _raw(self, api: Api, name: str | None, progress: Progress) -> str:
        """The id of an image with a Python: the one that is named, else the official one, else one from .debs."""
        if name:
            return _pulled(api, name, progress)
        official = ":".join(OFFICIAL)
        key = hash_of(SCHEMA, debian.recipe_hash(), platform.machine())
        with locked(key):
            tag = key[:12]
            found = _found(api, official) or _found(api, f"{RAW}:{tag}")
            if found:
                return str(found["Id"])
            cause = registry_silent(official)
            if not cause:
                return _pulled(api, official, progress)
            if not debian.can_build():
                raise SandboxUnavailable(
                    f"no base image: {official} cannot be pulled ({cause}), and this machine has no apt to "
                    "build one. Load an image with Python 3 and name it in REGREEN_BASE_IMAGE."
                )
            with debian.root_tar(progress) as tar:
                # Podman leaves a tag out that is given apart from the name.
                api.import_image_from_data(_chunks(tar), repository=f"{RAW}:{tag}")
            return str(api.inspect_image(f"{RAW}:{tag}")["Id"])


def _no_base(raw: str, error: BuildFailed | APIError) -> str:
    cause = f"{error}: {error.log[-1500:]}" if isinstance(error, BuildFailed) else error.explanation
    return (
        f"the base image cannot be made from {raw}: {cause}\n"
        "It must hold sh, coreutils and python3 with venv (REGREEN_BASE_IMAGE names another one), and must "
        "reach a package index: see PIP_INDEX_URL, https_proxy, SSL_CERT_FILE and REGREEN_BUILD_NETWORK."
    )


def _found(api: Api, name: str) -> _Found | None:
    """What the engine says of an image that is about to be used."""
    found = looked_up(api, name)
    if found:
        lastuse.mark(found["Id"])
    return found


def looked_up(api: Api, name: str) -> _Found | None:
    """What the engine says of an image; None when it is not there."""
    try:
        found: _Found = api.inspect_image(name)
    except ImageNotFound:
        return None
    return found


def _notes(found: _Found) -> tuple[str, ...]:
    labels = found["Config"].get("Labels") or {}
    return tuple(json.loads(unquote(labels.get(_NOTES, "[]"))))


def _pulled(api: Api, name: str, progress: Progress) -> str:
    """The id of an image by its name, pulled when it is not there."""
    found = _found(api, name)
    if found:
        return str(found["Id"])
    progress(f"base image: pull {name}")
    repository, tag = parse_repository_tag(name)
    try:
        for line in api.pull(repository, tag or "latest", stream=True, decode=True):
            if "error" in line:
                raise SandboxUnavailable(f"image {name} cannot be pulled: {line['error']}")
    except APIError as error:
        raise SandboxUnavailable(f"image {name} cannot be pulled: {error.explanation}") from error
    return str(api.inspect_image(name)["Id"])


def registry_silent(name: str) -> str:
    """Why `name` cannot be had from a registry; empty when one offers it. Asked once: silence is normal."""
    api = APIClient(version="auto", timeout=_REGISTRY_S, **kwargs_from_env())
    try:
        api.inspect_distribution(name)
    except (APIError, RequestException) as error:
        return str(getattr(error, "explanation", None) or error)[:200]
    finally:
        api.close()
    return ""


def _network(api: Api, way: Egress, progress: Progress) -> str:
    """A bridge, where the engine has one and the proxy is not on this machine's own loopback."""
    names = {network["Name"] for network in api.networks()}
    if way.needs_host_network or "bridge" not in names:
        progress("image: no usable bridge network, so the build shares the host's")
        return "host"
    return "bridge"


def _chunks(stream: IO[bytes]) -> Iterator[bytes]:
    while data := stream.read(1 << 18):
        yield data
