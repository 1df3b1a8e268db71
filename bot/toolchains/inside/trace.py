"""The pytest plugin that notes which functions of the project each test calls, and from which file."""

from __future__ import annotations

import os
import sys
import threading
from types import FrameType
from typing import Any, Generator

import pytest

MAX_CALLED = 400


class Tracer:
    """Watches calls from a test's set-up to its tear-down."""

    def __init__(self, tree: str) -> None:
        self.tree = os.path.realpath(tree) + os.sep
        self.called: dict[str, list[Any]] = {}
        self._places: dict[str, str] = {}
        self._known: dict[Any, None] = {}

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, Any, None]:
        self._known = {}
        threading.setprofile(self._see)
        sys.setprofile(self._see)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            self.called[item.nodeid] = [list(key) for key in self._known][:MAX_CALLED]

    def _see(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        path = self._place(code.co_filename)
        if path and code.co_name[0] != "<":
            self._known.setdefault((path, code.co_name, code.co_firstlineno, self._caller(frame)))

    def _caller(self, frame: FrameType) -> str:
        above = frame.f_back
        while above is not None:
            path = self._place(above.f_code.co_filename)
            if path:
                return path
            above = above.f_back
        return ""

    def _place(self, filename: str) -> str:
        """Path in the tree, empty for code of others."""
        if filename not in self._places:
            real = "" if filename.startswith("<") else os.path.realpath(filename)
            self._places[filename] = real[len(self.tree) :] if real.startswith(self.tree) else ""
        return self._places[filename]
