"""The images that Regreen made on a Docker engine: found by label and name, sized by their layers."""

from __future__ import annotations

from typing import Any

from sandbox import SandboxError, SandboxUnavailable, lastuse
from sandbox.builder import Api
from sandbox.docker import engine, translated
from sandbox.images import BASE, DEPENDENCIES, KEY, KIND, RAW, looked_up
from sandbox.prune import Kind, Made
from sandbox.recipes import locked

NAME = "docker"


class EngineStock:
    """A Stock on the engine that boxes are made on."""

    name = NAME

    def answers(self) -> bool:
        """Whether there is an engine."""
        try:
            with engine() as api, translated():
                return bool(api.ping())
        except SandboxUnavailable:
            return False

    def made(self) -> list[Made]:
        with engine() as api, translated():
            return _listed(api)

    def remove(self, image: Made, *, though_used: bool) -> str:
        with engine() as api, locked(image.key):  # whoever finds an image holds this lock until it is marked
            if not though_used and (lastuse.last_use(image.id) or 0.0) > image.last_used:
                return "it was used just now"
            try:
                with translated():
                    if looked_up(api, image.id) is None:
                        return "it was gone already"
                    api.remove_image(image.id, force=False, noprune=True)
            except SandboxError as error:  # a box was made from it meanwhile, or an image of somebody else
                return str(error)
        lastuse.forget(image.id)
        return ""


def _listed(api: Api) -> list[Made]:
    used = {str(container["ImageID"]) for container in api.containers(all=True)}
    every = {str(one["Id"]): one for one in api.images(all=True)}
    seen = {image_id: looked_up(api, image_id) for image_id, one in every.items() if _kind(one)}
    ours = {image_id: list(one["RootFS"].get("Layers") or []) for image_id, one in seen.items() if one}
    return [_made(every, ours, image_id, in_use=image_id in used) for image_id in ours]


def _made(every: dict[str, Any], ours: dict[str, list[str]], image_id: str, *, in_use: bool) -> Made:
    one, below = every[image_id], _below(every, ours, image_id)
    under = every.get(below or one.get("ParentId") or "", {"Size": 0})
    created = float(one["Created"])
    kind = _kind(one)
    assert kind is not None
    return Made(
        id=image_id, kind=kind, key=_key(one), created=created,
        last_used=lastuse.last_use(image_id) or created,
        size_bytes=int(one["Size"]), own_bytes=max(0, int(one["Size"]) - int(under["Size"])),
        layers=len(ours[image_id]), made_from=below, in_use=in_use, stock=NAME,
    )  # fmt: skip


def _below(every: dict[str, Any], ours: dict[str, list[str]], image_id: str) -> str:
    """The image of ours that this one was made from. By layers: not every engine remembers parents.

    A recipe that changes no file has the layers of its base: of several the known parent counts, else a base.
    """
    mine, parent = ours[image_id], every[image_id].get("ParentId")
    under = [one for one, layers in ours.items() if len(layers) < len(mine) and layers == mine[: len(layers)]]
    return max(
        under, key=lambda one: (len(ours[one]), one == parent, _kind(every[one]) != "dependencies"), default=""
    )


def _kind(one: dict[str, Any]) -> Kind | None:
    """None for an image that is not ours: labels go over to what others build on top of our images."""
    names = {tag.rpartition(":")[0] for tag in one.get("RepoTags") or []} - {"<none>"}
    if names == {RAW}:
        return "raw"  # an import takes no labels
    label = (one.get("Labels") or {}).get(KIND)
    if label == "base" and names <= {BASE}:
        return "base"
    if label == "dependencies" and names <= {DEPENDENCIES}:
        return "dependencies"
    return None


def _key(one: dict[str, Any]) -> str:
    tags = [tag.rpartition(":")[2] for tag in one.get("RepoTags") or []]
    return str((one.get("Labels") or {}).get(KEY) or next(iter(tags), ""))
