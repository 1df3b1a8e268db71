"""Whether an edit looks like what people write: signs in the file before and after it."""

from __future__ import annotations

import ast
import builtins
import functools
import re
from collections import Counter
from typing import Dict, Iterator, List, NamedTuple, Set, Tuple

from .frontier import Candidate
from .site import Site, arguments_of
from .source import Function, FunctionNode, paired, walked
from .unit import spliced

WEIGHTS: Dict[str, float] = {
    "orphans": 2.0,
    "adopts": -0.9,
    "loses": 0.35,
    "invents": 0.8,
    "spoken": -0.3,
    "echoes": -0.6,
    "texts": 1.5,
    "late": 1.3,
    "overwrites": 1.5,
    "folds": -0.4,
}
"""Nats for one of each sign, from what told right from wrong survivors in small faults with hidden tests."""
MOST = 2
"""More of the same sign says no more."""

MEASURES = ("len", "sum", "min", "max", "sorted", "set", "list", "tuple", "any", "all", "enumerate", "reversed")
"""What asks for the items of a thing."""
LOOPS = (ast.For, ast.AsyncFor, ast.While)
PHRASES = (ast.Call, ast.Compare, ast.BinOp, ast.BoolOp, ast.Subscript)
_COMMON = {repr(value) for value in (0, 1, -1, 2, "", " ", None, True, False)}
_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]+")


class Reading(NamedTuple):
    """What a file mentions."""

    mentions: "Counter[str]"
    """Names and attributes -> how often they are read."""
    unread: Set[Tuple[str, str]]
    """(function, name) for arguments and variables that nothing reads, ("", name) for imports."""
    literals: "Counter[str]"
    phrases: "Counter[str]"
    """Calls, comparisons, sums and entries, word for word."""
    texts: int = 0
    """How often the text of a thing is asked for items: `len(str(x))`, `a in str(b)`."""
    late: int = 0
    """Arguments that are made ready, as in `x = list(x)`, after they were used as they came."""
    overwrites: int = 0
    """Variables that a loop counts on, and sets anew in each round all the same."""
    folds: int = 0
    """`x = x + …`: what is built up stands in front, as people write it."""


@functools.lru_cache(maxsize=64)
def reading(data: bytes) -> Reading:
    """Raises SyntaxError or ValueError."""
    tree = ast.parse(data)
    mentions: "Counter[str]" = Counter()
    literals: "Counter[str]" = Counter()
    phrases: "Counter[str]" = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            mentions[node.id] += 1
        elif isinstance(node, ast.Attribute):
            mentions[node.attr] += 1
        elif isinstance(node, ast.Constant):
            literals[repr(node.value)] += 1
        if isinstance(node, PHRASES) and not _asks_a_builtin(node):
            phrases[ast.dump(node)] += 1
    texts = sum(_is_text(part) for node in ast.walk(tree) for part in _asked_for_items(node))
    late = sum(_late(node) for node in ast.walk(tree) if isinstance(node, FunctionNode))
    overwrites = sum(_overwritten(node) for node in ast.walk(tree) if isinstance(node, LOOPS))
    folds = sum(_folds(node) for node in ast.walk(tree))
    return Reading(mentions, set(_unread(tree, mentions)), literals, phrases, texts, late, overwrites, folds)


def _overwritten(loop: ast.stmt) -> int:
    """Of what the loop counts on, somewhere in it, how much its own block sets to something else in every round."""
    counted = {
        node.target.id
        for node in ast.walk(loop)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
    anew = [stmt for stmt in getattr(loop, "body", ()) if isinstance(stmt, ast.Assign)]
    return len({name.id for stmt in anew for name in stmt.targets if isinstance(name, ast.Name)} & counted)


def _folds(node: ast.AST) -> bool:
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.BinOp):
        return False
    left, target = node.value.left, node.targets[0]
    return isinstance(left, ast.Name) and isinstance(target, ast.Name) and left.id == target.id


def _late(function: Function) -> int:
    """Statements of the function's own block alone: under a condition there is a reason to wait."""
    given, found = set(arguments_of(function)), 0
    read: Set[str] = set()
    for stmt in function.body:
        names = {node.id for node in ast.walk(stmt) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        if isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Call):
            targets = {target.id for target in stmt.targets if isinstance(target, ast.Name)}
            found += len(targets & names & given & read)
        read |= names
    return found


def _asked_for_items(node: ast.AST) -> List[ast.expr]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MEASURES:
        return node.args[:1]
    if isinstance(node, ast.Compare):
        return [right for op, right in paired(node.ops, node.comparators) if isinstance(op, (ast.In, ast.NotIn))]
    return []


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr")


def _asks_a_builtin(node: ast.AST) -> bool:
    """`len(x)` stands everywhere, and is nothing that a project has a way of saying."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id)


def _unread(tree: ast.Module, mentions: "Counter[str]") -> Iterator[Tuple[str, str]]:
    for statement in tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names = [(alias.asname or alias.name).split(".")[0] for alias in statement.names]
            yield from (("", name) for name in names if not mentions[name])
    for function in ast.walk(tree):
        if isinstance(function, FunctionNode) and not _is_stub(function.body):
            inside = list(ast.walk(function))
            names_in = [node for node in inside if isinstance(node, ast.Name)]
            read = {node.id for node in names_in if isinstance(node.ctx, ast.Load)}
            bound = {node.id for node in names_in if isinstance(node.ctx, ast.Store)} | set(arguments_of(function))
            free = {name for node in inside if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
            yield from ((function.name, name) for name in bound - read - free if not name.startswith("_"))


def _is_stub(body: List[ast.stmt]) -> bool:
    """A body that does nothing needs no argument."""
    return all(isinstance(stmt, (ast.Pass, ast.Raise)) or _is_bare(stmt) for stmt in body)


def _is_bare(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)


def signs(candidate: Candidate) -> Dict[str, float]:
    """How often each sign is seen; nothing for a file that does not parse.

    orphans: arguments, variables and imports that nothing reads any more; adopts: such that nothing read before;
    loses: mentions of names that go and are not replaced; invents: literals that are new to the file and replace
    none; spoken: new names that the docstring, the messages or the name of the function speak of; echoes: the edit
    says what the file says elsewhere, word for word; texts: the text of a thing is asked in the thing's place;
    late: an argument is made ready after it was used; overwrites: a loop sets anew what it counts on; folds: what is
    built up stands in front of what comes to it.
    """
    found = dict.fromkeys(WEIGHTS, 0.0)
    for path, edits in candidate.files().items():
        part = next(part for part in candidate.parts if part.path == path)
        data = part.site.source.data
        try:
            before, after = reading(data), reading(spliced(data, edits))
        except (SyntaxError, ValueError, RecursionError):
            continue
        gained, lost = after.mentions - before.mentions, before.mentions - after.mentions
        found["orphans"] += len(after.unread - before.unread)
        found["adopts"] += len(before.unread - after.unread)
        found["loses"] += max(0, sum(lost.values()) - sum(gained.values()))
        found["invents"] += _invented(before.literals, after.literals)
        found["echoes"] = max(found["echoes"], float(_echoes(before.phrases, after.phrases)))
        found["texts"] += max(0, after.texts - before.texts)
        found["late"] += max(0, after.late - before.late)
        found["overwrites"] += max(0, after.overwrites - before.overwrites)
        found["folds"] += max(0, after.folds - before.folds)
        found["spoken"] += len({word for name in gained for word in _words(name)} & _said(part.site))
    return found


def _invented(before: "Counter[str]", after: "Counter[str]") -> int:
    new = [literal for literal in after if literal not in before and literal not in _COMMON]
    replaced = sum((before - after).values())
    return max(0, len(new) - replaced)


def _echoes(before: "Counter[str]", after: "Counter[str]") -> bool:
    return any(before[phrase] for phrase in after - before)


def _said(site: Site) -> Set[str]:
    """Words of the function's name, its docstring and its messages."""
    if site.function is None:
        return set()
    texts = [site.function.name]
    for node in walked(site.function):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append(node.value)
    return {word for text in texts for word in _words(text)}


def _words(text: str) -> Set[str]:
    return {word.lower() for word in _WORD.findall(text) if len(word) > 2}


def unnaturalness(found: Dict[str, float]) -> float:
    """Nats to add to the cost: below zero for a change that looks like a person's."""
    return sum(WEIGHTS[name] * min(count, MOST) for name, count in found.items())
