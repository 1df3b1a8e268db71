"""What must go through a function of a module: as the file calls it elsewhere, or as that module is used for."""

from __future__ import annotations

import ast
import functools
from typing import Dict, Iterator, Tuple

from ..site import Change, Site, short
from ..source import FunctionNode, Source, walked
from .calls import calls_of
from .wrapping import called_with_one, wrappable

USUAL: Dict[str, Tuple[str, ...]] = {
    "os": ("os.fspath", "os.path.normpath", "os.path.abspath", "os.path.expanduser", "os.path.basename"),
    "re": ("re.escape",),
    "html": ("html.escape", "html.unescape"),
    "shlex": ("shlex.quote",),
    "json": ("json.dumps", "json.loads"),
    "copy": ("copy.copy", "copy.deepcopy"),
    "textwrap": ("textwrap.dedent",),
    "math": ("math.sqrt", "math.ceil", "math.floor", "math.fabs"),
    "itertools": ("itertools.chain.from_iterable",),
    "inspect": ("inspect.unwrap", "inspect.cleandoc"),
    "posixpath": ("posixpath.normpath",),
    "unicodedata": (),
    "functools": ("functools.partial",),
}


def wrapped(site: Site) -> Iterator[Change]:
    """`x` becomes `re.escape(x)`, `os.path.expanduser(x)`: what the file calls, and what its modules have."""
    names = _called(site.source)
    for node in wrappable(site):
        text = site.text(node)
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)) or "\n" in text:
            continue
        for rank, name in enumerate(names):
            if not text.startswith(name + "(") and name != text:
                edits = site.swap(node, "%s(%s)" % (name, text))
                yield Change(edits, 0.08 * rank, "`%s`" % short(text), "does not go through `%s`" % name)


@functools.lru_cache(maxsize=100)
def _called(source: Source) -> Tuple[str, ...]:
    found: Dict[str, int] = {}
    modules = {
        alias.asname or alias.name
        for one in walked(source.tree)
        if isinstance(one, ast.Import)
        for alias in one.names
    }
    for node in walked(source.tree):
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            name = source.text(node.func)
            if name.split(".")[0] in modules and "\n" not in name and "(" not in name:
                found[name] = found.get(name, 0) - 1
    for module in sorted(modules):
        for name in USUAL.get(module, ()):
            found.setdefault(name, 0)
    return tuple(sorted(found, key=lambda name: found[name]))[:12]


BUILTINS = (
    "len",
    "str",
    "repr",
    "int",
    "float",
    "sorted",
    "list",
    "set",
    "dict",
    "open",
    "print",
    "type",
    "bool",
    "iter",
)


ANOTHER_THING = 0.9
"""More for a function that does not itself call what it would stand for: `mean(x)` is no better `len(x)`."""


def own(site: Site) -> Iterator[Change]:
    """`len(x)` becomes `width(x)`: a function of the project that does it better than what Python has built in."""
    functions = [one for one in site.source.tree.body if isinstance(one, FunctionNode) and one is not site.function]
    names = [one.name for one in functions if len(one.args.args) - len(one.args.defaults) == 1]
    names += [name for name in called_with_one(site.source) if name not in names][:8]
    for node in calls_of(site):
        if isinstance(node.func, ast.Name) and node.func.id in BUILTINS and len(node.args) == 1:
            better = {one.name for one in functions if _asks(one, node.func.id)}
            for rank, name in enumerate(names[:10]):
                fault = "does not go through `%s`" % name
                cost = 0.08 * rank + (0.0 if name in better else ANOTHER_THING)
                yield Change(site.swap(node.func, name), cost, "`%s`" % short(site.text(node)), fault)


def _asks(function: ast.AST, builtin: str) -> bool:
    """Whether it does what the builtin does, and more: it calls it."""
    calls = (node for node in walked(function) if isinstance(node, ast.Call))
    return any(isinstance(call.func, ast.Name) and call.func.id == builtin for call in calls)
