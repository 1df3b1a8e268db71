"""Folders as they were: kept as bytes in memory, and put back after each run."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

Stamp = Tuple[int, ...]


class Kept(NamedTuple):
    """One entry: mode, and the bytes of a file or the target of a link; None for a folder."""

    mode: int
    data: Optional[bytes]
    mtime_ns: int


class Pristine:
    """One folder. `restore()` costs a look at each entry when nothing has changed."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.kept: Dict[str, Kept] = {}
        for path, entry in self._walk():
            self.kept[path] = Kept(entry.st_mode, _content(os.path.join(root, path), entry), entry.st_mtime_ns)
        self._stamps = self._stamped()

    def data(self, path: str) -> Optional[bytes]:
        """The bytes of a regular file; None when there is no such file."""
        kept = self.kept.get(path)
        return kept.data if kept is not None and stat.S_ISREG(kept.mode) else None

    def _walk(self) -> Iterator[Tuple[str, os.stat_result]]:
        """Every entry below the root, folders before what they hold."""
        pending = [""]
        while pending:
            folder = pending.pop()
            place = os.path.join(self.root, folder)
            try:
                entries = list(os.scandir(place))
            except PermissionError:
                os.chmod(place, 0o700)
                entries = list(os.scandir(place))
            except (FileNotFoundError, NotADirectoryError):
                continue
            for entry in entries:
                path = os.path.join(folder, entry.name)
                yield path, entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)

    def _stamped(self) -> Dict[str, Stamp]:
        return {path: _stamp(entry) for path, entry in self._walk()}

    def restore(self) -> None:
        now = self._stamped()
        if now == self._stamps:
            return
        if not os.path.isdir(self.root) or os.path.islink(self.root):
            discard(self.root)
            os.makedirs(self.root)
        for path in sorted(set(now) - set(self.kept), key=len):
            discard(os.path.join(self.root, path))
        for path, kept in self.kept.items():
            if now.get(path) != self._stamps.get(path):
                self._put_back(path, kept)
        self._stamps = self._stamped()

    def _put_back(self, path: str, kept: Kept) -> None:
        full = os.path.join(self.root, path)
        if kept.data is None:
            if not os.path.isdir(full) or os.path.islink(full):
                discard(full)
                os.mkdir(full)
            os.chmod(full, stat.S_IMODE(kept.mode))
            return
        if stat.S_ISLNK(kept.mode):
            discard(full)
            os.symlink(kept.data, os.fsencode(full))
            return
        self.write(path, kept.data)
        os.utime(full, ns=(kept.mtime_ns, kept.mtime_ns))

    def write(self, path: str, data: bytes) -> None:
        """A regular file, with the mode that it had; a new file each time, never through a link."""
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        discard(full)
        known = self.kept.get(path)
        mode = stat.S_IMODE(known.mode) if known is not None and stat.S_ISREG(known.mode) else 0o644
        with open(os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            stream.write(data)
        os.chmod(full, mode)

    def apply(self, files: Dict[str, Optional[bytes]]) -> None:
        for path, data in files.items():
            if data is None:
                discard(os.path.join(self.root, path))
            else:
                self.write(path, data)


def _content(full: str, entry: os.stat_result) -> Optional[bytes]:
    if stat.S_ISLNK(entry.st_mode):
        return os.readlink(os.fsencode(full))
    if not stat.S_ISREG(entry.st_mode):
        return None
    with open(full, "rb") as stream:
        return stream.read()


def _stamp(entry: os.stat_result) -> Stamp:
    """What changes with the entry. Folders change with what they hold, which has stamps of its own."""
    if stat.S_ISDIR(entry.st_mode):
        return (entry.st_mode, entry.st_ino)
    return (entry.st_mode, entry.st_ino, entry.st_size, entry.st_mtime_ns, entry.st_ctime_ns)


def discard(full: str) -> None:
    """Remove whatever stands there, shut folders included."""
    if os.path.isdir(full) and not os.path.islink(full):
        shutil.rmtree(full, ignore_errors=True)
        if os.path.isdir(full):
            _open(full)
            shutil.rmtree(full, ignore_errors=True)
    elif os.path.lexists(full):
        with contextlib.suppress(OSError):
            os.unlink(full)


def _open(full: str) -> None:
    with contextlib.suppress(OSError):
        os.chmod(full, 0o700)
        for entry in list(os.scandir(full)):
            if entry.is_dir(follow_symlinks=False):
                _open(entry.path)


def wipe(folders: List[str], keep: List[str]) -> None:
    """Empty the places where anybody may write. `keep` are entries in them that stay."""
    for folder in folders:
        with contextlib.suppress(OSError):
            for entry in os.listdir(folder):
                full = os.path.join(folder, entry)
                if full not in keep:
                    discard(full)
