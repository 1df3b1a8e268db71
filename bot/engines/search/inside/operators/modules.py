"""Modules as wholes: imports that go in a circle, `__all__`, names that a module should have."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Optional, Set, Tuple

from ..site import Change, Site, short
from ..source import FunctionNode, Source, enclosing_function, walked
from ..unit import Edit
from .imports import at_top
from .names import likeness

CIRCULAR = "partially initialized module"


def circular(site: Site) -> Iterator[Change]:
    """An import in a circle: it goes into the functions that need it, or only the module is imported."""
    stmt = site.stmt
    said = site.hints.of("ImportError", "AttributeError", CIRCULAR)
    if not isinstance(stmt, (ast.Import, ast.ImportFrom)) or not any(CIRCULAR in red.message for red in said):
        return
    if site.function is not None or not site.source.alone(stmt):
        return
    bound = {(alias.asname or alias.name).split(".")[0] for alias in stmt.names}
    uses = [n for n in walked(site.source.tree) if isinstance(n, ast.Name) and n.id in bound]
    what = "`%s`" % short(site.text(stmt))
    edits = _into_functions(site, uses)
    if edits:
        fault = "goes in a circle: it must wait until the function runs that needs it"
        yield Change(edits, 0.0, what, fault)
    if isinstance(stmt, ast.ImportFrom) and stmt.module and len(stmt.names) == 1 and not stmt.level:
        yield _whole_module(site, stmt, uses, what)


def _into_functions(site: Site, uses: List[ast.Name]) -> Tuple[Edit, ...]:
    """The import at the head of each outermost function that uses its names; nothing when other code does."""
    source, homes = site.source, []
    for use in uses:
        around = [a for a in source.ancestors(use) if isinstance(a, FunctionNode)]
        if not around:
            return ()
        if around[-1] not in homes:
            homes.append(around[-1])
    edits: List[Edit] = [(*source.lines_of(site.stmt), "")]
    for home in homes:
        first = home.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(home.body) > 1:
            first = home.body[1]
        if not source.alone(first):
            return ()
        start = source.lines_of(first)[0]
        edits.append((start, start, source.indent(first) + site.text(site.stmt) + source.newline * 2))
    return tuple(edits) if homes else ()


def _whole_module(site: Site, stmt: ast.ImportFrom, uses: List[ast.Name], what: str) -> Change:
    """`from a.b import c` becomes `import a.b`, and `c` becomes `a.b.c`."""
    name = stmt.names[0].name
    edits = site.swap(stmt, "import %s" % stmt.module)
    for use in uses:
        edits += site.swap(use, "%s.%s" % (stmt.module, name))
    return Change(edits, 0.5, what, "goes in a circle: the module must be imported, not what is in it")


def exported(site: Site) -> Iterator[Change]:
    """`__all__` names what the module does not have, or leaves out what it has."""
    stmt = site.stmt
    named = isinstance(stmt, ast.Assign) and [site.text(target) for target in stmt.targets] == ["__all__"]
    if not named or not isinstance(stmt, ast.Assign) or not isinstance(stmt.value, (ast.List, ast.Tuple)):
        return
    known = _bound(site.source)
    given = {n.value: n for n in stmt.value.elts if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    for old, node in given.items():
        if old in known:
            continue
        what = "`%s` in `__all__`" % old
        mark = site.text(node)[0]
        for distance, name in sorted((likeness(name, old), name) for name in known - set(given))[:3]:
            fault = "is not in the module; `%s` is meant" % name
            yield Change(site.swap(node, mark + name + mark), distance, what, fault)
        rest = ", ".join(site.text(other) for other in stmt.value.elts if other is not node)
        ends = site.text(stmt.value)[0], site.text(stmt.value)[-1]
        text = ends[0] + rest + ("," if ends[0] == "(" and len(given) == 2 else "") + ends[1]
        yield Change(site.swap(stmt.value, text), 0.8, what, "is not in the module")
    for name in sorted(known - set(given)):
        if not name.startswith("_") and given:
            last = list(given.values())[-1]
            end, mark = site.source.span(last)[1], site.text(last)[0]
            yield Change(((end, end, ", " + mark + name + mark),), 0.8, "`__all__`", "leaves out `%s`" % name)


def _bound(source: Source) -> Set[str]:
    """Names that functions, classes and assignments of the module itself bind."""
    found: Set[str] = set()
    for statement in source.tree.body:
        if isinstance(statement, (*FunctionNode, ast.ClassDef)):
            found.add(statement.name)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.ImportFrom)):
            found |= {n.id for n in walked(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            found |= {a.asname or a.name for a in getattr(statement, "names", [])}
    return found - {"__all__", "annotations"}


def not_provided(site: Site) -> Iterator[Change]:
    """For a whole module that others import a name from: it takes the name in, or has it under another name."""
    wanted = site.hints.found(r"cannot import name '(\w+)'") + site.hints.found(r"has no attribute '(\w+)'")
    own = _bound(site.source)
    for name in wanted:
        if name in own:
            continue
        for module in site.hints.definitions.get(name, []):
            if site.hints.modules.get(module) != site.source.path:
                line = "from %s import %s" % (module, name)
                yield Change(at_top(site, line), 0.0, "`%s`" % name, "is not passed on: `%s` is missing" % line)
        for distance, old in sorted((likeness(old, name), old) for old in own)[:3]:
            fault = "is called `%s` by those that use it" % name
            yield Change(_renamed(site.source, old, name), 0.3 + distance, "`%s`" % old, fault)


def _renamed(source: Source, old: str, new: str) -> Tuple[Edit, ...]:
    """Edits that give a top-level name another name, all over its file."""
    edits: List[Edit] = []
    for node in walked(source.tree):
        if isinstance(node, ast.Name) and node.id == old:
            edits.append((*source.span(node), new))
        elif (
            isinstance(node, (*FunctionNode, ast.ClassDef))
            and node.name == old
            and source.parents[node] is source.tree
        ):
            start = source.data.index(old.encode("utf-8"), source.span(node)[0])
            edits.append((start, start + len(old.encode("utf-8")), new))
    return tuple(edits)


def defined_late(site: Site) -> Iterator[Change]:
    """NameError at import: what is defined below moves up, in front of its use."""
    stmt, source = site.stmt, site.source
    missing = site.hints.found(r"name '(\w+)' is not defined")
    if source.parents.get(stmt) is not source.tree or not missing:
        return
    read = {n.id for n in walked(stmt) if isinstance(n, ast.Name)} & set(missing)
    homes = _definitions(source)
    for name in sorted(read):
        home = homes.get(name)
        if home is None or home.lineno < stmt.lineno or not source.alone(home) or _waits(source, stmt, name):
            continue
        start, end = source.lines_of(home)
        text = source.data[start:end].decode("utf-8")
        text += ("" if text.endswith(("\n", "\r")) else source.newline) + source.newline * 2
        at = source.lines_of(stmt)[0]
        fault = "is defined below its first use; it must stand above it"
        yield Change(((at, at, text), (start, end, "")), 0.0, "`%s`" % name, fault)


def _definitions(source: Source) -> Dict[str, ast.stmt]:
    found: Dict[str, ast.stmt] = {}
    for statement in source.tree.body:
        if isinstance(statement, (*FunctionNode, ast.ClassDef)):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    found[target.id] = statement
    return found


def _waits(source: Source, stmt: ast.stmt, name: str) -> bool:
    """True when only bodies of functions read the name: they run later."""
    uses = [n for n in walked(stmt) if isinstance(n, ast.Name) and n.id == name]
    homes: List[Optional[ast.AST]] = [enclosing_function(source, use) for use in uses]
    return all(home is not None for home in homes)
