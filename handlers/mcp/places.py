"""Which checkouts an agent may name: those within its client's roots, and within the folders of the operator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import unquote, urlsplit

from mcp.server.mcpserver import Context, ListRoots, Resolve
from mcp_types import ListRootsResult

from bot.checkout import Checkout
from bot.errors import Refused
from bot.escape import plain
from bot.workspace import run_git


def _ask(ctx: Context[Any, Any]) -> ListRoots | ListRootsResult:
    """A client that has no roots to tell of is not asked for any."""
    capabilities = ctx.client_capabilities
    if capabilities is None or capabilities.roots is None:
        return ListRootsResult(roots=[])
    return ListRoots()


_GIVE = "Give the absolute path of a git checkout."

ClientRoots = Annotated[ListRootsResult, Resolve(_ask)]
"""A parameter of a tool that no model fills: the client is asked for its roots at each call, as they change."""


@dataclass(frozen=True)
class Bounds:
    """Folders of the operator and of the client: a path has to lie within both. None sets no bounds."""

    operator: Sequence[Path] | None = None
    client: Sequence[Path] | None = None

    def within(self, path: Path) -> bool:
        """Whether a path may be looked at, links followed."""
        real = path.resolve()
        return all(
            folders is None or any(real.is_relative_to(folder.resolve()) for folder in folders)
            for folders in (self.operator, self.client)
        )

    def checkout(self, named: str) -> Checkout:
        """The checkout at a path. Refused, with what to do, for a path that is none or out of bounds."""
        try:
            return self._checkout(self._absolute(named))
        except (OSError, RuntimeError, ValueError) as error:  # too long, no permission, links in a circle, a NUL
            raise Refused(f"{plain(named)[:300]!r} is no path: {error}.", _GIVE) from error

    def _checkout(self, path: Path) -> Checkout:
        self._require(path, "The path")
        found = Checkout(path)
        self._require(found.root, "The checkout that it belongs to")
        common = run_git("-C", str(found.root), "rev-parse", "--path-format=absolute", "--git-common-dir")
        self._require(Path(common.decode("utf-8", "surrogateescape").rstrip("\n")), "Its git folder")
        return found

    def _absolute(self, named: str) -> Path:
        path = Path(named).expanduser()
        if path.is_absolute():
            return path
        bounds = self.client or self.operator or ()
        if len(bounds) > 1:
            raise Refused(f"{plain(named)!r} is relative, and there are several roots: {_listed(bounds)}.", _GIVE)
        return (bounds[0] if bounds else Path.cwd()) / path

    def _require(self, path: Path, what: str) -> None:
        if not self.within(path):
            bounds = _listed([*(self.client or ()), *(self.operator or ())])
            raise Refused(
                f"{what}, {plain(str(path))}, is outside of what this server may look at: {bounds or 'nothing'}.",
                "Name a checkout below these folders, or have the user add the folder to the roots of the client "
                "(or to --root of `regreen mcp`).",
            )


def folders(roots: ListRootsResult) -> list[Path] | None:
    """The client's roots that are folders of this machine; None for a client that names no roots."""
    found = [urlsplit(str(root.uri)) for root in roots.roots]
    return [Path(unquote(one.path)) for one in found if one.scheme == "file"] if found else None


def _listed(folders: Sequence[Path]) -> str:
    return ", ".join(plain(str(folder)) for folder in folders)
