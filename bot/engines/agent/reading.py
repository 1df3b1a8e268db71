"""Tools that look: list_files, read_file, search_code, find_symbol, repo_map, read_output."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping
from typing import Any

import re2

from bot.engines.agent import refusal
from bot.engines.agent.outputs import Outputs
from bot.engines.agent.refusal import EditRefused
from bot.engines.agent.repomap import Mapper
from bot.engines.agent.tools import Param, Said, Tool
from bot.engines.agent.tree import Tree

MOST_LISTED = 400
MOST_LINES = 400
MOST_MATCHES = 100
MOST_SYMBOLS = 40
_MOST_SEARCHED_CHARS = 100_000_000
_PATH = Param("path", "string", "Path relative to the root of the repository.", "shop/pricing.py")


class Reading:
    """Looks at a tree and changes nothing."""

    def __init__(self, tree: Tree, outputs: Outputs, mapper: Mapper, seeds: Mapping[str, float]) -> None:
        self._tree = tree
        self._outputs = outputs
        self._mapper = mapper
        self._seeds = seeds

    def tools(self) -> list[Tool]:
        start = Param("start", "integer", "First line, counted from 1.", 1, required=False)
        end = Param("end", "integer", "Last line.", 100, required=False)
        glob = Param(
            "glob", "string", "Only paths that match, e.g. src/*.py; * also matches /.", "src/*.py", required=False
        )
        return [
            Tool("list_files", f"The paths of the repository, at most {MOST_LISTED}.", (glob,), self._list),
            Tool(
                "read_file", f"Lines of a file with numbers, at most {MOST_LINES} at a time. The number and the "
                "tab before each line are not part of the file.", (_PATH, start, end), self._read,
            ),
            Tool(
                "search_code", "Lines that a regular expression (RE2 syntax) matches, as path:line: text.",
                (Param("pattern", "string", "Regular expression; no look-around.", r"def total\("), glob,
                 Param("ignore_case", "boolean", "Ignore upper and lower case.", True, required=False)), self._search,
            ),
            Tool(
                "find_symbol", "Where a function, class or method is defined.",
                (Param("name", "string", "Its name.", "total"),), self._find,
            ),
            Tool(
                "repo_map", "The definitions that matter most around the failure, or around one path.",
                (Param("path", "string", "Look from this file instead.", "shop/pricing.py", required=False),),
                self._map,
            ),
            Tool(
                "read_output", "Lines of a result that was too long to be shown whole.",
                (Param("id", "string", "The id that the result named.", "out-1"), start, end), self._output,
            ),
        ]  # fmt: skip

    def _list(self, arguments: Mapping[str, Any]) -> Said:
        glob = arguments.get("glob", "*")
        found = [path for path in self._tree.paths() if fnmatch.fnmatchcase(path, glob)]
        if not found:
            return Said(
                f"No path matches {glob!r}; the repository has {len(self._tree.paths())} files.", error="missing"
            )
        rest = len(found) - MOST_LISTED
        more = f" The first {MOST_LISTED} are shown; narrow it with glob." if rest > 0 else ""
        return Said(f"{len(found)} files.{more}", "\n".join(found[:MOST_LISTED]), "names of files")

    def _read(self, arguments: Mapping[str, Any]) -> Said:
        try:
            view = self._tree.read(arguments["path"]).view
        except EditRefused as error:
            return _no(error)
        path = self._tree.resolve(arguments["path"])
        if not view:
            return Said(f"{path} is empty.")
        lines = view.split("\n")
        if lines[-1] == "":
            lines.pop()
        return _lines(lines, arguments, path)

    def _output(self, arguments: Mapping[str, Any]) -> Said:
        lines = self._outputs.lines(arguments["id"])
        if lines is None:
            known = ", ".join(self._outputs.names()[-5:]) or "none yet"
            return Said(f"There is no result {arguments['id'][:40]!r}. Known are: {known}.", error="missing")
        return _lines(lines, arguments, arguments["id"])

    def _search(self, arguments: Mapping[str, Any]) -> Said:
        pattern, glob = arguments["pattern"], arguments.get("glob", "*")
        options = re2.Options()
        options.log_errors = False
        options.max_mem = 16 * 1024 * 1024
        options.case_sensitive = not arguments.get("ignore_case", False)
        try:
            compiled = re2.compile(f"(?m){pattern}", options)
        except re2.error as error:
            return Said(
                f"The pattern {pattern[:200]!r} is no RE2 expression: {error}. Escape ( ) [ ] . * + ? with \\ to "
                "find them; look-around and back-references do not exist.", error="pattern",
            )  # fmt: skip
        hits, files, searched = [], set(), 0
        for path in self._tree.paths():
            if not fnmatch.fnmatchcase(path, glob):
                continue
            view = self._tree.peek(path)
            searched += len(view)
            if searched > _MOST_SEARCHED_CHARS:
                break
            for number, line in _matching(compiled, view):
                files.add(path)
                hits.append(f"{path}:{number}: {line[:300]}")
        if not hits:
            return Said(f"Nothing matches {pattern[:200]!r} in {glob!r}. The search itself succeeded.")
        more = f" The first {MOST_MATCHES} are shown; narrow it with glob." if len(hits) > MOST_MATCHES else ""
        note = f"{len(hits)} lines in {len(files)} files.{more}"
        return Said(note, "\n".join(hits[:MOST_MATCHES]), "lines that match")

    def _find(self, arguments: Mapping[str, Any]) -> Said:
        found = self._mapper.find(arguments["name"])
        if not found:
            return Said(f"No definition of {arguments['name'][:100]!r} was found. Try search_code.", error="missing")
        lines = [
            f"{path}:{symbol.line}-{symbol.end_line}: {symbol.kind}: {symbol.signature}" for path, symbol in found
        ]
        return Said(f"{len(found)} definitions.", "\n".join(lines[:MOST_SYMBOLS]), "definitions")

    def _map(self, arguments: Mapping[str, Any]) -> Said:
        seeds = self._seeds
        if "path" in arguments:
            try:
                seeds = {self._tree.resolve(arguments["path"]): 1.0}
            except EditRefused as error:
                return _no(error)
        shown = self._mapper.map(seeds)
        return (
            Said("Most important first.", shown, "map of definitions") if shown else Said("Nothing to map was found.")
        )


def _matching(compiled: Any, view: str) -> Iterator[tuple[int, str]]:
    """The lines in which a match begins: one call for the whole file, so that most files cost next to nothing."""
    number, start, known = 1, 0, 0
    for found in compiled.finditer(view):
        number += view.count("\n", start, found.start())
        start = found.start()
        if number == known or (start == len(view) and view.endswith("\n")):
            continue
        known = number
        end = view.find("\n", start)
        yield number, view[view.rfind("\n", 0, start) + 1 : end if end >= 0 else len(view)]


def _lines(lines: list[str], arguments: Mapping[str, Any], name: str) -> Said:
    """A range of lines with numbers."""
    first = max(1, arguments.get("start", 1))
    last = min(len(lines), arguments.get("end", len(lines)), first + MOST_LINES - 1)
    if first > last:
        return Said(f"{name} has {len(lines)} lines; there are none from {first} to {last}.", error="range")
    shown = refusal.numbered(lines[first - 1 : last], first)
    return Said(f"{name}, lines {first} to {last} of {len(lines)}.", shown, name)


def _no(error: EditRefused) -> Said:
    return Said(f"Refused ({error.kind}).", str(error), "why", error=error.kind)
