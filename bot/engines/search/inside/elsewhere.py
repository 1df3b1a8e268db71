"""Code that tests run in a process of its own: which lines of it run, and where it may be when nobody saw any."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import shutil
import sys
import tempfile
from typing import Dict, Iterator, List, Mapping, Optional, Set

from .hints import Hints
from .source import walked
from .trace import Lines, Paths

WATCHED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "watched")
NAMES = ("PYTHONPATH", "REGREEN_WATCHED_ROOT", "REGREEN_WATCHED_LINES")
STARTS = ("subprocess.Popen", "os.system", "os.posix_spawn", "os.exec", "os.spawn")
DEEPEST = 3
"""So many imports away from what a test starts a module is still looked at."""
_SAID = re.compile(r'File "([^"\n]+)", line (\d+)')


class Watch:
    """While it is open, each Python that is started with our environment reports its lines."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._folder = tempfile.mkdtemp(prefix="search-")
        self._before: Dict[str, Optional[str]] = {}
        self._started = 0
        sys.addaudithook(self._hear)  # for good: a watch is kept in a child that is soon gone

    def _hear(self, event: str, _arguments: object) -> None:
        self._started += event in STARTS

    def started(self) -> bool:
        """Whether another program was started since the last time."""
        count, self._started = self._started, 0
        return count > 0

    def __enter__(self) -> Watch:
        self._before = {name: os.environ.get(name) for name in NAMES}
        found = [WATCHED, *filter(None, [os.environ.get("PYTHONPATH")])]
        os.environ.update(dict(zip(NAMES, (os.pathsep.join(found), self._paths.root, self._folder))))  # noqa: B905
        return self

    def __exit__(self, *_error: object) -> None:
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    def lines(self) -> Lines:
        """What was reported since the last time."""
        found: Dict[str, Set[int]] = {}
        for name in os.listdir(self._folder):
            with contextlib.suppress(OSError, ValueError), open(os.path.join(self._folder, name)) as stream:
                for filename, numbers in json.load(stream).items():
                    path = self._paths.of(filename)
                    if path is not None:
                        found.setdefault(path, set()).update(numbers)
            os.unlink(os.path.join(self._folder, name))
        return {path: sorted(numbers) for path, numbers in found.items()}

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def within_functions(lines: Lines, trees: Mapping[str, ast.Module]) -> bool:
    """Whether any of the lines lies in a function's body: what an import runs tells nothing."""
    return any(set(numbers) & _bodies(trees[path]) for path, numbers in lines.items() if path in trees)


def _bodies(tree: ast.Module) -> Set[int]:
    return {
        line
        for node in walked(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for line in range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
    }


def guessed(tests: List[bytes], trees: Mapping[str, ast.Module], hints: Hints) -> Dict[str, Dict[int, float]]:
    """Where nobody saw a line: files that the tests name and what these import, lines that a message shows."""
    scores: Dict[str, Dict[int, float]] = {}
    for path, depth in _reached(tests, trees, hints).items():
        scores[path] = dict.fromkeys(sorted(_bodies(trees[path])), 0.5 / (1 + depth))
    for red in hints.reds:
        for name, line in _SAID.findall(red.message):
            for path in trees:
                if name.endswith("/" + path) or name == path:
                    scores.setdefault(path, {})[int(line)] = 1.0
    return scores


def _reached(tests: List[bytes], trees: Mapping[str, ast.Module], hints: Hints) -> Dict[str, int]:
    """Files -> how many imports they are away from what the tests name by module or by path."""
    words = {word for data in tests for word in _texts(data)}
    found: Dict[str, int] = {}
    for word in words:
        for name in (word, word + ".__main__"):
            if hints.modules.get(name) in trees:
                found[hints.modules[name]] = 0
        found.update({path: 0 for path in trees if word.endswith(".py") and ("/" + path).endswith("/" + word)})
    edge = list(found)
    for depth in range(1, DEEPEST + 1):
        edge = [path for one in edge for path in _imported(one, trees[one], hints) if path in trees]
        for path in edge:
            found.setdefault(path, depth)
    return found


def _texts(data: bytes) -> Iterator[str]:
    with contextlib.suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(data)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from node.value.split()


def _imported(path: str, tree: ast.Module, hints: Hints) -> Iterator[str]:
    """Files of the project that a file imports."""
    own = next((name for name, known in hints.modules.items() if known == path), "")
    package = own if path.endswith("__init__.py") else own.rpartition(".")[0]
    for node in walked(tree):
        names: List[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: max(0, len(package.split(".")) - node.level + 1)] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            names = [module, *("%s.%s" % (module, alias.name) for alias in node.names)]
        yield from (hints.modules[name] for name in names if name in hints.modules)
