"""Which lines of the tree a test runs: by sys.monitoring where there is one, else by sys.settrace."""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType
from typing import Any, Callable, Dict, List, Optional, Set, Tuple, Type

from .kinds import Raw

Lines = Dict[str, List[int]]


class LineCounter:
    """Counts the lines that run within it, of all files. Behind the most of them each further one raises `over`."""

    def __init__(self, most: int, over: Type[BaseException]) -> None:
        self._most = most
        self._over = over
        self.lines = 0

    def __enter__(self) -> LineCounter:
        sys.settrace(self._count)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.settrace(None)

    def _count(self, _frame: FrameType, event: str, _arg: Raw) -> Callable[..., Any]:
        self.lines += event == "line"
        if self.lines > self._most:
            raise self._over
        return self._count


class Paths:
    """Turns a code object's file name into a path of the tree, or None where it lies outside."""

    def __init__(self, root: str, wanted: Set[str]) -> None:
        self.root = root.rstrip("/") + "/"
        self._wanted = wanted
        self._known: Dict[str, Optional[str]] = {}

    def inside(self, filename: str) -> bool:
        """True for any file of the tree, tests among them."""
        return filename.startswith(self.root)

    def of(self, filename: str) -> Optional[str]:
        if filename not in self._known:
            path = filename[len(self.root) :] if filename.startswith(self.root) else None
            self._known[filename] = path if path in self._wanted else None
        return self._known[filename]


class SetTracer:
    """Records lines with sys.settrace. Slow: keep what runs under it short."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._lines: Dict[str, Set[int]] = {}
        self._local: Dict[str, Optional[Callable[..., Any]]] = {}

    def start(self) -> None:
        self._lines = {}
        self._local = {}
        threading.settrace(self._enter)
        sys.settrace(self._enter)

    def stop(self) -> Lines:
        sys.settrace(None)
        threading.settrace(None)
        return {path: sorted(lines) for path, lines in self._lines.items()}

    def _enter(self, frame: FrameType, _event: str, _arg: Raw) -> Optional[Callable[..., Any]]:
        name = frame.f_code.co_filename
        if name not in self._local:
            path = self._paths.of(name)
            self._local[name] = None if path is None else _recorder(self._lines.setdefault(path, set()))
        return self._local[name]


def _recorder(lines: Set[int]) -> Callable[..., Any]:
    add = lines.add

    def local(frame: FrameType, _event: str, _arg: Raw) -> Callable[..., Any]:
        add(frame.f_lineno)
        return local

    return local


class MonitoringTracer:
    """Records lines with sys.monitoring (3.12 and later): each line costs once."""

    TOOL = 4

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._lines: Dict[str, Set[int]] = {}
        self._monitoring: Any = getattr(sys, "monitoring")  # noqa: B009

    def start(self) -> None:
        self._lines = {}
        monitoring = self._monitoring
        monitoring.use_tool_id(self.TOOL, "search")
        monitoring.register_callback(self.TOOL, monitoring.events.LINE, self._line)
        monitoring.set_events(self.TOOL, monitoring.events.LINE)
        monitoring.restart_events()

    def stop(self) -> Lines:
        monitoring = self._monitoring
        monitoring.set_events(self.TOOL, 0)
        monitoring.register_callback(self.TOOL, monitoring.events.LINE, None)
        monitoring.free_tool_id(self.TOOL)
        return {path: sorted(lines) for path, lines in self._lines.items()}

    def _line(self, code: CodeType, line: int) -> Raw:
        path = self._paths.of(code.co_filename)
        if path is not None:
            self._lines.setdefault(path, set()).add(line)
        return self._monitoring.DISABLE


def tracer(paths: Paths) -> "SetTracer | MonitoringTracer":
    return MonitoringTracer(paths) if hasattr(sys, "monitoring") else SetTracer(paths)


class ImportTrace:
    """Remembers which functions of the tree ran while the suite was collected: swapping their code is too late."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self.called: Set[Tuple[str, int, str]] = set()

    def __enter__(self) -> ImportTrace:
        sys.settrace(self._enter)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.settrace(None)

    def _enter(self, frame: FrameType, _event: str, _arg: Raw) -> None:
        code = frame.f_code
        path = self._paths.of(code.co_filename)
        if path is not None:
            # The name tells a function in line 1 from the module itself, which starts there too.
            self.called.add((path, code.co_firstlineno, code.co_name))
