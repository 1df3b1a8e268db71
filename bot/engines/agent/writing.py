"""Tools that change the tree: edit_file and create_file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.engines.agent.refusal import NOTHING, EditRefused
from bot.engines.agent.tools import Param, Said, Tool
from bot.engines.agent.tree import Edited, Tree


class Writing:
    """Changes a tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def tools(self) -> list[Tool]:
        path = Param("path", "string", "Path relative to the root of the repository.", "shop/pricing.py")
        return [
            Tool(
                "edit_file",
                "Replace one place of a file. `old` has to stand in the file exactly once: quote whole lines, with "
                "their blanks. The answer shows the new lines, so there is no need to read them again. Tests and "
                "configuration of tests, CI and dependencies are read-only.",
                (path, Param("old", "string", "Text that stands in the file now.", "return price\n"),
                 Param("new", "string", "Text that replaces it.", "return round(price, 2)\n")), self._edit,
            ),
            Tool(
                "create_file", "Write a new file.",
                (path, Param("text", "string", "All of its text.", "VERSION = 1\n"),
                 Param("overwrite", "boolean", "Replace a file that exists.", True, required=False)), self._create,
            ),
        ]  # fmt: skip

    def _edit(self, arguments: Mapping[str, Any]) -> Said:
        try:
            done = self._tree.edit(arguments["path"], arguments["old"], arguments["new"])
        except EditRefused as error:
            return _refused(error)
        note = f"Edited {done.path}, lines {done.first} to {done.last}. They read now as below."
        if done.tolerance:
            note += f" `old` matched in all but {done.tolerance}; the rest of the file is unchanged."
        return Said(note, done.snippet, done.path)

    def _create(self, arguments: Mapping[str, Any]) -> Said:
        try:
            done: Edited = self._tree.create(
                arguments["path"], arguments["text"], overwrite=arguments.get("overwrite", False)
            )
        except EditRefused as error:
            return _refused(error)
        folders = f" New folders: {', '.join(done.folders)}." if done.folders else ""
        return Said(f"Wrote {done.path}, {done.last} lines.{folders}")


def _refused(error: EditRefused) -> Said:
    """The refusal quotes names and lines of the repository: all of it is fenced as data."""
    return Said(f"Refused ({error.kind}). {NOTHING}", str(error), "why, and the file as it is", error=error.kind)
