"""Programs of several languages read by their grammar: syntax errors, definitions and references.

The only file that knows tree-sitter. Sources are hostile: their size is bounded, and nothing in them is run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser, Query, QueryCursor

MOST_BYTES = 300_000

_SUFFIXES = {
    ".py": "python", ".pyi": "python", ".js": "javascript", ".jsx": "javascript", ".mjs": "javascript",
    ".cjs": "javascript", ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx",
    ".go": "go", ".rs": "rust", ".java": "java",
}  # fmt: skip


@dataclass(frozen=True)
class Symbol:
    """A name that a file defines: its kind, the line (from 1) and the text of that line."""

    name: str
    kind: str
    line: int
    signature: str
    end_line: int = 0


@dataclass(frozen=True)
class Outline:
    """What a file defines, and the names that it uses."""

    symbols: tuple[Symbol, ...] = ()
    references: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Grammar:
    language: Language
    tags: Query


def language(path: str) -> str | None:
    """Name of the language of a path, None where there is no grammar for it."""
    return _SUFFIXES.get(PurePosixPath(path).suffix)


def outline(path: str, text: str) -> Outline:
    """Definitions and references; an empty outline for a language without a grammar, or a file too large."""
    name = language(path)
    data = text.encode("utf-8", "replace")
    if name is None or len(data) > MOST_BYTES:
        return Outline()
    known = _grammar(name)
    lines = text.split("\n")
    symbols: dict[tuple[str, int], Symbol] = {}
    references: list[str] = []
    for _, captures in QueryCursor(known.tags).matches(_tree(known, data)):
        for node in captures.get("name", []):
            word = _text(node)
            defined = next((key for key in captures if key.startswith("definition.")), None)
            if defined:
                row = node.start_point[0]
                whole = captures[defined][0]
                kind = defined.removeprefix("definition.")
                signature = lines[row].strip()[:160] if row < len(lines) else word
                symbols[word, row] = Symbol(word, kind, row + 1, signature, whole.end_point[0] + 1)
            else:
                references.append(word)
    ordered = sorted(symbols.values(), key=lambda symbol: symbol.line)
    return Outline(tuple(ordered), tuple(references))


def error(path: str, text: str) -> str:
    """The first syntax error in words, empty where there is none."""
    name = language(path)
    data = text.encode("utf-8", "replace")
    if name is None or len(data) > MOST_BYTES:
        return ""
    root = _tree(_grammar(name), data)
    if not root.has_error:
        return ""
    bad = _first_error(root)
    line = text.split("\n")[bad.start_point[0]].strip()[:200]
    return f"line {bad.start_point[0] + 1}: syntax error near: {line}"


def _first_error(node: Node) -> Node:
    while True:
        child = next(
            (child for child in node.children if child.has_error or child.is_error or child.is_missing), None
        )
        if child is None or node.is_error:
            return node
        node = child


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _tree(known: _Grammar, data: bytes) -> Node:
    return Parser(known.language).parse(data).root_node


@cache
def _grammar(name: str) -> _Grammar:
    javascript = tree_sitter_javascript.TAGS_QUERY
    sources = {
        "python": (tree_sitter_python.language, tree_sitter_python.TAGS_QUERY),
        "javascript": (tree_sitter_javascript.language, javascript),
        "typescript": (tree_sitter_typescript.language_typescript, tree_sitter_typescript.TAGS_QUERY),
        "tsx": (tree_sitter_typescript.language_tsx, tree_sitter_typescript.TAGS_QUERY),
        "go": (tree_sitter_go.language, tree_sitter_go.TAGS_QUERY),
        "rust": (tree_sitter_rust.language, tree_sitter_rust.TAGS_QUERY),
        "java": (tree_sitter_java.language, tree_sitter_java.TAGS_QUERY),
    }
    make, tags = sources[name]
    made = Language(make())
    return _Grammar(made, Query(made, tags + _MORE.get(name, "")))


# The grammars' own queries tag less than a map needs.
_MORE = {
    "python": "(attribute attribute: (identifier) @name) @reference.attribute\n"
    "(import_from_statement name: (dotted_name (identifier) @name)) @reference.import\n"
    "(class_definition superclasses: (argument_list (identifier) @name)) @reference.class\n",
    "typescript": "(function_declaration name: (identifier) @name) @definition.function\n"
    "(class_declaration name: (type_identifier) @name) @definition.class\n"
    "(method_definition name: (property_identifier) @name) @definition.method\n"
    "(call_expression function: (identifier) @name) @reference.call\n",
    "tsx": "(function_declaration name: (identifier) @name) @definition.function\n"
    "(class_declaration name: (type_identifier) @name) @definition.class\n"
    "(method_definition name: (property_identifier) @name) @definition.method\n"
    "(call_expression function: (identifier) @name) @reference.call\n",
}
