"""In the place of the search's own `search.py`: walks its candidates, tries none, and says when the known fix comes.

Which functions a candidate changes, and to what, is compared, so that no test runs. Only what the search does before
(collect, measure, trace) takes the time of tests.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .alike import normal
from .catalogue import operators_for
from .frontier import Candidate, Frontier
from .live import signature
from .order import SLOWNESS
from .places import Survey
from .plan import Plan, Standing
from .site import Change, Site
from .source import Source
from .table import Table
from .unit import Edit, Unit, spliced, units_of
from .wire import Wire

WINDOW = 150
"""Bytes round the fix in which an edit must lie to be looked at."""
NEAR = 6
_SPACE = re.compile(r"[\s()'\",]")


class Search:
    """Has the methods of the real one that its caller uses, and never finds anything."""

    def __init__(self, plan: Plan, host: Wire, link: int) -> None:
        self._plan = plan
        self._host = host
        self.standing = Standing(plan.hints, host)
        self._asked = json.loads(Path(__file__).with_name("wanted.json").read_text(encoding="utf-8"))
        files = {path: data for path, (data, _mode) in plan.guard.files.items() if path.endswith(".py")}
        self._fix = Fix(files, {path: text.encode("utf-8") for path, text in self._asked["files"].items()})
        self._survey = Survey(files, plan.hints)

    def run(self) -> None:
        self._host.send(
            {
                "kind": "reach",
                "ground": self._plan.ground is not None,
                "fast": self._walked(self._plan.fast, exact=True),
                "slow": self._walked(self._plan.slow, exact=False),
                "offered": self._offered(),
            }
        )

    def _walked(self, frontier: Frontier, *, exact: bool) -> dict[str, Any]:
        """How many candidates come before the fix, what it costs; or how many there are, where it never comes."""
        end_s, count = time.process_time() + self._asked["seconds"], 0
        while count < self._asked["most"] and time.process_time() < end_s:
            candidate = frontier.next()
            if candidate is None:
                return {"count": count, "over": True}
            if candidate.exact or not exact:
                count += 1
            if self._fix.is_made_by(candidate):
                cost = candidate.cost + (0.0 if candidate.exact and exact else SLOWNESS)
                return {
                    "count": count,
                    "operator": candidate.operator,
                    "cost": round(cost, 2),
                    "exact": candidate.exact,
                }
        return {"count": count, "over": False}

    def _offered(self) -> list[str]:
        """Operators that make the fix at any statement near it, suspicious or not."""
        found = []
        for site in self._sites():
            for operator in operators_for(site):
                for change, _count in zip(operator.changes(site), range(4 * operator.cap)):  # noqa: B905
                    if self._fix.is_made(site, change):
                        found.append(operator.name)
                        break
        return found

    def _sites(self) -> Iterator[Site]:
        if len(self._fix.wanted) != 1:
            return
        for path in self._fix.wanted:
            source = self._survey.source(path)
            for site in self._survey.sites(source) if source is not None else ():
                if self._fix.is_near(site):
                    yield site

    def partial(self) -> str:
        return ""

    def compared(self) -> dict[str, Any]:
        return {}


class Fix:
    """The known repair: file by file what it comes to."""

    def __init__(self, files: dict[str, bytes], wanted: dict[str, bytes]) -> None:
        self.wanted = {path: data for path, data in wanted.items() if files.get(path) != data and path in files}
        self._files = files
        self._windows = {path: _window(files[path], data) for path, data in self.wanted.items()}
        self._bare: dict[str, str] = {}
        self._functions: dict[tuple[str, str], Repaired | None] = {}
        for path, (low, high) in self._windows.items():
            end = len(self.wanted[path]) - (len(files[path]) - high)
            self._bare[path] = _bare(self.wanted[path][low:end])

    def is_made_by(self, candidate: Candidate) -> bool:
        files = candidate.files()
        if files.keys() != self.wanted.keys():
            return False
        if all(self._is_text(path, edits) for path, edits in files.items()):
            return True
        return len(candidate.parts) == 1 and self._is_code(candidate.site, candidate.parts[0].edits)

    def is_made(self, site: Site, change: Change) -> bool:
        return self._is_text(site.source.path, change.edits) or self._is_code(site, change.edits)

    def is_near(self, site: Site) -> bool:
        low, high = self._windows[site.source.path]
        data = site.source.data
        first = data[: low + WINDOW].count(b"\n") + 1 if low else 1
        last = data[: high - WINDOW].count(b"\n") + 1 if high < len(data) else data.count(b"\n")
        return site.stmt.lineno - NEAR <= last and (site.stmt.end_lineno or 0) + NEAR >= first

    def _inside(self, path: str, edits: tuple[Edit, ...]) -> bool:
        low, high = self._windows[path]
        return all(low <= start and end <= high for start, end, _text in edits)

    def _is_text(self, path: str, edits: tuple[Edit, ...]) -> bool:
        if not self._inside(path, edits):
            return False
        low, high = self._windows[path]
        try:
            return _bare(spliced(self._files[path], edits, low, high)) == self._bare[path]
        except ValueError:
            return False

    def _is_code(self, site: Site, edits: tuple[Edit, ...]) -> bool:
        """Whether the function comes to the same: its code, or what is left of its text in one spelling."""
        unit, path = site.unit, site.source.path
        if unit is None or isinstance(unit, Table) or not (self._inside(path, edits) and unit.holds(edits)):
            return False
        wanted = self._repaired(path, unit)
        if wanted is None:
            return False
        try:
            text = unit.text(edits)
            return signature(unit.code_of(text)) == wanted.code or normal(text) == wanted.normal
        except (SyntaxError, ValueError):
            return False

    def _repaired(self, path: str, unit: Unit) -> Repaired | None:
        """The same function in the repaired file, where the fix lies in it."""
        name = ".".join([*unit.classes, unit.node.name])
        if (path, name) not in self._functions:
            self._functions[path, name] = None
            for other in set(units_of(Source(path, self.wanted[path])).values()):
                same = other.classes == unit.classes and other.node.name == unit.node.name
                if same and _rest(self._files[path], unit) == _rest(self.wanted[path], other):
                    text = normal(other.text(()))
                    text = None if text == normal(unit.text(())) else text
                    self._functions[path, name] = Repaired(signature(other.compiled(())), text)
        return self._functions[path, name]


class Repaired(NamedTuple):
    """A function as the fix leaves it."""

    code: tuple[Any, ...]
    normal: str | None
    """None where the fault cannot be told from the fix so."""


def _rest(data: bytes, unit: Unit) -> bytes:
    """The file without the function."""
    return data[: unit.start] + data[unit.end :]


def _window(old: bytes, new: bytes) -> tuple[int, int]:
    """From where to where two files differ, in bytes of the first, with some more on both sides."""
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    last = next((at for at in range(1, most - first + 1) if old[-at] != new[-at]), most - first + 1) - 1
    return max(0, first - WINDOW), min(len(old), len(old) - last + WINDOW)


def _bare(data: bytes) -> str:
    """Without what two spellings of one repair may differ in."""
    return _SPACE.sub("", data.decode("utf-8", "replace"))
