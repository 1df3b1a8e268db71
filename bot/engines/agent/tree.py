"""The files of one commit in memory, and what an attempt has changed in them. No path of the host is ever used."""

from __future__ import annotations

import difflib
import hashlib
import posixpath
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engines.agent import document, refusal, spot, syntax
from bot.engines.agent.document import Document, Unencodable, Unreadable
from bot.engines.agent.refusal import EditRefused
from bot.nouns import Patch
from sandbox import WORK, File, Files

MOST_NEW_CHARS = 200_000
_MOST_HOPS = 40
_AROUND = 3


@dataclass(frozen=True)
class Edited:
    """What an edit did: the file, the lines that are new, and how they read now with their neighbours."""

    path: str
    first: int
    last: int
    snippet: str
    tolerance: str = ""
    folders: tuple[str, ...] = ()
    """Folders that did not exist before."""


class Tree:
    """A commit's files and the changes made to them. `why_protected` says why a path is off limits, or None."""

    def __init__(self, files: Files, why_protected: Callable[[str], str | None]) -> None:
        self._base = files
        self._why_protected = why_protected
        self._changed: dict[str, bytes] = {}
        self._seen: dict[str, str] = {}
        self._views: dict[str, tuple[bytes, str]] = {}
        self._failed: Counter[tuple[str, str, str]] = Counter()

    def paths(self) -> list[str]:
        return sorted({*self._base, *self._changed})

    def read(self, path: str) -> Document:
        """A text file. Its content counts as seen. Raises EditRefused for what is not there or not text."""
        real = self.resolve(path)
        found = self._document(real)
        self._seen[real] = _digest(self._data(real))
        return found

    def peek(self, path: str) -> str:
        """The text of a file by its exact path, without it counting as seen; empty where it is not text."""
        if path not in self._changed and path not in self._base:
            return ""
        data = self._data(path)
        known = self._views.get(path)
        if known is None or known[0] is not data:
            try:
                known = (data, document.view(data))
            except Unreadable:
                known = (data, "")
            self._views[path] = known
        return known[1]

    def resolve(self, path: str) -> str:
        """The path of a file that exists, links in the tree followed. Raises EditRefused with the nearest names."""
        plain = self._inside(path)
        real = self._followed(plain)
        if real in self._changed or (real in self._base and not self._base[real].link):
            return real
        twins = [other for other in self.paths() if _nfc(other) == _nfc(real)]
        if len(twins) == 1:
            return twins[0]
        if any(other.startswith(real + "/") for other in self.paths()):
            raise EditRefused("missing", f"{plain} is a folder. See its files with list_files.")
        raise EditRefused("missing", f"There is no file {plain}. {self._nearest(plain)}")

    def edit(self, path: str, old: str, new: str) -> Edited:
        """Replace the one place where `old` stands by `new`. Raises EditRefused."""
        real = self.resolve(path)
        self._writable(real)
        found = self._document(real)
        self._fresh(real, found.view)
        old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
        try:
            place = self._place(real, found.view, old, new)
        except EditRefused as error:
            raise self._again(error, real, found.view, old, new) from None
        self._failed.pop((real, old, new), None)
        after = found.replaced(place.start, place.end, place.new)
        self._put(real, found.view, after)
        first = found.view.count("\n", 0, place.start) + 1
        return self._edited(real, after.view, first, place)

    def create(self, path: str, text: str, *, overwrite: bool = False) -> Edited:
        """Write a whole file. Raises EditRefused where one is there and `overwrite` is not given."""
        plain = self._followed(self._inside(path))
        self._writable(plain)
        known = plain in self._changed or plain in self._base
        if known and not overwrite:
            raise EditRefused(
                "exists", f"{plain} exists already. Use edit_file, or create_file with overwrite=true to replace it."
            )
        if len(text) > MOST_NEW_CHARS:
            raise EditRefused("too-large", f"The text has {len(text):,} characters; at most {MOST_NEW_CHARS:,} fit.")
        self._no_collision(plain)
        folders = tuple(self._new_folders(plain))
        before = self.peek(plain) if known else ""
        self._put(plain, before, self._like_before(plain, text) if known else document.fresh(text))
        lines = text.rstrip("\n").count("\n") + 1
        return Edited(plain, 1, lines, refusal.region(text, 1, lines=5), folders=folders)

    def patch(self) -> Patch:
        """What has been changed, by content: a file that is as it was is no change."""
        return Patch(
            {
                path: data
                for path, data in sorted(self._changed.items())
                if path not in self._base or self._base[path].data != data
            }
        )

    def files(self) -> Files:
        """The whole tree as it stands."""
        return {
            **self._base,
            **{
                path: File(data, path in self._base and self._base[path].executable)
                for path, data in self._changed.items()
            },
        }

    def digest(self) -> str:
        """Names the state of the tree; the same again after an edit that is undone."""
        return self.patch().sha256

    def overwrite(self, path: str, data: bytes) -> None:
        """Change a file from outside of the conversation: what was seen of it is stale then."""
        self._changed[path] = data

    # How a path is understood

    def _inside(self, path: str) -> str:
        """A relative path within the tree, as text; `..` may not lead out of it."""
        text = path.removeprefix(WORK + "/")
        if not text or "\0" in text or any(ord(char) < 32 or 0xD800 <= ord(char) < 0xE000 for char in text):
            raise EditRefused("outside", f"{path[:200]!r} is not a path.")
        normal = posixpath.normpath(text)
        if normal.startswith(("/", "../")) or normal in ("..", ".") or "\\" in normal or ":" in normal:
            raise EditRefused(
                "outside", f"{path[:200]!r} is outside of the repository. Paths are relative to its root."
            )
        return normal

    def _followed(self, path: str) -> str:
        """The path with the tree's own links resolved. Raises EditRefused when one leads outside, or round."""
        for _ in range(_MOST_HOPS):
            link = next((part for part in _prefixes(path) if self._is_link(part)), None)
            if link is None:
                return path
            target = self._base[link].data.decode("utf-8", "replace")
            joined = posixpath.normpath(posixpath.join(posixpath.dirname(link), target, path[len(link) + 1 :]))
            if target.startswith("/") or joined.startswith("../") or joined == "..":
                raise EditRefused("outside", f"{link} is a link that leads out of the repository.")
            path = joined
        raise EditRefused("outside", f"{path} is a link that leads back to itself.")

    def _is_link(self, path: str) -> bool:
        return path in self._base and self._base[path].link and path not in self._changed

    def _nearest(self, path: str) -> str:
        every = self.paths()
        name = posixpath.basename(path)
        same = [other for other in every if posixpath.basename(other) == name]
        near = same or difflib.get_close_matches(path, every[:20_000], n=3, cutoff=0.6)
        return f"Nearest: {', '.join(near[:5])}." if near else "See list_files."

    # Rules for a change

    def _writable(self, path: str) -> None:
        why = self._why_protected(path)
        if why is not None:
            raise EditRefused("protected", f"{path} is read-only: {why}. Repair the code that it speaks of instead.")

    def _fresh(self, path: str, view: str) -> None:
        seen, now = self._seen.get(path), _digest(self._data(path))
        if seen is not None and seen != now:
            self._seen[path] = now
            raise refusal.stale(path, refusal.region(view, 1, lines=40))

    def _place(self, path: str, view: str, old: str, new: str) -> spot.Spot:
        if not old:
            raise refusal.empty_old(path)
        if old == new:
            raise refusal.no_change(path)
        found = spot.find(view, old, new)
        if isinstance(found, spot.Several):
            raise refusal.ambiguous(path, view, found.starts)
        if found is None:
            at = view.find(new) if len(new.strip()) > 3 else -1
            if at >= 0:
                raise refusal.already_applied(path, view.count("\n", 0, at) + 1)
            raise EditRefused("not-found", "")
        if view[found.start : found.end] == found.new:
            raise refusal.no_change(path)
        return found

    def _again(self, error: EditRefused, path: str, view: str, old: str, new: str) -> EditRefused:
        self._failed[path, old, new] += 1
        if error.kind != "not-found":
            return error
        return refusal.not_found(path, view, old, times=self._failed[path, old, new])

    def _put(self, path: str, before: str, after: Document) -> None:
        view = after.view
        if "\ufffd" in view and "\ufffd" not in before:
            raise EditRefused("unencodable", "The new text holds U+FFFD, the sign for a character that was lost.")
        found = syntax.broken(path, before, view)
        if found:
            raise EditRefused(
                "syntax", f"With this edit {path} could not be parsed any more: {found}. The edit was taken back."
            )
        try:
            data = after.encode()
        except Unencodable as error:
            raise EditRefused("unencodable", f"{path}: {error}.") from error
        if len(data) > document.MAX_BYTES:
            raise EditRefused("too-large", f"{path} would have {len(data):,} bytes.")
        self._changed[path] = data
        self._seen[path] = _digest(data)

    def _like_before(self, path: str, text: str) -> Document:
        """A whole new text for a file that keeps its encoding, byte order mark and line ends."""
        try:
            before = self._document(path)
        except EditRefused:
            return document.fresh(text)
        plain = text.replace("\r\n", "\n") if before.usual_end() == "\r\n" else text
        return before.replaced(0, len(before.view), plain) if before.lines else document.fresh(text)

    def _no_collision(self, path: str) -> None:
        folded = _folded(path)
        for other in self.paths():
            if other != path and _folded(other) == folded:
                raise EditRefused("collision", f"{path} differs from {other} only by case or composition.")
        taken = next((part for part in _prefixes(path)[:-1] if part in self._base or part in self._changed), None)
        if taken:
            raise EditRefused("collision", f"{taken} is a file, so nothing can be created below it.")
        if any(other.startswith(path + "/") for other in self.paths()):
            raise EditRefused("collision", f"{path} is a folder.")

    def _new_folders(self, path: str) -> Iterator[str]:
        every = self.paths()
        for folder in _prefixes(path)[:-1]:
            if not any(other.startswith(folder + "/") for other in every):
                yield folder

    def _edited(self, path: str, view: str, first: int, place: spot.Spot) -> Edited:
        last = first + max(0, place.new.rstrip("\n").count("\n"))
        size = last - first + 1 + 2 * _AROUND
        lines = view.split("\n")
        begin = max(0, first - 1 - _AROUND)
        return Edited(
            path, first, last, refusal.numbered(lines[begin : begin + min(size, 60)], begin + 1), place.tolerance
        )

    def _data(self, path: str) -> bytes:
        return self._changed[path] if path in self._changed else self._base[path].data

    def _document(self, path: str) -> Document:
        if path not in self._changed and path not in self._base:
            raise EditRefused("missing", f"There is no file {path}.")
        try:
            return document.decode(self._data(path))
        except Unreadable as error:
            raise EditRefused(error.kind, f"{path}: {error}.") from error


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _prefixes(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _folded(path: str) -> str:
    return _nfc(path).casefold()
