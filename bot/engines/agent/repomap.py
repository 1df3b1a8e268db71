"""A map of what matters around a failure: definitions, ranked from the files that the failure names.

Everything is bounded by counts, never by a clock: the same commit and failure give the same map.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from bot.engines.agent import grammar
from bot.engines.agent.grammar import Outline, Symbol
from bot.engines.agent.tree import Tree
from bot.nouns import Failure

MAP_CHARS = 5000
_MOST_FILES = 500
_MOST_BYTES = 2_500_000
_DAMPING = 0.85
_ROUNDS = 30
_COMMON = 5
_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+([\w, ()*]+)|import\s+([\w., ]+))", re.MULTILINE)


class Mapper:
    """Outlines of a tree's files, each made once."""

    def __init__(self, tree: Tree, known: dict[tuple[str, int], Outline] | None = None) -> None:
        """`known` is shared by mappers of trees that are much the same."""
        self._tree = tree
        self._known = {} if known is None else known

    def outline(self, path: str) -> Outline:
        text = self._tree.peek(path)
        key = (path, hash(text))
        if key not in self._known:
            self._known[key] = grammar.outline(path, text)
        return self._known[key]

    def find(self, name: str) -> list[tuple[str, Symbol]]:
        """Definitions of a name, exact ones first, then those that contain it."""
        exact: list[tuple[str, Symbol]] = []
        near: list[tuple[str, Symbol]] = []
        wanted = name.rsplit(".", 1)[-1]
        for path in self._readable():
            if wanted.casefold() not in self._tree.peek(path).casefold():
                continue
            for symbol in self.outline(path).symbols:
                if symbol.name == wanted:
                    exact.append((path, symbol))
                elif wanted.casefold() in symbol.name.casefold():
                    near.append((path, symbol))
        return exact or near

    def map(self, seeds: Mapping[str, float], *, limit: int = MAP_CHARS) -> str:
        """The most important definitions within so many characters, as `path` and numbered lines."""
        chosen = self._chosen(seeds)
        outlines = {path: self.outline(path) for path in chosen}
        ranks = _ranked(outlines, {path: weight for path, weight in seeds.items() if path in outlines})
        return _rendered(outlines, ranks, limit)

    def _readable(self) -> list[str]:
        return [path for path in self._tree.paths() if grammar.language(path)]

    def _chosen(self, seeds: Mapping[str, float]) -> list[str]:
        """The files that are looked at: seeds, then their folders, then the rest, up to the limits."""
        near = {posixpath.dirname(path) for path in seeds}
        ordered = sorted(
            self._readable(), key=lambda path: (path not in seeds, posixpath.dirname(path) not in near, path)
        )
        chosen, size = [], 0
        for path in ordered[:_MOST_FILES]:
            size += len(self._tree.peek(path))
            if size > _MOST_BYTES:
                break
            chosen.append(path)
        return chosen


def seeds(failure: Failure, tree: Tree) -> dict[str, float]:
    """Files that the failure names -> weight: frames of the tracebacks, failing tests, what those import."""
    weights: dict[str, float] = defaultdict(float)
    known = set(tree.paths())
    for case in failure.targets[:50]:
        for depth, frame in enumerate(reversed(case.frames)):
            if frame.path in known:
                weights[frame.path] += 3.0 / (1 + depth)
        test_file = case.id.split("::", 1)[0]
        if test_file in known:
            weights[test_file] += 1.0
            for path in imported(tree.peek(test_file), known):
                weights[path] += 1.0
    return dict(weights)


def imported(source: str, known: set[str]) -> list[str]:
    """Files of the tree that a Python source imports."""
    found: dict[str, None] = {}
    for module, names, plain in _IMPORT.findall(source[:100_000]):
        modules = [part.strip().split(" ")[0] for part in plain.split(",")] if plain else [module]
        modules += [f"{module}.{name.strip(' ()')}" for name in names.split(",")] if names else []
        for path in (path for name in modules for path in _files_of(name)):
            if path in known:
                found[path] = None
    return list(found)


def _files_of(module: str) -> Iterable[str]:
    place = module.replace(".", "/")
    for root in ("", "src/", "lib/"):
        yield f"{root}{place}.py"
        yield f"{root}{place}/__init__.py"


def _ranked(outlines: Mapping[str, Outline], seeds: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """(file, name) -> rank: PageRank from the seeds over 'file uses a name that file defines'."""
    definers: dict[str, set[str]] = defaultdict(set)
    for path, outline in outlines.items():
        for symbol in outline.symbols:
            definers[symbol.name].add(path)
    edges: dict[str, list[tuple[str, str, float]]] = defaultdict(list)
    for path, outline in outlines.items():
        for name, count in Counter(outline.references).items():
            weight = math.sqrt(count) * _worth(name, len(definers[name])) if name in definers else 0.0
            edges[path] += [(other, name, weight) for other in sorted(definers.get(name, ())) if other != path]
    ranks = _pagerank(list(outlines), edges, seeds)
    shares: dict[tuple[str, str], float] = defaultdict(float)
    for path, links in edges.items():
        total = sum(weight for _, _, weight in links) or 1.0
        for other, name, weight in links:
            shares[other, name] += ranks[path] * weight / total
    for path in seeds:
        for symbol in outlines[path].symbols:
            shares[path, symbol.name] += ranks[path] / (1 + len(outlines[path].symbols))
    return shares


def _worth(name: str, definers: int) -> float:
    """How much a name says: long compound names much, private and common ones little."""
    worth = 10.0 if len(name) >= 8 and ("_" in name.strip("_") or name.lower() != name) else 1.0
    if name.startswith("_"):
        worth *= 0.1
    return worth * (0.1 if definers > _COMMON else 1.0)


def _pagerank(
    nodes: list[str], edges: Mapping[str, list[tuple[str, str, float]]], seeds: Mapping[str, float]
) -> dict[str, float]:
    total = sum(seeds.values())
    start = {node: (seeds.get(node, 0.0) / total if total else 1.0 / len(nodes)) for node in nodes}
    ranks = dict(start)
    for _ in range(_ROUNDS):
        idle = sum(ranks[node] for node in nodes if not edges.get(node))
        fresh = {node: (1 - _DAMPING + _DAMPING * idle) * start[node] for node in nodes}
        for node in nodes:
            links = edges.get(node, [])
            out = sum(weight for _, _, weight in links) or 1.0
            for other, _, weight in links:
                fresh[other] += _DAMPING * ranks[node] * weight / out
        ranks = fresh
    return ranks


def _rendered(outlines: Mapping[str, Outline], ranks: Mapping[tuple[str, str], float], limit: int) -> str:
    """As many of the highest ranks as fit, by file in order of its best definition."""
    ordered = sorted(ranks, key=lambda key: (-ranks[key], key))
    chosen: dict[str, set[str]] = {}
    size = 0
    for path, name in ordered:
        lines = [symbol for symbol in outlines[path].symbols if symbol.name == name]
        size += sum(len(symbol.signature) + 9 for symbol in lines) + (len(path) + 1 if path not in chosen else 0)
        if size > limit:
            break
        chosen.setdefault(path, set()).add(name)
    parts = []
    for path, names in chosen.items():
        parts.append(path)
        parts += [
            f"{symbol.line:>6}\t{symbol.signature}" for symbol in outlines[path].symbols if symbol.name in names
        ]
    return "\n".join(parts)
