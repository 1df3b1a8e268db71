"""Answers the search's requests for slow runs, each in a fork of this process."""

from __future__ import annotations

import contextlib
import importlib
import os
import select
from typing import Any, Dict, List, Tuple

from .children import Child, end_strays
from .guard import TreeGuard
from .slow import Pytest, attempt
from .wire import Lines, Wire


class SlowServer:
    """Two runs at a time; one that writes the tree alone."""

    def __init__(self, run: Pytest, guard: TreeGuard, link: int) -> None:
        self._run = run
        self._guard = guard
        self._link = link
        self._keep = 0  # the searching process, which we must not end as a stray
        self._lines = Lines()
        self._waiting: List[Dict[str, Any]] = []
        self._active: Dict[int, Tuple[Child, Dict[str, Any], Dict[str, Any]]] = {}

    def serve(self) -> None:
        """Until the searching process closes its end; then the tree is as it was."""
        self._answer()
        for child, _request, _told in self._active.values():
            child.end()
        self._guard.restore()

    def _answer(self) -> None:
        while not self._left_alone():
            for descriptor in select.select([self._link, *self._active], [], [], 0.1)[0]:
                if descriptor != self._link:
                    self._hear(descriptor)
                elif not self._accept():
                    return
            for descriptor, (child, request, _answer) in list(self._active.items()):
                if child.is_stuck(request["limit_s"]):
                    self._close(descriptor)
            self._start()

    def _left_alone(self) -> bool:
        """True when the searching process, a child of ours, is gone without a word."""
        with contextlib.suppress(ChildProcessError):
            return self._keep != 0 and os.waitpid(self._keep, os.WNOHANG)[0] != 0
        return False

    def _accept(self) -> bool:
        try:
            data = os.read(self._link, 1 << 20)
        except OSError:
            return False
        for message in self._lines.feed(data):
            if "searching" in message:
                self._keep = int(message["searching"])
            elif "libraries" in message:
                _import(message["libraries"])
            else:
                self._waiting.append(message)
        return bool(data)

    def _start(self) -> None:
        while self._waiting:
            alone = self._waiting[0]["written"] or any(r["written"] for _c, r, _a in self._active.values())
            if len(self._active) >= (1 if alone else 2):
                return
            request = self._waiting.pop(0)
            if not self._active:
                self._guard.restore()
            child = self._child(request)
            self._active[child.descriptor] = (child, request, {})

    def _child(self, request: Dict[str, Any]) -> Child:
        return Child(lambda wire: attempt(self._run, self._guard, wire, request))

    def _hear(self, descriptor: int) -> None:
        child, _request, answer = self._active[descriptor]
        for message in child.messages():
            answer.update(message)
        if child.ended:
            self._close(descriptor)

    def _close(self, descriptor: int) -> None:
        child, request, answer = self._active.pop(descriptor)
        child.end()
        end_strays({active.pid for active, _request, _answer in self._active.values()} | {self._keep})
        spoiled = (request["written"] or not self._active) and self._put_back(request)
        answer = {"ok": answer.get("ok") is True, "lost": answer.get("lost"), "spoiled": spoiled}
        Wire(self._link).send({"n": request["n"], **answer})

    def _put_back(self, request: Dict[str, Any]) -> bool:
        """Make the tree whole; whether more of it had changed than the request wrote."""
        written = [path for path, _edits in request["files"]] if request["written"] else []
        return not self._guard.restore().spoiled <= set(written)


def _import(names: List[str]) -> None:
    """Load the libraries that the suite uses, so that no slow run has to."""
    for name in names:
        with contextlib.suppress(BaseException):
            importlib.import_module(name)
