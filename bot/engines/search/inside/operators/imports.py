"""Imports: one that is missing, that names the wrong module or a name that the module does not have."""

from __future__ import annotations

import ast
from typing import Iterator, List, Tuple

from ..site import Change, Site, short
from .known import STDLIB, WELL_KNOWN
from .names import likeness


def missing_import(site: Site) -> Iterator[Change]:
    """NameError: the import that is not there, from the project or the standard library."""
    missing = site.hints.found(r"name '(\w+)' is not defined")
    for node in site.of(ast.Name):
        assert isinstance(node, ast.Name)
        if node.id in missing and isinstance(node.ctx, ast.Load):
            for rank, line in enumerate(_imports(site, node.id)):
                fault = "is used without being imported: `%s` is missing" % line
                yield Change(_at_top(site, line), 0.3 * rank, "`%s`" % node.id, fault)


def _imports(site: Site, name: str) -> List[str]:
    lines = []
    for module in site.hints.definitions.get(name, []):
        if site.hints.modules.get(module) != site.source.path:
            lines.append("from %s import %s" % (module, name))
    if name in WELL_KNOWN:
        lines.append("from %s import %s" % (WELL_KNOWN[name], name))
    if name in STDLIB:
        lines.append("import %s" % name)
    for module in site.hints.modules:
        if module.split(".")[-1] == name:
            package = module.rpartition(".")[0]
            lines.append("from %s import %s" % (package, name) if package else "import %s" % name)
    return lines


def _at_top(site: Site, line: str) -> Tuple[Tuple[int, int, str], ...]:
    """In front of the first import that is no future import; else behind the docstring."""
    source = site.source
    for statement in source.tree.body:
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not docstring and not future:
            start = source.lines_of(statement)[0]
            gap = "" if isinstance(statement, (ast.Import, ast.ImportFrom)) else source.newline * 2
            return ((start, start, line + source.newline + gap),)
    return ((len(source.data), len(source.data), source.newline + line + source.newline),)


def wrong_import(site: Site) -> Iterator[Change]:
    """ImportError: the nearest name that the module has, or the module that has the name."""
    stmt, hints = site.stmt, site.hints
    if isinstance(stmt, ast.ImportFrom):
        names = hints.found(r"cannot import name '(\w+)'")
        for alias in stmt.names:
            if alias.name in names:
                yield from _imported(site, stmt, alias)
        yield from _module(site, stmt, stmt.module or "", hints.found(r"No module named '([\w.]+)'"))
    elif isinstance(stmt, ast.Import):
        for alias in stmt.names:
            yield from _module(site, stmt, alias.name, hints.found(r"No module named '([\w.]+)'"))


def _imported(site: Site, stmt: ast.ImportFrom, alias: ast.alias) -> Iterator[Change]:
    hints, text = site.hints, site.text(stmt)
    what = "`%s`" % short(text)
    for module in hints.definitions.get(alias.name, []):
        new = "from %s import %s" % (module, alias.name) + (" as " + alias.asname if alias.asname else "")
        if len(stmt.names) == 1:
            yield Change(
                site.swap(stmt, new), 0.0, what, "imports from the wrong module: `%s` defines the name" % module
            )
    ranked = sorted((likeness(name, alias.name), name) for name in hints.definitions if name != alias.name)
    for distance, name in ranked[:5]:
        alone = len(stmt.names) == 1
        new_name = name if alias.asname else "%s as %s" % (name, alias.name)
        for rank, spelled in enumerate((new_name, name)):
            new = (
                text.replace("import " + alias.name, "import " + spelled, 1)
                if alone
                else text.replace(alias.name, spelled)
            )
            fault = "imports a name that does not exist; `%s` is meant" % name
            yield Change(site.swap(stmt, new), distance + 0.1 * rank, what, fault)


def _module(site: Site, stmt: ast.stmt, module: str, missing: List[str]) -> Iterator[Change]:
    if not module or module not in missing:
        return
    known = list(site.hints.modules) + sorted(STDLIB)
    ranked = sorted((likeness(name, module), name) for name in known if name != module)
    for distance, name in ranked[:6]:
        new = site.text(stmt).replace(module, name, 1)
        fault = "imports a module that does not exist; `%s` is meant" % name
        yield Change(site.swap(stmt, new), distance, "`%s`" % short(site.text(stmt)), fault)
