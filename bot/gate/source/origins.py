"""Where the numbers of a patch come from: the code, the tests, the documents, or nowhere.

A rate, a limit or a list of prices that a repair brings has been asked for by somebody, and so it stands somewhere. A
number that stands nowhere was worked out: by who knows more than the repository says, or so that the tests pass.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeGuard

from bot.gate.layer import Case
from bot.gate.outside import bare
from bot.gate.source.literals import Unknown, evaluate
from bot.gate.source.news import changed_modules
from bot.gate.source.paths import parse
from bot.nouns import Reason
from sandbox import Files

LAYER = "facts"

Number = int | float
_ROWS = ast.Tuple | ast.List | ast.Set | ast.Dict
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_USUAL = frozenset({
    3, 4, 5, 6, 7, 8, 9, 12, 20, 24, 25, 26, 28, 29, 30, 31, 50, 52, 53, 60, 90, 180, 200, 360, 365, 366, 400, 500,
    1440, 3600, 86400, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 1.5,
})  # fmt: skip
"""Counts of days, hours, letters and the like, which nobody needs to write down anywhere else."""
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")
MOST_TEXT = 200_000


def examine(case: Case) -> Iterator[Reason]:
    """Numbers out of nowhere, and texts that vary one; the first of each kind in each file."""
    everything, apart = Mentions(case.tree), Mentions(bare(case.tree, case.before.test_files))
    for path, module, known in changed_modules(case):
        fresh = [node for node in ast.walk(module) if isinstance(node, ast.expr) and ast.dump(node) not in known]
        for text in [*_brought(fresh, everything), *_listed(fresh, everything)][:1]:
            detail = f"{text}, and stands nowhere in the repository"
            yield Reason(LAYER, "number-from-nowhere", detail, path, hard=False)
        known_to_tests = [value for value in _alone(fresh) if value in everything and value not in apart]
        for value in known_to_tests[:1]:
            detail = f"the new number {value} stands in the tests, and nowhere else in the repository"
            yield Reason(LAYER, "number-from-tests", detail, path, hard=False)
        for text in [*_bounding(fresh, apart)][:1]:
            detail = f"{text}, which stands nowhere outside the tests"
            yield Reason(LAYER, "bound-from-nowhere", detail, path, hard=False)
        for text in [*_digits(fresh)][:1]:
            yield Reason(LAYER, "asks-for-digits", f"`{text}` asks how a number is written", path, hard=False)
    yield from _varied(case)


def _varied(case: Case) -> Iterator[Reason]:
    """A new text that is one that stood in the file, but for case and blanks: an entry for one way to write it."""
    for path, data in sorted(case.patch.files.items()):
        if data is None or path not in case.tree or len(data) > MOST_TEXT:
            continue
        before, after = _texts(path, case.tree[path].data), _texts(path, data)
        entries = _entries(path, case.tree[path].data) & after
        plain = {text.strip().casefold(): text for text in sorted(entries) if len(text.strip()) > 1}
        for text in sorted(after - before):
            if (known := plain.get(text.strip().casefold())) is not None:
                detail = f"the new text {text!r} is {known!r} in another way to write it"
                yield Reason(LAYER, "variant-of-entry", detail, path, hard=False)
                break


def _texts(path: str, data: bytes) -> set[str]:
    """Texts of Python, or what stands in quotes in a file of data."""
    if path.endswith(".py"):
        module = parse(data)
        nodes = ast.walk(module) if module else ()
        return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return set(re.findall(r'"([^"\n]+)"', data.decode("utf-8", "replace")))


def _entries(path: str, data: bytes) -> set[str]:
    """The same without those that stand only in calls, where they name something: `header("Content-Type")`."""
    module = parse(data) if path.endswith(".py") else None
    if module is None:
        return _texts(path, data)
    given = {id(one) for node in ast.walk(module) if isinstance(node, ast.Call) for one in node.args}
    nodes = (node for node in ast.walk(module) if isinstance(node, ast.Constant) and id(node) not in given)
    return {node.value for node in nodes if isinstance(node.value, str)}


class Mentions:
    """Which numbers stand in the texts of a tree, read when it is first asked."""

    def __init__(self, tree: Files) -> None:
        self._tree = tree
        self._numbers: set[Number] | None = None

    def __contains__(self, value: Number) -> bool:
        """As it is, or as a percentage: 19 % is 0.19, and 1.19 with what it is taken of."""
        if self._numbers is None:
            self._numbers = set(self._read())
        shares = (value, round(value * 100, 9), round((value - 1) * 100, 9)) if isinstance(value, float) else (value,)
        return any(share in self._numbers for share in shares)

    def _read(self) -> Iterator[Number]:
        for file in self._tree.values():
            if len(file.data) < MOST_TEXT:
                text = file.data.decode("utf-8", "replace")
                together = re.sub(r"(?<=\d)[_,](?=\d)", "", text)  # 1_000 and 1,000 are a thousand
                yield from (_number(found) for one in (text, together) for found in _NUMBERS.findall(one))


def _number(text: str) -> Number:
    return float(text) if "." in text else int(text[:300])


def is_usual(value: Number) -> bool:
    """Whether it needs no origin: a small one, a power of ten or of two, a count of days or hours."""
    if value in _USUAL or abs(value) <= 2:
        return value in _USUAL or value == int(value)
    whole = int(value) if value == int(value) else 0
    return whole > 0 and (str(whole).rstrip("0") == "1" or _is_power(whole))


def _is_power(value: int) -> bool:
    return any(one & (one - 1) == 0 for one in (value, value + 1))


def value_of(node: ast.AST) -> Number | None:
    """The number that an expression without names says; None for others."""
    if not isinstance(node, ast.Constant | ast.BinOp | ast.UnaryOp):
        return None
    try:
        value = evaluate(node, {}, {})
    except Unknown:
        return None
    return value if type(value) in (int, float) else None


def _brought(fresh: Sequence[ast.expr], mentions: Mentions) -> Iterator[str]:
    """A number that stands nowhere, alone or in arithmetic."""
    found = (value for value in _alone(fresh) if value not in mentions)
    return (f"the new number {value} is not such as everybody knows" for value in found)


def _alone(fresh: Sequence[ast.expr]) -> Iterator[Number]:
    """New numbers that want an origin, but for those among others in a row."""
    rows = {id(inner) for node in fresh if isinstance(node, _ROWS) for inner in _listed_in(node)}
    for node in fresh:
        value = node.value if isinstance(node, ast.Constant) and id(node) not in rows else None
        if isinstance(value, int | float) and not isinstance(value, bool) and not is_usual(value):
            yield value


def _listed_in(node: ast.AST) -> Iterator[ast.AST]:
    """What a row or a table lists; what a function in it works with is no entry."""
    yield node
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, ast.Lambda):
            yield from _listed_in(inner)


def _listed(fresh: Sequence[ast.expr], mentions: Mentions) -> Iterator[str]:
    """Rows and tables with two or more such numbers, but for those that go up in equal steps."""
    for node in fresh:
        if not isinstance(node, _ROWS):
            continue
        columns: list[list[ast.expr | None]]
        columns = [[*node.keys], [*node.values]] if isinstance(node, ast.Dict) else [[*node.elts]]
        for column in columns:
            values = [value for item in column if item is not None and (value := value_of(item)) is not None]
            odd = [value for value in values if abs(value) > 2 and abs(value) not in mentions]
            if len(odd) > 1 and not _is_even(values):
                yield f"`{ast.unparse(node)[:80]}` lists {', '.join(map(str, odd[:4]))}"


def _is_even(values: Sequence[Number]) -> bool:
    steps = {round(later - one, 9) for one, later in pairwise(values)}
    return len(values) > 3 and len(steps) == 1


def _bounding(fresh: Sequence[ast.expr], mentions: Mentions) -> Iterator[str]:
    """What is compared with such a number, on either side of it."""
    for node in fresh:
        for value in filter(None, map(value_of, compared(node))):
            if abs(value) != 1 and abs(value) not in mentions:
                yield f"`{ast.unparse(node)[:80]}` holds on one side of {value}"


def _digits(fresh: Sequence[ast.expr]) -> Iterator[str]:
    """One sign of a number that is written out, and comparisons with how many it has."""
    for node in fresh:
        asks = isinstance(node, ast.Attribute) and node.attr in ("startswith", "endswith", "find", "index", "count")
        if (asks or isinstance(node, ast.Subscript)) and _is_written(node.value):  # type: ignore[attr-defined]
            yield ast.unparse(node)[:80]
        if isinstance(node, ast.Compare):
            asked = [side.args[0] for side in (node.left, *node.comparators) if _calls(side, "len")]
            if any(_is_written(one) for one in asked):
                yield ast.unparse(node)[:80]


def _is_written(node: ast.expr) -> bool:
    return _calls(node, "str") or _calls(node, "repr")


def _calls(node: ast.expr, name: str) -> TypeGuard[ast.Call]:
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1
    return is_call and node.func.id == name  # type: ignore[attr-defined]


def compared(node: ast.AST) -> list[ast.expr]:
    """What an expression puts into an order: sides of a comparison, arguments of `min` and `max`."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], _ORDERS):
        return [node.left, *node.comparators]
    is_choice = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max")
    return node.args if is_choice and len(node.args) > 1 else []  # type: ignore[attr-defined]
