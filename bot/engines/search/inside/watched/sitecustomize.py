"""Loaded by every Python that a watched test starts: notes which lines of the tree that process runs."""

import atexit
import contextlib
import importlib
import json
import os
import sys
import threading
from types import FrameType
from typing import Any, Callable, Dict, Optional, Set

Tracer = Optional[Callable[..., Any]]

ROOT, FOLDER = os.environ.get("REGREEN_WATCHED_ROOT", ""), os.environ.get("REGREEN_WATCHED_LINES", "")


def _watch() -> None:
    lines: Dict[str, Set[int]] = {}
    known: Dict[str, Tracer] = {}

    def recorder(name: str) -> Tracer:
        path = os.path.realpath(name)
        if not path.startswith(ROOT):
            return None
        add = lines.setdefault(path, set()).add

        def local(frame: FrameType, _event: str, _arg: object) -> Tracer:
            add(frame.f_lineno)
            return local

        return local

    def enter(frame: FrameType, _event: str, _arg: object) -> Tracer:
        name = frame.f_code.co_filename
        if name not in known:
            known[name] = recorder(name)
        return known[name]

    def leave() -> None:
        sys.settrace(None)
        with contextlib.suppress(OSError), open(os.path.join(FOLDER, "%d.json" % os.getpid()), "w") as stream:
            json.dump({path: sorted(numbers) for path, numbers in lines.items()}, stream)

    atexit.register(leave)
    threading.settrace(enter)
    sys.settrace(enter)


def _give_way() -> None:
    """The machine's own module of this name has its turn too."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    own = sys.modules.pop("sitecustomize")
    with contextlib.suppress(ImportError):
        importlib.import_module("sitecustomize")
    sys.modules.setdefault("sitecustomize", own)


if ROOT and FOLDER:
    _give_way()
    _watch()
