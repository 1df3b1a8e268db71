"""Words of other languages and of Python 2, misspelt keywords, names that Python keeps for itself."""

from __future__ import annotations

import builtins
import keyword
import re
from typing import Iterator, Tuple

from ..names import likeness
from .mend import Broken, Mend

FOREIGN: Tuple[Tuple[str, str, str], ...] = (
    (r"\belse\s*if\b|\bels(?:e)?if\b|\belsif\b", "elif", "is written `elif` in Python"),
    (r"^(\s*)(?:function|func|fn|sub)\s+(?=\w+\s*\()", r"\1def ", "begins a function with another word than `def`"),
    (
        r"^(\s*)(?:var|let|const|int|float|string|auto)\s+(?=\w+\s*=)",
        r"\1",
        "declares a variable, which Python does not",
    ),
    (r"\bnew\s+(?=[A-Z]\w*\()", "", "uses `new`, which Python does not have"),
    (r"\bcatch\s*\(\s*(\w+)\s+(\w+)\s*\)", r"except \1 as \2", "is written `except` in Python"),
    (r"\bcatch\b", "except", "is written `except` in Python"),
    (r"\bexcept\s+(\w[\w.]*)\s*,\s*([a-z]\w*)\s*:", r"except \1 as \2:", "catches in the way of Python 2"),
    (
        r"\bexcept\s+(\w[\w., ]*,[\w., ]*?)\s*(as\s+\w+\s*)?:",
        r"except (\1) \2:",
        "catches several types without brackets",
    ),
    (r"\braise\s+(\w+)\s*,\s*(.+)$", r"raise \1(\2)", "raises in the way of Python 2"),
    (r"\bthrow\s+(?:new\s+)?", "raise ", "is written `raise` in Python"),
    (r"\bprint\s+(?!\()(.+?)\s*$", r"print(\1)", "calls `print` without brackets"),
    (r"\bprint\s+(\(.+?)\s*$", r"print(\1)", "calls `print` without brackets"),
    (r"\bexec\s+(?!\()(.+?)\s*$", r"exec(\1)", "calls `exec` without brackets"),
    (
        r"^(\s*)import\s+([\w, ]+?)\s+from\s+([\w.]+)",
        r"\1from \3 import \2",
        "has `import` and `from` in the wrong order",
    ),
    (r"^(\s*)from\s+([\w.]+)\s+(?!import\b)(\w[\w, ]*)$", r"\1from \2 import \3", "lacks the word `import`"),
    (r"^(\s*)from\s+([\w.]+)\s*$", r"\1import \2", "imports a module with the word `from`"),
    (r"^(\s*)(?:include|using|require)\s+([\w.]+)", r"\1import \2", "is written `import` in Python"),
    (r"^(\s*)import\s+([\w.]+)\.(\w+)\s+as\b", r"\1from \2 import \3 as", "imports a name as if it were a module"),
    (r"\bfor\s+(\w[\w, ]*?)\s+of\b", r"for \1 in", "is written `in` in Python"),
    (r"\bfor\s+(\w+)\s+(?!in\b)(?=\w)", r"for \1 in ", "lacks the word `in`"),
    (r"\bfor\s*\(\s*(\w.*?\bin\b.*?)\)\s*:", r"for \1:", "has brackets round its loop"),
    (r"^(\s*)(\w+)\s*\((.*)\)\s*:\s*$", r"\1def \2(\3):", "lacks the word `def`"),
    (r"^(\s*)class\s+def\s", r"\1def ", "has a keyword too many"),
    (r"\bnot\s+(\w+)\s+not\s+in\b", r"\1 not in", "has a `not` too many"),
    (r"\bis\s+not\s+not\b", "is not", "has a `not` too many"),
    (r"\bnot\s+is\b", "is not", "has `not` and `is` in the wrong order"),
    (r"\bin\s+not\b", "not in", "has `in` and `not` in the wrong order"),
    (r"\bdef\s+(\w+)\s*:", r"def \1():", "lacks the brackets of its parameters"),
    (r"\s+then\s*:?\s*$", ":", "ends with `then` instead of a colon"),
    (r"\)\s*\{\s*$|\s*\{\s*$", "):", "ends with a brace instead of a colon"),
    (r"\breturn\s*=\s*", "return ", "assigns to `return`"),
    (r"^(\s*)(if|while|elif)\s+(.*)\s+is\s*=\s*", r"\1\2 \3 == ", "is written `==` in Python"),
    (r"^(\s*)async\s+(?!def|for|with)(?=\w+\()", r"\1async def ", "lacks the word `def`"),
)


def words(broken: Broken) -> Iterator[Mend]:
    """`else if`, `print x`, `catch`, `new`, `import a from b` and the like."""
    for cost, line in broken.near(above=1):
        start, end = broken.span(line)
        old = broken.words(line)
        for pattern, new, fault in FOREIGN:
            text = re.sub(pattern, new, old)
            text = re.sub(r"\) :$", "):", text)
            if text != old:
                yield Mend(start, end, text, cost, broken.quoted(line), fault)


def misspelt(broken: Broken) -> Iterator[Mend]:
    """`retrun x`, `fro x in y`, `impotr os`: the keyword that is spelled most like it."""
    for cost, line in broken.near(above=1):
        for token in broken.tokens(line):
            if not token.text.isidentifier() or keyword.iskeyword(token.text) or len(token.text) > 9:
                continue
            ranked = sorted((likeness(word, token.text), word) for word in keyword.kwlist)
            for distance, word in ranked[:3]:
                if distance <= 0.34 and not hasattr(builtins, token.text):
                    fault = "has `%s` where `%s` is meant" % (token.text, word)
                    yield Mend(token.start, token.end, word, cost + distance, broken.quoted(line), fault)


def reserved(broken: Broken) -> Iterator[Mend]:
    """`class` or `lambda` as a name: an underscore goes behind it, in the lines near by that use it so."""
    for cost, line in broken.near(above=0):
        for token in broken.tokens(line):
            if keyword.iskeyword(token.text) and token.text not in ("None", "True", "False"):
                fault = "uses the keyword `%s` as a name" % token.text
                yield Mend(token.end, token.end, "_", cost + 0.9, broken.quoted(line), fault)
                pattern = r"(?<=[.(,= ])%s(?=[),.= ])" % token.text
                start = broken.starts[line - 1]
                rest = re.sub(pattern, token.text + "_", broken.text[start:])
                yield Mend(start, len(broken.text), rest, cost + 1.0, broken.quoted(line), fault)
