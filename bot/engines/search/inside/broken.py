"""A Python file that does not compile: no tree to walk, only its text and what the compiler says of it."""

from __future__ import annotations

import ast
from typing import Dict, List, Optional

from .hints import Hints
from .places import Place
from .site import Site
from .source import Source, newline_of, refuse_other_encodings

ERRORS = ("SyntaxError", "IndentationError", "TabError")
UNNAMED = 0.3
"""Weight of a broken file that no failure names: it may be broken on purpose."""


class BrokenSource(Source):
    """The file as text. Its tree is empty, so that whoever walks trees finds nothing."""

    def __init__(self, path: str, data: bytes) -> None:
        """Raises ValueError (UnicodeDecodeError is one) for a file that is not ours to edit."""
        refuse_other_encodings(data)
        self.path = path
        self.data = data
        self.bom = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        self.whole = data[self.bom :].decode("utf-8")
        self.tree = ast.parse("")
        self.starts = [0]
        self.newline = newline_of(data)
        self.parents: Dict[ast.AST, ast.AST] = {}


def complaint(text: str) -> Optional[SyntaxError]:
    """What the compiler says of a text; None when it compiles. Raises ValueError for null bytes."""
    try:
        compile(text, "?", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (RecursionError, MemoryError, OverflowError):
        return SyntaxError("too deep")
    return None


def broken_places(files: Dict[str, bytes], hints: Hints) -> List[Place]:
    """Files that do not compile, where a red test says that something does not; those that it names first."""
    if not any(True for _red in hints.of(*ERRORS)):
        return []
    said = "\n".join(red.message for red in hints.reds)
    framed = {path for path, _line, _weight in hints.frames()}
    places = []
    for path, data in files.items():
        source = _broken(path, data)
        if source is not None:
            named = path in framed or path in said
            places.append(
                Place(Site(source, ast.Pass(lineno=1, col_offset=0), None, hints), 1.0 if named else UNNAMED)
            )
    return places


def _broken(path: str, data: bytes) -> Optional[BrokenSource]:
    try:
        source = BrokenSource(path, data)
        return source if complaint(source.whole) is not None else None
    except ValueError:
        return None
