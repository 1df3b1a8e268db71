"""Which parameters the project's functions and classes take, read from the files only when somebody asks."""

from __future__ import annotations

import ast
from typing import Dict, Iterator, List, Mapping, Optional, Tuple

FunctionNodes = (ast.FunctionDef, ast.AsyncFunctionDef)
MOST_ALIKE = 3
"""With more functions of one name, nobody knows which of them a call means."""

Parameters = Tuple[str, ...]


class Signatures:
    """`of(name)`: the parameters of each function, method or class of that name, without `self`."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._known: Dict[str, Tuple[Parameters, ...]] = {}
        self._trees: Dict[str, Optional[ast.Module]] = {}

    def of(self, name: str) -> Tuple[Parameters, ...]:
        """Nothing for a name that the project does not define, or defines too often."""
        if name not in self._known:
            found = list(dict.fromkeys(self._defined(name)))
            self._known[name] = tuple(found) if len(found) <= MOST_ALIKE else ()
        return self._known[name]

    def _defined(self, name: str) -> Iterator[Parameters]:
        heads = (b"def %s(" % name.encode(), b"class %s(" % name.encode(), b"class %s:" % name.encode())
        for path, data in self._files.items():
            tree = self._tree(path) if any(head in data for head in heads) else None
            for node in ast.walk(tree) if tree is not None else ():
                if isinstance(node, FunctionNodes) and node.name == name:
                    yield _named(node.args)
                elif isinstance(node, ast.ClassDef) and node.name == name:
                    yield _made_with(node)

    def _tree(self, path: str) -> Optional[ast.Module]:
        if path not in self._trees:
            try:
                self._trees[path] = ast.parse(self._files[path])
            except (SyntaxError, ValueError, RecursionError):
                self._trees[path] = None
        return self._trees[path]


def _named(spec: ast.arguments) -> Parameters:
    plain = [*getattr(spec, "posonlyargs", []), *spec.args, *spec.kwonlyargs]
    return tuple(argument.arg for argument in plain if argument.arg not in ("self", "cls"))


def _made_with(klass: ast.ClassDef) -> Parameters:
    """What its `__init__` takes; of one without, the fields that a dataclass would take."""
    for node in klass.body:
        if isinstance(node, FunctionNodes) and node.name == "__init__":
            return _named(node.args)
    fields: List[str] = [
        node.target.id for node in klass.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    return tuple(fields)
