"""Images as folders, for boxes without an engine: a Python root file system, and what each recipe adds to it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sandbox import BuildFailed, Image, Progress, Recipe, SandboxError, SandboxUnavailable, debian
from sandbox.builder import DEADLINE_S, UID
from sandbox.cgroups import Groups
from sandbox.egress import Egress, egress, with_pip_conf
from sandbox.namespaces import give, is_root
from sandbox.recipes import ONE_USER_BASE_STEPS, base_key, hash_of, locked, recipe_key, run_steps
from sandbox.traces import Traces, discard, new_name
from sandbox.workshop import Workshop

_SCHEMA = "3"
_ADDED = {"/opt/venv": "venv", "/opt/deps": "deps"}
"""Place in the box -> folder of the image: all that a step of a recipe can write to and that stays."""
_MOUNT_POINTS = (
    "proc",
    "dev",
    "sys/fs/cgroup/memory",
    "tmp",
    "var/tmp",
    "sbx",
    "run",
    "root",
    "opt/venv",
    "opt/deps",
)
NOTE = "image.json"
_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class _Record:
    """What is kept of an image beside its folders."""

    digest: str
    base: str | None
    """Id of the image that this one lies over."""
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Layers:
    """An image on disk: a root, and what lies over it: place in the box -> folder."""

    root: Path
    over: dict[str, Path]


class Roots:
    """Finds images below `state`, and builds those that are missing, each once at a time on this machine."""

    def __init__(self, state: Path, traces: Traces, groups: Groups, *, base: str | None) -> None:
        """`base` is a tar of a root file system with Python; None makes one out of Debian packages."""
        self._images, self._traces, self._groups, self._base = state / "images", traces, groups, base

    def prepare(self, recipe: Recipe, progress: Progress) -> Image:
        """The image of `recipe`. Raises BuildFailed when a step that is not optional fails."""
        base = self._python_base(recipe.base or self._base, progress)
        if not recipe.steps:
            return base
        way = egress(with_pip_conf(os.environ))
        key = hash_of(_SCHEMA, recipe_key(recipe, base.id, way))
        with locked(key):
            return self._found(key) or self._build(recipe, base, key, way, progress)

    def layers(self, image_id: str) -> Layers:
        """Where an image lies. Raises SandboxError when it is gone."""
        key, _, digest = image_id.partition("@")
        folder, known = self._images / key, self._read(key)
        if not digest or known is None or known.digest != digest:
            raise SandboxError(f"an image is gone from {self._images}, prepare it again: {image_id}")
        with contextlib.suppress(PermissionError):  # an image of root's, used by somebody else
            (folder / NOTE).touch()  # when it was last used
        if known.base is None:
            return Layers(folder / "root", {})
        return Layers(self.layers(known.base).root, {place: folder / name for place, name in _ADDED.items()})

    def _python_base(self, tar: str | None, progress: Progress) -> Image:
        raw = _digest_of(Path(tar)) if tar else debian.recipe_hash()
        key = hash_of(_SCHEMA, base_key(raw), platform.machine())
        with locked(key):
            found = self._found(key)
            if found:
                return found
            try:
                return self._build_base(tar, key, progress)
            except BuildFailed as error:
                raise SandboxUnavailable(
                    f"no base can be made from {tar or 'Debian packages'}: {error}: {error.log}"
                ) from error

    def _build(self, recipe: Recipe, base: Image, key: str, way: Egress, progress: Progress) -> Image:
        with self._new(key) as new:
            added = {place: new / name for place, name in _ADDED.items()}
            for folder in added.values():
                folder.mkdir()
            root = self.layers(base.id).root
            shop = Workshop(root, new / "bench", folders=added, egress=way, groups=self._groups, traces=self._traces)
            shop.put(recipe.files)
            notes = run_steps(shop, recipe.steps, progress)
            return self._finished(new, key, added=[*added.values()], base=base.id, notes=notes, secrets=way.secrets)

    def _build_base(self, tar: str | None, key: str, progress: Progress) -> Image:
        with self._new(key) as new:
            root = _untarred(Path(tar), new) if tar else _from_packages(new, progress)
            _furnish(root)
            give(root, UID)
            way = egress(with_pip_conf(os.environ))
            shop = Workshop(root, new / "bench", folders={}, egress=way, groups=self._groups, traces=self._traces)
            notes = run_steps(shop, ONE_USER_BASE_STEPS, progress, root=True)
            discard(root / "root/.cache")
            return self._finished(new, key, added=[root], base=None, notes=notes, secrets=way.secrets)

    @contextmanager
    def _new(self, key: str) -> Iterator[Path]:
        """A folder for an image in the making; it is gone at the end unless it became the image."""
        new = self._images / f".{key[:24]}-{new_name()}"
        with self._traces.kept(new_name(), DEADLINE_S + 300, folders=[new]):
            new.mkdir()
            new.chmod(0o755)
            yield new

    def _finished(
        self, new: Path, key: str, *, added: list[Path], base: str | None, notes: list[str], secrets: tuple[str, ...]
    ) -> Image:
        discard(new / "bench")
        digest = hash_of(base or "", *(sealed(folder, secrets) for folder in added))
        record = {"digest": digest, "base": base, "notes": notes}
        (new / NOTE).write_text(json.dumps(record), "utf-8")
        place = self._images / key[:24]
        discard(place)  # of another digest, or cut short by hand
        new.rename(place)
        return Image(f"{key[:24]}@{digest}", notes=tuple(notes), built=True)

    def _found(self, key: str) -> Image | None:
        known = self._read(key[:24])
        if known is None:
            return None
        (self._images / key[:24] / NOTE).touch()  # when it was last used
        return Image(f"{key[:24]}@{known.digest}", notes=known.notes)

    def _read(self, key: str) -> _Record | None:
        try:
            known = json.loads((self._images / key / NOTE).read_text("utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return None
        return _Record(known["digest"], known["base"], tuple(known["notes"]))


def sealed(tree: Path, secrets: tuple[str, ...]) -> str:
    """The digest of all in `tree`, which is root's from now on, where we are root, and holds plain files only.

    Raises BuildFailed when a credential stands in one of its files. No process that could write to it is left.
    """
    try:
        return _sealed(tree, secrets)
    except (OSError, RecursionError) as error:  # a path too long, folders too deep
        raise BuildFailed("keep what was built", str(error)) from error


def _sealed(tree: Path, secrets: tuple[str, ...]) -> str:
    digest, words = hashlib.sha256(), [secret.encode() for secret in secrets]
    for path in (tree, *_walk(tree)):
        found = path.lstat()
        kind, mode = stat.S_IFMT(found.st_mode), _plain(found.st_mode)
        if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
            path.unlink()  # a FIFO, a socket
            continue
        if kind == stat.S_IFLNK:
            content = os.fsencode(path.readlink()).hex()
        else:
            path.chmod(mode)
            content = _digest_of(path, words) if kind == stat.S_IFREG else ""
        if is_root():
            os.chown(path, 0, 0, follow_symlinks=False)
        line = [os.fsencode(path.relative_to(tree)).hex(), oct(kind | mode), content]
        digest.update(json.dumps(line).encode())
    return digest.hexdigest()


def _plain(mode: int) -> int:
    """No setuid, since its owner may become root; and readable by the box, which no longer owns it."""
    runs = 0o111 if stat.S_ISDIR(mode) or mode & 0o100 else 0
    return (mode & 0o777) | 0o444 | runs


def _walk(tree: Path) -> Iterator[Path]:
    """All in `tree`, in a fixed order; a folder's own contents after it, so that it can be opened first."""
    for one in sorted(os.scandir(tree), key=lambda entry: os.fsencode(entry.name)):
        path = Path(one.path)
        folder = one.is_dir(follow_symlinks=False)
        if folder and not is_root():
            path.chmod(0o755)
        yield path
        if folder:
            yield from _walk(path)


def _digest_of(path: Path, words: list[bytes] | None = None) -> str:
    """SHA-256 of a regular file. Raises BuildFailed when one of `words` stands in it."""
    digest, tail = hashlib.sha256(), b""
    keep = max((len(word) for word in words or ()), default=1) - 1
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123 - a number
        while data := file.read(_CHUNK_BYTES):
            digest.update(data)
            if words and any(word in tail + data for word in words):
                raise BuildFailed("look for credentials", f"a step wrote an index or proxy credential into: {path}")
            tail = (tail + data)[-keep:] if keep else b""
    return digest.hexdigest()


def _from_packages(new: Path, progress: Progress) -> Path:
    if not debian.can_build():
        raise SandboxUnavailable(
            "no base image: this machine has no apt to make one. Name a tar of a root file system with "
            "Python 3 and its venv module in REGREEN_BASE_IMAGE (docker export makes one)."
        )
    (new / "packages").mkdir()
    made = debian.unpacked(new / "packages", progress)
    made.rename(new / "root")
    discard(new / "packages")
    return new / "root"


def _untarred(tar: Path, new: Path) -> Path:
    root = new / "root"
    root.mkdir()
    argv = ["tar", "--extract", "--no-same-owner", "--exclude=./dev/*", "--exclude=dev/*", "--directory", str(root)]
    done = subprocess.run([*argv, "--file", str(tar)], capture_output=True, check=False)
    if done.returncode != 0:
        raise SandboxUnavailable(
            f"{tar} is no tar of a root file system: {done.stderr[-500:].decode(errors='replace')}"
        )
    return root


def _furnish(root: Path) -> None:
    """What has to be there before a read-only root: places to mount on, and a name for loopback."""
    for place in _MOUNT_POINTS:
        (root / place).mkdir(parents=True, exist_ok=True)
    for name, text in {"hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n", "resolv.conf": ""}.items():
        (root / "etc" / name).unlink(missing_ok=True)
        (root / "etc" / name).write_text(text, "utf-8")
