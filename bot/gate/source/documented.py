"""Entries of a table that the repository names in its prose: what is missing was asked for, tests or no tests."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from bot.gate.layer import Case
from bot.gate.outside import bare
from bot.gate.source.copied import extends_a_table
from bot.gate.source.paths import parse

LEAST = 4
"""Letters of a text that prose holds hardly by chance."""
_PROSE = (".md", ".rst", ".txt", ".adoc")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def adds_what_is_documented(case: Case) -> bool:
    """Whether all that a patch does is to add entries to tables, and docstrings or documents name each of them.

    As they stood before the patch, and outside the tests.
    """
    fresh = [entry for path in sorted(case.patch.files) for entry in _fresh(case, path)]
    if not fresh or not extends_a_table(case):
        return False
    prose = " ".join(_prose(case)).casefold()
    return all(any(_stands_in(text, prose) for text in _texts(entry)) for entry in fresh)


def _fresh(case: Case, path: str) -> Iterator[list[ast.expr]]:
    """Entries that the tables of a file have now and had not."""
    trees = [
        parse(tree[path].data) if path in tree and path.endswith(".py") else None for tree in (case.tree, case.after)
    ]
    before, after = ([*_entries(tree)] if tree else [] for tree in trees)
    known = Counter(map(_key, before))
    for entry in after:
        if known[_key(entry)]:
            known[_key(entry)] -= 1
        else:
            yield entry


def _entries(tree: ast.Module) -> Iterator[list[ast.expr]]:
    inner = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict) and id(node) not in inner:
            pairs = [[key, value] for key, value in zip(node.keys, node.values, strict=True) if key is not None]
            inner |= {id(part) for pair in pairs for side in pair for part in ast.walk(side)}
            yield from pairs
        elif isinstance(node, ast.List | ast.Set | ast.Tuple) and id(node) not in inner:
            inner |= {id(part) for item in node.elts for part in ast.walk(item)}
            yield from ([item] for item in node.elts)


def _key(entry: list[ast.expr]) -> str:
    return " ".join(map(ast.dump, entry))


def _texts(entry: list[ast.expr]) -> list[str]:
    nodes = (node for side in entry for node in ast.walk(side) if isinstance(node, ast.Constant))
    return [node.value for node in nodes if isinstance(node.value, str)]


def _stands_in(text: str, prose: str) -> bool:
    plain = text.strip().casefold()
    return len(plain) >= LEAST and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", prose) is not None


def _prose(case: Case) -> Iterator[str]:
    for path, file in bare(case.tree, case.before.test_files).items():
        if path.endswith(_PROSE):
            yield file.data.decode("utf-8", "replace")
        module = parse(file.data) if path.endswith(".py") else None
        for node in ast.walk(module) if module else ():
            if isinstance(node, _DOCUMENTED):
                yield " ".join((ast.get_docstring(node) or "").split())
