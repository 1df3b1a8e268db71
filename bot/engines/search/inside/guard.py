"""The tree as it was: kept in memory, and put back when a candidate changed it."""

from __future__ import annotations

import os
import shutil
import time
from typing import Dict, FrozenSet, NamedTuple, Set, Tuple

TRIES, PAUSE_S = 40, 0.05
MOST_BYTES = 256 * 1024 * 1024
_SKIPPED = {"__pycache__", ".git", ".pytest_cache", ".hypothesis"}


class Restored(NamedTuple):
    """What putting the tree back came to."""

    anything: bool = False
    """Whether there was something to do."""
    spoiled: FrozenSet[str] = frozenset()
    """Files of the tree that were gone or of other contents: whoever ran meanwhile ran in another tree."""


class TreeGuard:
    """Knows bytes and stamps of all regular files. `restore()` is cheap when nothing changed."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: Dict[str, Tuple[bytes, int]] = {}
        total = 0
        for path, mode in self._walk():
            full = os.path.join(root, path)
            total += os.path.getsize(full)
            if total <= MOST_BYTES:
                with open(full, "rb") as stream:
                    self.files[path] = (stream.read(), mode)
        self._folders = self._all_folders()
        self._stamps = self._stamped()

    def _walk(self) -> "list[Tuple[str, int]]":
        found = []
        for folder, names, files in os.walk(self.root):
            names[:] = [name for name in names if name not in _SKIPPED]
            for name in files:
                full = os.path.join(folder, name)
                if os.path.isfile(full) and not os.path.islink(full):
                    found.append((os.path.relpath(full, self.root), os.stat(full).st_mode & 0o777))
        return found

    def _all_folders(self) -> Set[str]:
        found = set()
        for folder, names, _files in os.walk(self.root):
            _prune(names)
            found.add(folder)
        return found

    def _stamped(self) -> Dict[str, Tuple[int, int]]:
        stamps = {}
        for folder, names, files in os.walk(self.root):
            _prune(names)
            for name in files:
                full = os.path.join(folder, name)
                try:
                    stat = os.lstat(full)
                except OSError:
                    continue
                stamps[os.path.relpath(full, self.root)] = (stat.st_mtime_ns, stat.st_size)
        return stamps

    def restore(self) -> Restored:
        """Put back what is changed or gone, remove what is new.

        A candidate of the other process may be deleting at this very moment: then it is done again.
        """
        for _ in range(TRIES):
            try:
                return self._restored()
            except OSError:
                time.sleep(PAUSE_S)
        return self._restored()

    def _restored(self) -> Restored:
        now = self._stamped()
        if now == self._stamps:
            return Restored()
        spoiled = frozenset(path for path in self.files if self._is_spoiled(path, now))
        os.makedirs(self.root, exist_ok=True)
        os.chdir(self.root)  # the folder may be another one of the same name now
        for path in set(now) - set(self._stamps):
            _remove(os.path.join(self.root, path))
        for path, (data, mode) in self.files.items():
            if now.get(path) != self._stamps.get(path):
                self.write(path, data, mode)
                # The old time, so that the other process that guards the tree finds nothing to do.
                os.utime(os.path.join(self.root, path), ns=(self._stamps[path][0],) * 2)
        for folder in self._all_folders() - self._folders:
            shutil.rmtree(folder, ignore_errors=True)
        return Restored(True, spoiled)

    def _is_spoiled(self, path: str, now: Dict[str, Tuple[int, int]]) -> bool:
        """A test that writes a file of the tree anew, with the same contents, spoils nothing."""
        if now.get(path) == self._stamps.get(path):
            return False
        try:
            with open(os.path.join(self.root, path), "rb") as stream:
                return stream.read() != self.files[path][0]
        except OSError:
            return True

    def write(self, path: str, data: bytes, mode: int) -> None:
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        if os.path.isdir(full) or os.path.islink(full):
            _remove(full)
        with open(full, "wb") as stream:
            stream.write(data)
        os.chmod(full, mode)


def _prune(names: "list[str]") -> None:
    names[:] = [name for name in names if name not in _SKIPPED]


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)
