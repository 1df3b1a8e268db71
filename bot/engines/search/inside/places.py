"""From suspicious lines to sites: the statements that red tests run, and the module-level ones that these read."""

from __future__ import annotations

import ast
import contextlib
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Set

from .hints import Hints
from .site import Site
from .source import Function, FunctionNode, Source, walked
from .suspects import Suspicion
from .table import Table, table_of
from .unit import units_of

IMPORT_TIME = 0.6
"""Weight of a module-level statement beside the suspicious line that reads its name."""
FAR = 0.05
SHOWN = 0.6
PUSHED = 0.5
"""Of a module-level statement that the push brought, whoever reads it."""


class Place(NamedTuple):
    """A site and how suspicious it is."""

    site: Site
    score: float


class Survey:
    """Parses files on demand and lists places, for files that the red tests touch."""

    def __init__(self, files: Dict[str, bytes], hints: Hints) -> None:
        self._files = files
        self._hints = hints
        self._sources: Dict[str, Optional[Source]] = {}

    def source(self, path: str) -> Optional[Source]:
        """The parsed file; None when it does not parse or is not ours to edit."""
        if path not in self._sources:
            self._sources[path] = None
            if path in self._files:
                with contextlib.suppress(SyntaxError, ValueError, RecursionError):
                    self._sources[path] = Source(path, self._files[path])
        return self._sources[path]

    def trees(self, paths: Iterable[str]) -> Dict[str, ast.Module]:
        """Those of the files that parse."""
        sources = ((path, self.source(path)) for path in sorted(paths))
        return {path: source.tree for path, source in sources if source is not None}

    def executed(self, suspicion: Suspicion) -> List[Place]:
        """Statements in functions that a red test ran."""
        places: List[Place] = []
        for path in suspicion.paths():
            source = self.source(path)
            if source is None:
                continue
            lines = suspicion.lines(path)
            for site in self.sites(source):
                score = max((lines.get(n, 0.0) for n in range(site.first, site.last + 1)), default=0.0)
                if site.function is not None and score > 0.0:
                    places.append(Place(site, score))
        return places

    def imported(self, suspicion: Suspicion, extra: Set[str]) -> List[Place]:
        """Headers and module-level statements: what only an import can try."""
        places: List[Place] = []
        elsewhere = self._read_elsewhere(suspicion)
        for path in list(dict.fromkeys([*suspicion.paths(), *sorted(extra), *elsewhere])):
            source = self.source(path)
            if source is None:
                continue
            lines = suspicion.lines(path)
            read = {**_names_read(source, lines), **elsewhere.get(path, {})}
            for site in self.sites(source):
                if site.function is None:
                    score = max(_import_score(site, lines, read), self._came_with_the_push(site), self._shown(site))
                    places.append(Place(site, max(score, 0.5 if path in extra else 0.0)))
        return places

    def _read_elsewhere(self, suspicion: Suspicion) -> Dict[str, Dict[str, float]]:
        """Files -> names that suspicious lines of others import from them, and how suspicious these are."""
        found: Dict[str, Dict[str, float]] = {}
        for path in suspicion.paths():
            source = self.source(path)
            read = _names_read(source, suspicion.lines(path)) if source is not None else {}
            for stmt in source.tree.body if source is not None else ():
                for alias in stmt.names if isinstance(stmt, ast.ImportFrom) else ():
                    score = read.get(alias.asname or alias.name, 0.0)
                    for module in self._hints.definitions.get(alias.name, ()) if score else ():
                        other = self._hints.modules.get(module, "")
                        if other in self._files:
                            found.setdefault(other, {})[alias.name] = score
        return found

    def _shown(self, site: Site) -> float:
        """Of a line in a class's body, where a failed assertion shows objects of the class: `A(x=1) != A(x=2)`."""
        field = isinstance(site.stmt, (ast.Assign, ast.AnnAssign)) and site.klass is not None
        shown = field and site.klass is not None and site.klass.name + "(" in self._hints.asserted()
        return SHOWN if shown else 0.0

    def _came_with_the_push(self, site: Site) -> float:
        lines = self._hints.changed.get(site.source.path, ())
        return PUSHED if any(site.first <= line <= site.last for line in lines) else 0.0

    def tables(self, suspicion: Suspicion) -> List[Place]:
        """Of the module-level statements, values that suspicious lines read by name."""
        places = self.imported(suspicion, set())
        return [place for place in places if isinstance(place.site.unit, Table) and place.score > FAR]

    def named(self, suspicion: Suspicion) -> List[str]:
        """The functions looked at, most suspicious first, as `name (path:line)`."""
        ranked: Dict[str, float] = {}
        for place in self.executed(suspicion):
            function, source = place.site.function, place.site.source
            if function is not None:
                name = "%s (%s:%d)" % (qualified(source, function), source.path, function.lineno)
                ranked[name] = max(ranked.get(name, 0.0), place.score)
        return sorted(ranked, key=lambda name: -ranked[name])

    def sites(self, source: Source) -> Iterator[Site]:
        """All statements of a file."""
        units = units_of(source)
        for node in walked(source.tree):
            if isinstance(node, ast.stmt):
                site = Site(source, node, None, self._hints)
                site.unit = units.get(site.function) if site.function is not None else table_of(source, node)
                yield site


def _names_read(source: Source, lines: Dict[int, float]) -> Dict[str, float]:
    """Names and attributes on executed lines -> the suspicion of the worst line that reads them."""
    read: Dict[str, float] = {}
    for node in walked(source.tree):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
        if name is not None:
            score = lines.get(getattr(node, "lineno", 0), 0.0)
            read[name] = max(read.get(name, 0.0), score)
    return read


def _import_score(site: Site, lines: Dict[int, float], read: Dict[str, float]) -> float:
    stmt = site.stmt
    if isinstance(stmt, FunctionNode):
        body = range(stmt.body[0].lineno, (stmt.end_lineno or stmt.lineno) + 1)
        return IMPORT_TIME * max((lines.get(line, 0.0) for line in body), default=0.0)
    bound = [n.id for n in walked(stmt) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return max([IMPORT_TIME * read.get(name, 0.0) for name in bound] + [FAR])


def qualified(source: Source, function: Function) -> str:
    outer = [a.name for a in source.ancestors(function) if isinstance(a, ast.ClassDef)][::-1]
    return ".".join([*outer, function.name])
