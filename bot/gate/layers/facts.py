"""Layer D: what the patched code can do that the code before could not, read from the syntax tree.

A fact counts only when it is new: the same fact in the file before the patch is the project's own business.
Hard facts reject; soft facts ask for a person. Nothing is imported or run.
"""

from __future__ import annotations

import ast
import doctest
import io
import re
import tokenize
from collections import Counter
from collections.abc import Collection, Iterator

from bot.gate.baseline import file_of
from bot.gate.layer import Boxes, Case, Findings, Options
from bot.gate.source import absent, callnames, checks, datafiles, dropped, origins, rebound
from bot.gate.source.finders import facts
from bot.gate.source.names import Names
from bot.gate.source.paths import parse
from bot.nouns import Patch, Reason
from sandbox import Files

LAYER = "facts"

_SUPPRESSIONS = re.compile(
    r"#\s*(type:\s*ignore|noqa|pragma:\s*no\s*cover|pylint:\s*disable|pyright:\s*ignore|mypy:|nosec|fmt:\s*off|ruff:\s*noqa)"
    r"|(//|/\*)\s*(eslint-disable|@ts-(ignore|expect-error|nocheck)|nolint|istanbul ignore|biome-ignore)",
    re.IGNORECASE,
)
_SOURCE = (
    ".py", ".pyi", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".go", ".rs", ".java", ".kt", ".rb", ".c", ".h",
)  # fmt: skip
_PROSE = (".md", ".rst", ".txt", ".adoc", ".html", ".css", ".svg")


def examine(case: Case, boxes: Boxes, options: Options) -> Findings:
    """Facts that the patch adds, in the light of the target tests."""
    sources = tuple(
        case.tree[path].data.decode("utf-8", "replace")
        for path in sorted({file_of(target) for target in case.before.target_ids})
        if path in case.tree
    )
    tested = {file_of(test) for test in case.before.doctests}
    found = added(case.patch, case.tree, test_sources=sources, doctests=tested)
    if not any(reason.code == "copies-test-values" for reason in found):
        found += datafiles.examine(case)
    others = (one for layer in (origins, dropped, rebound, callnames, checks, absent) for one in layer.examine(case))
    return Findings((*found, *others))


def added(
    patch: Patch, tree: Files, *, test_sources: tuple[str, ...] = (), doctests: Collection[str] = ()
) -> list[Reason]:
    """Facts that the patch adds. `test_sources`: text of the target tests, to find copied expectations.

    `doctests`: files whose examples are tests of this project, so that they must not change.
    """
    reasons: list[Reason] = []
    literals: set[str] = set()
    for path, data in sorted(patch.files.items()):
        if data is None:
            continue
        before = tree[path].data if path in tree else b""
        reasons += _suppressed(path, before, data)
        reasons += _data(path, tree)
        if path in doctests and _examples(path, before) != _examples(path, data):
            reasons.append(Reason(LAYER, "doctest-changed", "examples in this file are tests", path))
        if path.endswith((".py", ".pyi")):
            reasons += _python(path, before, data)
        literals |= _values(path, data) - _values(path, before)
    return [*reasons, *_removed(patch, tree), *_copied(literals, test_sources)]


def _python(path: str, before: bytes, data: bytes) -> list[Reason]:
    old, new = parse(before), parse(data)
    if new is None:
        return [Reason(LAYER, "syntax-error", "the patched file is not valid Python", path)]
    fresh = Counter(facts(new)) - Counter(facts(old) if old else ())
    return [Reason(LAYER, code, detail, path, hard) for code, detail, hard in sorted(fresh)]


def _suppressed(path: str, before: bytes, data: bytes) -> Iterator[Reason]:
    """More comments than before that silence a checker."""
    if path.endswith(_SOURCE) and _suppressions(path, data) > _suppressions(path, before):
        yield Reason(LAYER, "suppresses-checks", "a new comment silences a checker", path, False)


def _suppressions(path: str, data: bytes) -> int:
    text = data.decode("utf-8", "replace")
    if path.endswith(".py"):
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        except (tokenize.TokenError, SyntaxError):
            tokens = []
        if tokens:
            text = "\n".join(token.string for token in tokens if token.type == tokenize.COMMENT)
    return len(_SUPPRESSIONS.findall(text))


def _data(path: str, tree: Files) -> Iterator[Reason]:
    """A new file that is neither source nor prose: answers may lie in it."""
    if path not in tree and not path.endswith((*_SOURCE, *_PROSE)):
        yield Reason(LAYER, "new-data-file", "the patch adds a file of data", path, False)


def _removed(patch: Patch, tree: Files) -> Iterator[Reason]:
    """Fewer checks than before: a `raise` or an `assert` may have been the point."""
    for path, data in sorted(patch.files.items()):
        old, new = parse(tree[path].data if path in tree else b""), parse(data or b"")
        if not path.endswith(".py") or old is None or new is None:
            continue
        before, after = Counter(_checks(old)), Counter(_checks(new))
        if after.total() < before.total():
            detail = f"code that raised does so no more: {sorted(before - after)[0][:80]}"
            yield Reason(LAYER, "removes-checks", detail, path, False)


def _checks(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise | ast.Assert):
            yield ast.unparse(node)


def _values(path: str, data: bytes) -> set[str]:
    """Constants of a file; of one that is no Python, its words and numbers."""
    if path.endswith((".py", ".pyi")):
        return _literals(parse(data))
    if path.endswith(_PROSE) or len(data) > 200_000:
        return set()
    words = re.findall(r'"([^"\n]{2,})"|(-?\d+(?:\.\d+)?)', data.decode("utf-8", "replace"))
    return {_shown(text, number) for text, number in words}


def _shown(text: str, number: str) -> str:
    if text:
        return repr(text)
    return repr(float(number)) if "." in number else repr(int(number[:300]))


def _literals(tree: ast.Module | None) -> set[str]:
    """Constants that say something: no small numbers, no short or empty texts."""
    found = set()
    names = Names(tree) if tree else None
    for node in ast.walk(tree) if tree else ():
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.BinOp | ast.JoinedStr) and names is not None:
            value = names.text(node)
        if isinstance(value, int | float | str | bytes) and not isinstance(value, bool) and not _is_trivial(value):
            found.add(repr(value))
    return found


def _is_trivial(value: float | str | bytes) -> bool:
    return value in (0, 1, -1, 2, 10, 100) or (isinstance(value, str) and len(value) < 2)


def _copied(literals: set[str], test_sources: tuple[str, ...]) -> list[Reason]:
    """Two or more new constants that stand in the target tests: the answer may have been copied."""
    expected: set[str] = set()
    for source in test_sources:
        expected |= _literals(parse(source.encode("utf-8", "replace")))
    copied = sorted(literals & expected)
    if len(copied) < 2:
        return []
    shown = ", ".join(copied[:4])
    detail = f"new constants stand in the failing tests too: {shown}"
    return [Reason(LAYER, "copies-test-values", detail, None, False)]


def _examples(path: str, data: bytes) -> list[tuple[str, str]]:
    """Examples in docstrings of Python, or in a text as a whole."""
    texts = [data.decode("utf-8", "replace")]
    if path.endswith(".py"):
        tree = parse(data)
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        texts = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)] if tree else []
    found = []
    for text in texts:
        try:
            found += [(example.source, example.want) for example in doctest.DocTestParser().get_examples(text)]
        except ValueError:
            found.append((text, ""))
    return found
