"""Data of a product that a patch changes: entries that are added there, and whether failing tests name them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from bot.gate.layer import Case
from bot.gate.source.paths import functions, parse
from bot.nouns import Reason

LAYER = "facts"
LONG = 4
"""A shorter text may stand in a test by chance."""
MAX_BYTES = 200_000
_OTHERS = (".py", ".pyi", ".md", ".rst", ".adoc", ".html", ".css", ".svg")
_QUOTED = re.compile(r"""\"([^\"\n]*)\"|'([^'\n]*)'""")
_FIELDS = re.compile(r"[,;|=:\t\n]")


def examine(case: Case) -> Iterator[Reason]:
    """A text that says much in the failing tests, and stands in an entry that the patch adds to a file of data."""
    asked = {text for text in _asked(case) if len(text) >= LONG}
    for path in sorted(case.patch.files):
        copied = sorted(asked & set(fresh_words(case, path))) if grows(case, path) else []
        if copied:
            shown = ", ".join(map(repr, copied[:4]))
            detail = f"an entry that the patch adds to data stands in the failing tests too: {shown}"
            yield Reason(LAYER, "copies-test-values", detail, path, hard=False)


def fresh_words(case: Case, path: str) -> list[str]:
    """Words that the patch brings into one file of data."""
    return list(_words(case.patch.files[path]) - _words(_before(case, path))) if _is_data(path) else []


def grows(case: Case, path: str) -> bool:
    """Whether there is more in a file of data than before: a value that is put right is not."""
    if not _is_data(path):
        return False
    return _words(case.patch.files[path]).total() > _words(_before(case, path)).total()


def _is_data(path: str) -> bool:
    return not path.endswith(_OTHERS)


def _before(case: Case, path: str) -> bytes:
    return case.tree[path].data if path in case.tree else b""


def _words(data: bytes | None) -> Counter[str]:
    """What is quoted, and what stands between commas, colons and their like where nothing is."""
    text = (data or b"")[:MAX_BYTES].decode("utf-8", "replace")
    quoted = [one or other for one, other in _QUOTED.findall(text)]
    plain = (field.strip() for field in _FIELDS.split(_QUOTED.sub("", text)))
    return Counter([*quoted, *(field for field in plain if re.search(r"\w", field))])


def _asked(case: Case) -> Iterator[str]:
    """Texts in the functions of the failing tests, their tables of parameters included."""
    for target in sorted(case.before.target_ids):
        path, _, rest = target.partition("::")
        module = parse(case.tree[path].data) if path in case.tree else None
        name = rest.partition("[")[0].replace("::", ".")
        nodes: list[ast.AST] = [node for known, node in functions(module) if known == name]
        for node in nodes or ([module] if module else []):
            yield from (
                part.value
                for part in ast.walk(node)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )
