"""Imports: one that is missing, or that names a module or a name that does not exist."""

from __future__ import annotations

import ast
import sys
from typing import Iterator, List, Tuple

from ..site import Change, Site, short
from ..source import walked
from ..unit import Edit
from .known import STDLIB, WELL_KNOWN
from .meant import meant
from .names import likeness, names_of


def missing_import(site: Site) -> Iterator[Change]:
    """NameError: the import that is not there, from the project or the standard library."""
    missing = site.hints.found(r"name '(\w+)' is not defined")
    for node in names_of(site):
        if node.id in missing and isinstance(node.ctx, ast.Load):
            for rank, line in enumerate(_imports(site, node.id)):
                fault = "is used without being imported: `%s` is missing" % line
                yield Change(at_top(site, line), 0.3 * rank, "`%s`" % node.id, fault)


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


def at_top(site: Site, line: str) -> Tuple[Edit, ...]:
    """In front of the first import that is no future import; else behind the docstring."""
    source = site.source
    for statement in source.tree.body:
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not docstring and not future:
            start = source.lines_of(statement)[0]
            gap = "" if isinstance(statement, (ast.Import, ast.ImportFrom)) else source.newline * 2
            return ((start, start, line + source.newline + gap),)
    lead = source.newline if source.data else ""
    return ((len(source.data), len(source.data), lead + line + source.newline),)


def wrong_import(site: Site) -> Iterator[Change]:
    """ImportError: the nearest name that the module has, or the module that has the name."""
    stmt, hints = site.stmt, site.hints
    if isinstance(stmt, ast.ImportFrom):
        names = hints.found(r"cannot import name '(\w+)'")
        for alias in stmt.names:
            if alias.name in names:
                yield from _elsewhere(site, stmt, alias)
                yield from _respelt(site, stmt, alias)
        yield from _module(site, stmt.module or "", hints.found(r"No module named '([\w.]+)'"))
    elif isinstance(stmt, ast.Import):
        for one in stmt.names:
            missing = hints.found(r"No module named '([\w.]+)'")
            yield from _module(site, one.name, missing)
            yield from _renamed(site, one, missing)


def _elsewhere(site: Site, stmt: ast.ImportFrom, alias: ast.alias) -> Iterator[Change]:
    """The module that does have the name; the other names of the statement stay, where they are not there as well."""
    what = "`%s`" % short(site.text(stmt))
    homes = list(site.hints.definitions.get(alias.name, []))
    homes += [WELL_KNOWN[alias.name]] if alias.name in WELL_KNOWN else []
    for module in homes:
        own = site.hints.modules.get(module) == site.source.path
        if module == stmt.module or own:
            continue
        fault = "imports `%s` from the wrong module: `%s` defines the name" % (alias.name, module)
        rest = [one for one in stmt.names if one is not alias]
        if all(module in site.hints.definitions.get(one.name, []) for one in rest):
            new = "from %s import %s" % (module, ", ".join(_spelt(one) for one in stmt.names))
            yield Change(site.swap(stmt, new), 0.0, what, fault)
        if rest:
            lead = "." * stmt.level + (stmt.module or "")
            new = "from %s import %s" % (lead, ", ".join(_spelt(one) for one in rest))
            new += site.source.newline + site.source.indent(stmt) + "from %s import %s" % (module, _spelt(alias))
            yield Change(site.swap(stmt, new), 0.1, what, fault)


def _spelt(alias: ast.alias) -> str:
    return alias.name + (" as " + alias.asname if alias.asname else "")


def _respelt(site: Site, stmt: ast.ImportFrom, alias: ast.alias) -> Iterator[Change]:
    """A name of that module that is spelled most like it, under the old name, and where it is used."""
    what, others = "`%s`" % short(site.text(stmt)), ", ".join
    home = [name for name, homes in site.hints.definitions.items() if (stmt.module or "") in homes or stmt.level]
    library = sys.modules.get(stmt.module or "") if not stmt.level and not home else None
    known = (home or [n for n in dir(library) if n[0] != "_"]) if library or home else list(site.hints.definitions)
    for distance, name in sorted((likeness(name, alias.name), name) for name in known if name != alias.name)[:5]:
        fault = "imports a name that does not exist; `%s` is meant" % name
        lead = "from %s%s import " % ("." * stmt.level, stmt.module or "")
        aliased = name if alias.asname else "%s as %s" % (name, alias.name)
        forms = [others(one.name if one is not alias else new for one in stmt.names) for new in (name, aliased)]
        uses = () if alias.asname else _uses(site, alias.name, name)
        yield Change(site.swap(stmt, lead + forms[0]) + uses, distance, what, fault)
        yield Change(site.swap(stmt, lead + forms[1]), distance + 0.1, what, fault)
        yield Change(site.swap(stmt, lead + forms[0]), distance + 0.2, what, fault)


def _uses(site: Site, old: str, new: str) -> Tuple[Edit, ...]:
    """Edits that rename a variable all over the file."""
    nodes = [node for node in walked(site.source.tree) if isinstance(node, ast.Name) and node.id == old]
    return tuple(edit for node in nodes for edit in site.swap(node, new))


def _module(site: Site, module: str, missing: List[str]) -> Iterator[Change]:
    """`import a` for a module that is called otherwise, or that lies elsewhere in the project."""
    if not module or not any(module == name or module.startswith(name + ".") for name in missing):
        return
    text, what = site.text(site.stmt), "`%s`" % short(site.text(site.stmt))
    for distance, name in meant(site, module)[:6]:
        fault = "imports a module that does not exist; `%s` is meant" % name
        yield Change(site.swap(site.stmt, text.replace(module, name, 1)), distance, what, fault)


def _renamed(site: Site, alias: ast.alias, missing: List[str]) -> Iterator[Change]:
    """`import maths` becomes `import math`, with all that is read from it."""
    if alias.name not in missing or alias.asname or "." in alias.name:
        return
    for distance, name in meant(site, alias.name)[:3]:
        what, fault = "`%s`" % site.text(site.stmt), "imports a module that does not exist; `%s` is meant" % name
        plain = name.isidentifier()
        new = site.text(site.stmt).replace(alias.name, name if plain else "%s as %s" % (name, alias.name), 1)
        uses = _uses(site, alias.name, name) if plain else ()
        yield Change(site.swap(site.stmt, new) + uses, distance - 0.1, what, fault)


def relative(site: Site) -> Iterator[Change]:
    """Dots of a relative import: one too few or too many, or none where the module lies in the package."""
    stmt = site.stmt
    failed = site.hints.of("relative import", "No module named", "cannot import name")
    if not isinstance(stmt, ast.ImportFrom) or not any(True for _red in failed):
        return
    names = ", ".join(_spelt(alias) for alias in stmt.names)
    what = "`%s`" % short(site.text(stmt))
    for rank, level in enumerate((stmt.level - 1, stmt.level + 1, stmt.level + 2)):
        if level >= 0 and (level or stmt.module):
            new = "from %s%s import %s" % ("." * level, stmt.module or "", names)
            fault = "counts its dots wrongly: it should be `%s`" % short(new)
            yield Change(site.swap(stmt, new), 0.2 * rank, what, fault)
    for module in site.hints.modules:
        if stmt.module and stmt.level and (module == stmt.module or module.endswith("." + stmt.module)):
            new = "from %s import %s" % (module, names)
            yield Change(site.swap(stmt, new), 0.3, what, "does not lead to `%s`" % module)
