"""The process that collects the suite once, looks at its failures, and then searches in forks of itself."""

from __future__ import annotations

import contextlib
import gc
import sys
import time
from typing import Any, Dict, Iterator, List, Optional, Tuple

from .baseline import ITEM_S, NEIGHBOURS, Baseline, first_words, gathered, measure, nearest, steady, trace_items
from .belief.chance import crowd
from .belief.clusters import Cluster, clustered, doubt, sure, telling_reds
from .belief.exam import examine
from .belief.examined import Examined
from .belief.rank import described
from .collecting import failing_places
from .elsewhere import guessed, within_functions
from .frontier import Candidate, Frontier
from .guard import TreeGuard
from .hints import Hints
from .job import Job
from .kinds import Session
from .live import Live
from .places import Survey
from .plan import Plan
from .prepared import Prepared
from .project import methods_of, project_names
from .runner import WAYS, Protocol, Recorder, Run
from .search import Search
from .state import State
from .suspects import Suspicion
from .table import Table
from .trace import ImportTrace, Lines, Paths
from .trial import Ground
from .wire import Wire

MOST_TESTS = 20
"""So many green tests are watched for inputs."""
EXAM_LIMIT_S = 12.0
"""What the exam may take, however little of the budget is left."""


class Collected:
    """Holds the collected suite; `search()` looks at its failures and does the rest."""

    def __init__(self, job: Job, guard: TreeGuard, host: Wire, link: int, began_s: float) -> None:
        self.job = job
        self.guard = guard
        self.host = host
        self.link = link
        self.end_s = began_s + job.budget_s
        self.began_s = began_s
        self.recorder = Recorder()
        self.paths = Paths(guard.root, job.editable)
        self.importing = ImportTrace(self.paths)
        files = {path: guard.files[path][0] for path in job.editable if path in guard.files}
        modules, definitions = project_names(files, job.raw.get("paths", []))
        self.hints = Hints(job.reds, modules, definitions, methods_of(files), files, job.changed)
        self.survey = Survey(files, self.hints)
        self._files = files
        self.near: List[str] = []
        """Green tests, those nearest to the red ones first."""
        self.lines: Dict[str, Lines] = {}
        """What each traced test runs."""
        self.apart = False
        """The red tests run the code in processes of their own."""

    def search(self, ready: Optional[Prepared], session: Session) -> None:
        """Collect, then search; without a session only slow candidates at import level are left."""
        items: List[Any] = []
        if ready is not None:
            with self.importing, contextlib.suppress(Exception):
                ready.load_conftests()
                session.config.hook.pytest_collection(session=session)
            items = list(session.items) if hasattr(session, "items") else []
            session.config.pluginmanager.register(self.recorder)
            self._share_libraries()
        self._search(items)

    def _share_libraries(self) -> None:
        """Tell the clean process which libraries the suite imports, so that slow runs need not load them."""
        root = self.guard.root + "/"
        names = []
        for name, module in list(sys.modules.items()):
            path = getattr(module, "__file__", None)
            if path and not path.startswith(root) and not name.startswith(("_pytest", "_regreen", "conftest")):
                names.append(name)
        Wire(self.link).send({"libraries": names})

    def _search(self, found: List[Any]) -> None:
        items = {item.nodeid: item for item in found}
        ground, suspicion, plan = None, Suspicion([], [], self.hints), None
        if self.job.targets and all(target in items for target in self.job.targets):
            ground, suspicion, limit_s, stateful, greens = self._ground(items)
        else:
            limit_s, stateful, greens = 1.0, False, [g for g in self.job.passing if g in items]
        extra = {path for path, _line, _weight in self.hints.frames() if path in self.job.editable}
        extra = extra if ground is None else set()
        failing = failing_places(self._files, self.survey.source, self.hints, ground is not None)
        executed = self.survey.executed(suspicion)
        plan = Plan(
            job=self.job,
            hints=self.hints,
            guard=self.guard,
            ground=ground,
            fast=Frontier([] if self.apart else executed + self.survey.tables(suspicion)),
            slow=Frontier(self.survey.imported(suspicion, extra) + failing + (executed if self.apart else [])),
            greens=lambda: greens,
            limit_s=limit_s,
            stateful=stateful,
            imported=self.importing.called,
            end_s=self.end_s,
            places=executed,
            lines=self.lines,
            crowd=crowd(place.score for place in executed),
            apart=self.apart,
        )
        search = Search(plan, self.host, self.link)
        search.run()
        self._report(search, suspicion, None if self.apart else ground)

    def _ground(self, items: Dict[str, Any]) -> "Tuple[Optional[Ground], Suspicion, float, bool, List[str]]":
        live = Live(self.paths)
        gc.collect()
        gc.freeze()
        protocol = Protocol(self.recorder)
        config = next(iter(items.values())).config
        factory = getattr(config, "_tmp_path_factory", None)
        if factory is not None:
            factory.getbasetemp()  # before any fork, so that all children share one base
        greens = nearest([name for name in self.job.passing if name in items], self.job.targets)
        sample = [items[name] for name in self.job.targets + greens[:NEIGHBOURS]]
        share_s = self.job.budget_s * 0.25
        base = Baseline(gathered(lambda wire: measure(sample, protocol, wire), share_s), self.job.targets)
        red = base.red()
        way = base.way()
        run: Run = protocol if way == "protocol" else WAYS[way]
        if len(red) < len(self.job.targets):
            self.host.send({"kind": "note", "text": "some red tests are green when they run alone"})
        if not red:
            return None, Suspicion([], [], self.hints), 1.0, False, greens
        self.job.targets = [name for name in self.job.targets if name in red]  # in an order that no clock decides
        suspicion = self._traced(items, self.job.targets, greens, run)
        kept = self._steady(items, greens, protocol, share_s)
        self.near = kept
        limit_s = max(0.02, 6 * base.slowest_s(way) + 0.01)
        leaks, steady_words = self._leaks(items, base.changing(), run)
        state = State(self.paths, items.values())
        ground = Ground(self.guard.root, live, state, items, red, run, protocol, config, steady_words)
        return ground, suspicion, limit_s, base.stateful() or leaks, kept

    def _leaks(self, items: Dict[str, Any], changing: List[str], run: Run) -> Tuple[bool, bool]:
        """Whether a test's second run shows what the first left behind; whether messages tell such things at all."""
        if not changing:
            return False, True
        item = items[changing[0]]
        words = [gathered(lambda wire: first_words(item, run, wire), ITEM_S)[:1] for _ in range(2)]
        return words[0] == words[1], words[0] == words[1]

    def _traced(self, items: Dict[str, Any], red: List[str], greens: List[str], run: Run) -> Suspicion:
        cap_s = min(20.0, 0.15 * self.job.budget_s)
        chosen = [items[name] for name in red + greens]
        messages = gathered(lambda wire: trace_items(chosen, run, self.paths, wire, cap_s), cap_s + 2.0)
        lines = self.lines = {message["id"]: message["lines"] for message in messages}
        good = {message["id"] for message in messages if message["ok"]}
        trees = self.survey.trees(self.job.editable)
        started = any(message["started"] for message in messages if message["id"] in red)
        self.apart = started and not any(within_functions(lines[name], trees) for name in red if name in lines)
        if self.apart:
            lines = {message["id"]: message["elsewhere"] for message in messages}
        reds = [lines[name] for name in red if name in lines]
        suspicion = Suspicion(reds, [lines[name] for name in greens if name in lines and name in good], self.hints)
        if self.apart and not any(within_functions(one, trees) for one in reds):
            tests = {name.split("::")[0] for name in red}
            suspicion.guess(guessed([self.guard.files[path][0] for path in sorted(tests)], trees, self.hints))
        return suspicion

    def _steady(self, items: Dict[str, Any], greens: List[str], protocol: Protocol, share_s: float) -> List[str]:
        if not greens:
            return []
        chosen = [items[name] for name in greens]
        messages = gathered(lambda wire: steady(chosen, protocol, wire, share_s), share_s + 2.0)
        return [message["id"] for message in messages if message["ok"]]

    def _report(self, search: Search, suspicion: Suspicion, ground: Optional[Ground]) -> None:
        survivors = search.standing.survivors()
        examined = self._examined(survivors, ground)
        reds = telling_reds([self.lines.get(name, {}) for name in self.job.targets])
        clusters = clustered(survivors, examined, crash=self._is_crash(), reds=reds)
        self.host.send(
            {
                "kind": "result",
                "candidates": [told for cluster in sure(clusters) for told in _told(cluster)][:20],
                "doubted": [told for cluster in clusters for told in _told(cluster)][:20],
                "doubt": doubt(clusters, examined),
                "tried": search.standing.tried,
                "seconds": round(time.monotonic() - self.began_s, 3),
                "places": self.survey.named(suspicion)[:10],
                "best": search.partial(),
                "compared": search.compared(),
            }
        )

    def _examined(self, survivors: List[Tuple[float, Candidate]], ground: Optional[Ground]) -> Examined:
        if ground is None or len(survivors) < 1:
            return Examined([])
        candidates = [candidate for _cost, candidate in survivors]
        tests = self.job.targets + self._touching(candidates)[:MOST_TESTS]
        limit_s = max(EXAM_LIMIT_S, self.end_s - time.monotonic())
        messages = gathered(lambda wire: examine(ground, self.paths, candidates, tests, wire), limit_s)
        return Examined(messages)

    def _is_crash(self) -> bool:
        """True when no red test got a wrong answer: each ended with an exception from the code."""
        return not any(red.exception in ("AssertionError", "Failed", "") for red in self.job.reds)

    def _touching(self, candidates: List[Candidate]) -> List[str]:
        """Green tests that run a function which some candidate changes."""
        units = {id(unit): unit for candidate in candidates if candidate.exact for unit, _edits in candidate.swaps()}
        if any(isinstance(unit, Table) for unit in units.values()):
            return self.near
        ranges = [(u.source.path, u.node.lineno + 1, u.node.end_lineno or u.node.lineno) for u in units.values()]
        return [
            name
            for name in self.near
            if any(first <= n <= last for path, first, last in ranges for n in self.lines.get(name, {}).get(path, ()))
        ]


def _told(cluster: Cluster) -> Iterator[Dict[str, Any]]:
    signs = cluster.signs._asdict() if cluster.signs is not None else {}
    for cost, candidate in cluster.members:
        yield {**described(candidate, cost), "share": round(cluster.share, 3), "signs": signs}
