"""A pytest that has read its configuration and collected nothing: from there all our processes fork."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from types import ModuleType
from typing import Any, Callable, Optional

from .guard import TreeGuard
from .job import Job
from .kinds import Config, Raw, Session

_EARLY_HOOKS = re.compile(rb"pytest_(addoption|sessionstart|cmdline|load_initial|plugin_registered)")


class Prepared:
    """The plugin that stops pytest where collection would begin, and calls `then(session)` there.

    Loading conftest files is put off, so that nothing of the tree is imported yet, unless a conftest has hooks
    that pytest calls before collection.
    """

    def __init__(self, guard: TreeGuard, then: Callable[[Any], None]) -> None:
        self._guard = guard
        self._then = then
        self._conftests: Optional[Callable[[], Any]] = None
        self._reached = False

    def pytest_load_initial_conftests(self, early_config: Config) -> None:
        texts = [data for path, (data, _mode) in self._guard.files.items() if path.endswith("conftest.py")]
        if any(_EARLY_HOOKS.search(text) for text in texts):
            return
        manager = early_config.pluginmanager
        real = manager._set_initial_conftests

        def later(*args: Raw, **kwargs: Raw) -> None:
            self._conftests = lambda: real(*args, **kwargs)

        manager._set_initial_conftests = later

    def pytest_collection(self, session: Session) -> None:
        if not self._reached:
            self._reached = True
            self._then(session)

    def load_conftests(self) -> None:
        """What pytest would have done before; call it in a fork."""
        if self._conftests is not None:
            self._conftests()

    def run(self, session: Session, plugin: object) -> None:
        """In a fork: go on as pytest would, with one more plugin."""
        session.config.pluginmanager.register(plugin)
        self.load_conftests()
        session.config.hook.pytest_collection(session=session)
        session.config.hook.pytest_runtestloop(session=session)

    def is_clean(self, job: Job) -> bool:
        """True when nothing of the tree that a repair may change is imported."""
        paths = {os.path.join(self._guard.root, path) for path in job.editable}
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        return not any(file and os.path.realpath(file) in paths for file in files)


def _first(hook: Raw) -> Raw:
    import pytest

    return pytest.hookimpl(tryfirst=True)(hook)


def start_pytest(launch: ModuleType, job: Job, plugin: object) -> None:
    """`pytest.main` as the toolchain's launcher would call it."""
    import pytest

    for name in ("pytest_load_initial_conftests", "pytest_collection"):
        hook: Optional[Callable[..., Any]] = getattr(type(plugin), name, None)
        if hook is not None:
            setattr(type(plugin), name, _first(hook))
    arguments = launch.pytest_arguments(job.raw)
    launch.enter_tree(job.raw)
    with contextlib.suppress(SystemExit):
        pytest.main([*arguments, "--capture=no"], plugins=[plugin])
