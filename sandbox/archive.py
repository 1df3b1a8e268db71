"""Files as one tar: the form in which everything goes into a box."""

from __future__ import annotations

import io
import tarfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from sandbox import Files

_NAME_BYTES = 255
_PATH_BYTES = 4000
_PIECE_BYTES = 64 * 1024


def checked(files: Files) -> Files:
    """`files`, when every path can be made in a box; else ValueError, naming the first bad path.

    A path is relative, without `.`, `..`, empty or overlong parts and control characters, and no path lies
    below another one: so no file can be written through a link.
    """
    for path, file in files.items():
        parts = path.split("/")
        if any(part in ("", ".", "..") or len(_raw(part)) > _NAME_BYTES for part in parts):
            raise ValueError(f"not a path for a box: {path!r}")
        if len(_raw(path)) > _PATH_BYTES or any(char < " " or char == "\x7f" for char in path):
            raise ValueError(f"not a path for a box: {path!r}")
        for depth in range(1, len(parts)):
            if "/".join(parts[:depth]) in files:
                raise ValueError(f"not a path for a box: {path!r} lies below a file")
        if file.link and (not file.data or b"\0" in file.data):
            raise ValueError(f"not a link for a box: {path!r}")
    return files


def box_tar(folders: Mapping[str, Files], config: Iterable[tuple[str, str]]) -> Iterator[bytes]:
    """The tar that `boot.py` reads: the configuration, then each folder's files below its name.

    Raises ValueError at once for what no box can take.
    """
    for files in folders.values():
        checked(files)
    return _whole(_members(folders, _words(config)))


def _words(config: Iterable[tuple[str, str]]) -> bytes:
    """Names and values by turns. No command can have a zero byte in its arguments or its environment."""
    words = [word for pair in config for word in pair]
    if any("\0" in word for word in words):
        raise ValueError("a zero byte in the arguments or the environment of a command")
    return _raw("\0".join(words))


def plain_tar(files: Files, *, below: str, uid: int) -> bytes:
    """A tar for the engine's archive call: `files` below the folder `below`, all owned by `uid`."""
    checked(files)
    folders: dict[str, None] = {}
    for path in files:
        parts = f"{below}/{path}".split("/")
        folders.update(dict.fromkeys("/".join(parts[:depth]) for depth in range(1, len(parts))))
    folders.setdefault(below)
    heads = b"".join(_head(_info(folder, tarfile.DIRTYPE, mode=0o755, uid=uid)) for folder in folders)
    return heads + b"".join(_whole(_file_members(files, below, uid=uid)))


def lay_out(files: Files, folder: Path) -> None:
    """Write `files` below `folder`, an empty one of ours. Links come last: nothing is written through one."""
    for path, file in sorted(checked(files).items(), key=lambda item: item[1].link):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.link:
            place.symlink_to(file.data.decode("utf-8", "surrogateescape"))
        else:
            place.write_bytes(file.data)
            place.chmod(0o755 if file.executable else 0o644)


def _members(folders: Mapping[str, Files], config: bytes) -> Iterator[bytes]:
    yield from _regular("config", config)
    for folder, files in folders.items():
        yield from _file_members(files, folder, uid=0)


def _file_members(files: Files, below: str, *, uid: int) -> Iterator[bytes]:
    for path, file in sorted(files.items()):
        if file.link:
            info = _info(f"{below}/{path}", tarfile.SYMTYPE, mode=0o777, uid=uid)
            info.linkname = file.data.decode("utf-8", "surrogateescape")
            yield _head(info)
        else:
            yield from _regular(f"{below}/{path}", file.data, mode=0o755 if file.executable else 0o644, uid=uid)


def _regular(name: str, data: bytes, *, mode: int = 0o644, uid: int = 0) -> Iterator[bytes]:
    info = _info(name, tarfile.REGTYPE, mode=mode, uid=uid)
    info.size = len(data)
    yield _head(info)
    yield data
    yield b"\0" * (-len(data) % tarfile.BLOCKSIZE)


def _info(name: str, kind: bytes, *, mode: int, uid: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.uid, info.gid, info.mtime = kind, mode, uid, uid, int(time.time())
    return info


def _head(info: tarfile.TarInfo) -> bytes:
    return info.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")


def _whole(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """In larger pieces, and with the two empty blocks of its end: what comes behind them is not of the archive."""
    buffer = io.BytesIO()
    for chunk in chunks:
        buffer.write(chunk)
        if buffer.tell() >= _PIECE_BYTES:
            yield buffer.getvalue()
            buffer = io.BytesIO()
    yield buffer.getvalue() + b"\0" * (2 * tarfile.BLOCKSIZE)


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
