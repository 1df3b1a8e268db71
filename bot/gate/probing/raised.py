"""Errors that came, and those that the code before a patch raises by itself."""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.gate.layer import Case
from bot.gate.source.paths import parse
from bot.gate.targets.compare import short


def error_of(result: Any) -> str:
    return short(result[0][1][0]) if result[0][0] == "raised" else ""


@dataclass(frozen=True)
class Raised:
    """What files raise by themselves, before the patch."""

    names: frozenset[str]
    texts: frozenset[str]
    """Those that stand in a `raise` as they are."""
    patterns: Mapping[str, Sequence[re.Pattern[str]]]
    """Of built-in exceptions: what each `raise` may say."""

    @classmethod
    def of(cls, case: Case, paths: Collection[str]) -> Raised:
        trees = [tree for path in sorted(paths) if path in case.tree and (tree := parse(case.tree[path].data))]
        raised = [node.exc for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc]
        patterns: dict[str, list[re.Pattern[str]]] = defaultdict(list)
        for node in raised:
            patterns[_class_of(node)].append(re.compile(_pattern(node), re.DOTALL))
        arguments = [one for node in raised if isinstance(node, ast.Call) for one in node.args]
        texts = {one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)}
        return cls(frozenset(patterns), frozenset(texts), patterns)

    def made(self, result: Any) -> bool:
        """Whether an error may come from these files, and not from `int("-")` or `max([])` in them."""
        error = error_of(result)
        if error not in self.names:
            return False
        if error == "KeyError" or not hasattr(builtins, error):  # what these say is not what they are given
            return True
        return any(one.fullmatch(str(result[0][2])) for one in self.patterns[error])


def _class_of(raised: ast.expr) -> str:
    return ast.unparse(raised.func if isinstance(raised, ast.Call) else raised).rpartition(".")[2]


def _pattern(raised: ast.expr) -> str:
    """What such an error says; anything where it is put together in a way that is not seen."""
    argument = raised.args[0] if isinstance(raised, ast.Call) and len(raised.args) == 1 else None
    parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
    return "".join(
        re.escape(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else ".*"
        for part in parts
    )
