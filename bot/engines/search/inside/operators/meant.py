"""Which module is meant by the name of one that does not exist: spelled nearly so, and with what is read from it."""

from __future__ import annotations

import ast
import importlib
import os
import sys
import sysconfig
from typing import Dict, List, Set, Tuple

from ..site import Site
from ..source import walked
from .known import STDLIB
from .names import likeness

OLD: Dict[str, str] = {
    "StringIO": "io", "cStringIO": "io", "cPickle": "pickle", "urlparse": "urllib.parse", "repr": "reprlib",
    "urllib2": "urllib.request", "HTMLParser": "html.parser", "httplib": "http.client", "Cookie": "http.cookies",
    "htmlentitydefs": "html.entities", "cookielib": "http.cookiejar", "__builtin__": "builtins",
    "copy_reg": "copyreg", "UserDict": "collections", "mock": "unittest.mock", "Tkinter": "tkinter",
    "SocketServer": "socketserver",
}  # fmt: skip
"""What modules were called in Python 2 or before they came into the standard library."""
_LOUD = {"antigravity", "this"}
"""Modules that do something when they are imported."""
_LONG = 8
"""From so many letters on, two of them may be wrong."""
_SHORT = 4
"""With fewer letters each other one makes another word."""


def is_near(one: str, two: str) -> bool:
    """True for a slip of the hand or of memory: a letter or two, neighbours exchanged, case, underscores."""
    one, two = one.lower().replace("_", ""), two.lower().replace("_", "")
    shorter = min(len(one), len(two))
    most = 2 if shorter >= _LONG else 1
    if one == two or abs(len(one) - len(two)) > most:
        return one == two
    return slips(one, two) <= most and (shorter >= _SHORT or sorted(one) == sorted(two))


def slips(one: str, two: str) -> int:
    """How many letters are added, left out, replaced or exchanged with their neighbours."""
    above: List[int] = []
    row = list(range(len(two) + 1))
    for at, letter in enumerate(one, 1):
        before, above, row = above, row, [at]
        for to, other in enumerate(two, 1):
            cost = min(above[to] + 1, row[to - 1] + 1, above[to - 1] + (letter != other))
            if at > 1 and to > 1 and letter == two[to - 2] and other == one[at - 2]:
                cost = min(cost, before[to - 2] + 1)
            row.append(cost)
    return row[-1]


def meant(site: Site, module: str) -> List[Tuple[float, str]]:
    """Modules that may be meant by this one, the likeliest first."""
    wanted = _read(site, module)
    last = module.rsplit(".", maxsplit=1)[-1]
    ranked: Dict[str, float] = {}
    for name in _libraries():
        if (is_near(name, module) or name == OLD.get(module)) and _has(name, wanted):
            ranked[name] = likeness(name, module)
    for name in site.hints.modules:
        known = {one for one in wanted if _defines(site, name, one)}
        if name.split(".")[-1] == last:
            ranked[name] = 0.0
        elif is_near(name, module) or (known and known == wanted):
            ranked[name] = likeness(name, module)
    ranked.pop(module, None)
    return sorted((distance, name) for name, distance in ranked.items())


def _read(site: Site, module: str) -> Set[str]:
    """What the file takes from the module: names that are imported, attributes that are read."""
    stmt, found = site.stmt, set()
    if isinstance(stmt, ast.ImportFrom):
        return {alias.name for alias in stmt.names} - {"*"}
    bound = {alias.asname or alias.name for alias in getattr(stmt, "names", []) if alias.name == module}
    for node in walked(site.source.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in bound:
            found.add(node.attr)
    return found


def _libraries() -> Set[str]:
    """Modules of the standard library and of installed packages at the top, and all that are loaded by now."""
    try:
        installed = os.listdir(sysconfig.get_path("purelib"))
    except OSError:
        installed = []
    packages = {name.split(".")[0] for name in installed}
    known = packages | set(sys.modules) | set(STDLIB) | set(OLD.values())
    return {name for name in known if name.replace(".", "").isidentifier()} - _LOUD


def _has(name: str, wanted: Set[str]) -> bool:
    """True when a library can be imported and has all of this."""
    try:
        module = importlib.import_module(name)
    except Exception:  # whatever a module raises that cannot be imported here
        return False
    return all(hasattr(module, one) or name + "." + one in sys.modules for one in wanted)


def _defines(site: Site, module: str, name: str) -> bool:
    return module in site.hints.definitions.get(name, []) or module + "." + name in site.hints.modules
