"""Imports what the suite uses of other people's modules, so that no run has to; never anything of the project."""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import threading
import time
from types import ModuleType
from typing import Any, Dict, List, Set

from .child import Child, Say

_TRIAL_S = 30.0
_ROUNDS = 8


def used(tree: str) -> List[str]:
    """In the process that has collected: modules from outside the tree that anybody may import early."""
    return [name for name, module in list(sys.modules.items()) if _is_library(name, module, tree)]


def _is_library(name: str, module: ModuleType, tree: str) -> bool:
    path = getattr(module, "__file__", None)
    if not isinstance(path, str) or path.startswith(tree + os.sep) or name.startswith(("_regreen", "__main__")):
        return False
    # pytest warns of a plugin's module that was imported before it could rewrite its asserts.
    return not _rewritten(module)


def _rewritten(module: ModuleType) -> bool:
    return type(getattr(module, "__loader__", None)).__name__ == "AssertionRewritingHook"


def preload(names: List[str], unwanted: Set[str], tree: str) -> Set[str]:
    """Import them here, after a fork has tried it and stayed clean. Returns their top-level names."""
    wanted = [name for name in names if name not in sys.modules]
    for _ in range(_ROUNDS):
        verdict = _tried(wanted, unwanted, tree)
        if verdict.get("clean"):
            before = set(sys.modules)
            _import(wanted)
            return {name.partition(".")[0] for name in set(sys.modules) - before}
        if "culprit" not in verdict:
            return set()
        wanted.remove(verdict["culprit"])
    return set()


def _tried(names: List[str], unwanted: Set[str], tree: str) -> Dict[str, Any]:
    told: List[bytes] = []
    end = time.monotonic() + _TRIAL_S
    Child(lambda say: _try(names, unwanted, tree, say)).follow(told.append, lambda: end)
    return json.loads(told[-1]) if told else {}


def _try(names: List[str], unwanted: Set[str], tree: str, say: Say) -> None:
    """In a child: import one after the other, until one brings in what must not be there."""
    before = _surroundings()
    for name in names:
        known = set(sys.modules)
        _import([name])
        new = set(sys.modules) - known
        if new & unwanted or any(_from_tree(one, tree) for one in new) or _surroundings() != before:
            say(json.dumps({"culprit": name}).encode())
            return
    say(b'{"clean": true}')


def _import(names: List[str]) -> None:
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:
            continue


def _from_tree(name: str, tree: str) -> bool:
    path = getattr(sys.modules.get(name), "__file__", None)
    return isinstance(path, str) and path.startswith(tree + os.sep)


def _surroundings() -> List[Any]:
    """What an import may change beside itself; threads do not survive a fork."""
    handlers = [signal.getsignal(number) for number in sorted(signal.valid_signals())]
    return [dict(os.environ), os.getcwd(), list(sys.path), handlers, threading.active_count(), len(sys.meta_path)]


def rewritten() -> List[str]:
    """Modules that only pytest may import."""
    return [name for name, module in list(sys.modules.items()) if _rewritten(module)]
