"""Errors that name their own cure: unknown names, attributes, imports, arguments. These go first."""

from __future__ import annotations

import ast
import builtins
import sys
from typing import Dict, Iterator, List, Tuple

from ..hints import Hints
from ..site import Change, Site, short
from ..source import FunctionNode
from . import returns
from .names import likeness

WELL_KNOWN: Dict[str, str] = {
    "Path": "pathlib",
    "PurePath": "pathlib",
    "defaultdict": "collections",
    "Counter": "collections",
    "OrderedDict": "collections",
    "deque": "collections",
    "namedtuple": "collections",
    "dataclass": "dataclasses",
    "field": "dataclasses",
    "datetime": "datetime",
    "timedelta": "datetime",
    "timezone": "datetime",
    "date": "datetime",
    "Decimal": "decimal",
    "Fraction": "fractions",
    "partial": "functools",
    "reduce": "functools",
    "wraps": "functools",
    "lru_cache": "functools",
    "chain": "itertools",
    "groupby": "itertools",
    "product": "itertools",
    "combinations": "itertools",
    "permutations": "itertools",
    "sqrt": "math",
    "ceil": "math",
    "floor": "math",
    "StringIO": "io",
    "BytesIO": "io",
    "Enum": "enum",
    "ABC": "abc",
    "abstractmethod": "abc",
    "contextmanager": "contextlib",
    "suppress": "contextlib",
    "Optional": "typing",
    "List": "typing",
    "Dict": "typing",
    "Any": "typing",
    "Iterable": "collections.abc",
    "Mapping": "collections.abc",
    "itemgetter": "operator",
    "attrgetter": "operator",
    "deepcopy": "copy",
    "dedent": "textwrap",
    "urlparse": "urllib.parse",
    "quote": "urllib.parse",
    "urlencode": "urllib.parse",
}
_FALLBACK = (
    "os",
    "sys",
    "re",
    "math",
    "json",
    "time",
    "random",
    "itertools",
    "functools",
    "collections",
    "copy",
    "string",
)
STDLIB = frozenset(getattr(sys, "stdlib_module_names", _FALLBACK))


def _hints(site: Site) -> Hints:
    return site.hints


def unknown_name(site: Site) -> Iterator[Change]:
    """NameError: the nearest name in scope, the attribute of that name, a builtin."""
    missing = _hints(site).found(r"name '(\w+)' is not defined") + _hints(site).found(r"variable '(\w+)'")
    for node in site.of(ast.Name):
        assert isinstance(node, ast.Name)
        if node.id not in missing:
            continue
        what = "`%s`" % node.id
        if site.klass is not None and node.id in site.attributes():
            yield Change(site.swap(node, "self." + node.id), 0.0, what, "lacks `self.` in front")
        ranked = sorted(
            (likeness(name, node.id), name) for name in list(site.scope) + dir(builtins) if name != node.id
        )
        for distance, name in ranked[:8]:
            yield Change(site.swap(node, name), distance, what, "is not defined there; `%s` is meant" % name)


def unknown_attribute(site: Site) -> Iterator[Change]:
    """AttributeError: the nearest attribute that the project or a known type has."""
    missing = _hints(site).found(r"has no attribute '(\w+)'")
    if not missing:
        return
    known = _hints(site).found(r"Did you mean: '(\w+)'") + site.attributes() + _attributes(site)
    for node in site.of(ast.Attribute):
        assert isinstance(node, ast.Attribute)
        if node.attr in missing:
            for distance, name in sorted((likeness(name, node.attr), name) for name in dict.fromkeys(known))[:10]:
                if name != node.attr:
                    edits = site.swap(node, "%s.%s" % (site.text(node.value), name))
                    fault = "asks for an attribute that does not exist; `%s` is meant" % name
                    yield Change(edits, distance, "`%s`" % short(site.text(node)), fault)


def _attributes(site: Site) -> List[str]:
    used = [node.attr for node in ast.walk(site.source.tree) if isinstance(node, ast.Attribute)]
    for kind in (str, list, dict, set, int, float, bytes):
        used += [name for name in dir(kind) if not name.startswith("_")]
    return used + list(_hints(site).definitions)


def missing_import(site: Site) -> Iterator[Change]:
    """NameError: the import that is not there, from the project or the standard library."""
    missing = _hints(site).found(r"name '(\w+)' is not defined")
    for node in site.of(ast.Name):
        assert isinstance(node, ast.Name)
        if node.id in missing and isinstance(node.ctx, ast.Load):
            for rank, line in enumerate(_imports(site, node.id)):
                fault = "is used without being imported: `%s` is missing" % line
                yield Change(_at_top(site, line), 0.3 * rank, "`%s`" % node.id, fault)


def _imports(site: Site, name: str) -> List[str]:
    lines = []
    for module in _hints(site).definitions.get(name, []):
        if _hints(site).modules.get(module) != site.source.path:
            lines.append("from %s import %s" % (module, name))
    if name in WELL_KNOWN:
        lines.append("from %s import %s" % (WELL_KNOWN[name], name))
    if name in STDLIB:
        lines.append("import %s" % name)
    for module in _hints(site).modules:
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
    stmt, hints = site.stmt, _hints(site)
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
    hints, text = _hints(site), site.text(stmt)
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
    known = list(_hints(site).modules) + sorted(STDLIB)
    ranked = sorted((likeness(name, module), name) for name in known if name != module)
    for distance, name in ranked[:6]:
        new = site.text(stmt).replace(module, name, 1)
        fault = "imports a module that does not exist; `%s` is meant" % name
        yield Change(site.swap(stmt, new), distance, "`%s`" % short(site.text(stmt)), fault)


def wrong_keyword(site: Site) -> Iterator[Change]:
    """TypeError: an unexpected keyword, to be spelled as the parameter is, or left out."""
    unexpected = _hints(site).found(r"unexpected keyword argument '(\w+)'")
    if not unexpected:
        return
    parameters = [a.arg for f in ast.walk(site.source.tree) if isinstance(f, FunctionNode) for a in f.args.args]
    for node in site.of(ast.keyword):
        assert isinstance(node, ast.keyword)
        if node.arg in unexpected:
            value = site.text(node.value)
            what = "`%s=%s`" % (node.arg, short(value))
            start = site.source.span(node.value)[0] - len(node.arg) - 1
            for distance, name in sorted((likeness(name, node.arg), name) for name in set(parameters))[:5]:
                edits = ((start, start + len(node.arg), name),)
                yield Change(edits, distance, what, "passes a keyword that is called `%s`" % name)


def mixed_text(site: Site) -> Iterator[Change]:
    """TypeError between text and numbers: convert the one or the other."""
    if not list(
        _hints(site).of("can only concatenate", "unsupported operand", "must be str", "not supported between")
    ):
        return
    for node in site.of(ast.BinOp, ast.Compare):
        sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (getattr(node, "left"),)  # noqa: B009
        if isinstance(node, ast.Compare):
            sides = (node.left, node.comparators[0])
        for rank, side in enumerate(reversed(sides)):
            for more, name in enumerate(("str", "int", "float")):
                edits = site.swap(side, "%s(%s)" % (name, site.text(side)))
                fault = "mixes types; `%s` must go through `%s`" % (short(site.text(side)), name)
                yield Change(edits, 0.2 * rank + 0.3 * more, "`%s`" % short(site.text(node)), fault)


def unbound(site: Site) -> Iterator[Change]:
    """UnboundLocalError: a first value at the start of the function, or the global that is meant."""
    missing = _hints(site).found(r"local variable '(\w+)'")
    function = site.function
    if function is None or not missing or not site.source.alone(site.stmt):
        return
    body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if not body or site.stmt is not body[0]:
        return
    for name in missing:
        for rank, value in enumerate(("0", "None", "[]", '""', "{}", "False")):
            fault = "uses `%s` before it has a value" % name
            edits = site.insert_before("%s = %s" % (name, value))
            yield Change(edits, 0.1 * rank, "`%s`" % function.name, fault)
        for rank, word in enumerate(("global", "nonlocal")):
            fault = "assigns `%s` as a local variable; the outer one is meant" % name
            edits = site.insert_before("%s %s" % (word, name))
            yield Change(edits, -0.1 + 0.1 * rank, "`%s`" % function.name, fault)


def unreturned(site: Site) -> Iterator[Change]:
    """Something is `None` that should not be: reserved for sites whose function ends without a value."""
    if list(_hints(site).of("NoneType", "None")):
        yield from returns.missing(site)
