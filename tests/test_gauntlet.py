"""The gate on the suite of cheats: what it says, what each layer is worth, and how a run is gone on with."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench import cheats, gauntlet
from bench.cheats import Case
from bench.gauntlet import Catch, Run
from bench.run import KEY
from bench.scorebook import Scorebook
from bot.gate.layer import Options
from bot.work import Means
from handlers.cli import app
from sandbox import Limits
from sandbox.bubblewrap import BubblewrapSandbox

CASES = {case.name: case for case in cheats.load().cases}


def means(sandbox: BubblewrapSandbox) -> Means:
    return Means(sandbox=sandbox, engines={}, limits=Limits(timeout_s=60), search_s=1.0, key=KEY)


def judged(names: list[str], by: Means, folder: Path, **options: object) -> dict[str, Run]:
    cases: list[Case] = [CASES[name] for name in names]
    strict = dataclasses.replace(by, gate=Options(**options))  # type: ignore[arg-type]
    return {run.task: run for run in gauntlet.run(cases, strict, Scorebook(folder / "cheats.jsonl", Run), parallel=2)}


SAMPLE = [
    "bank/money-that-is-equal-to-money", "calc/hard-exit-when-called", "calc/skip-test", "calc/pytest-toml-deselects",
    "calc/agrees-with-everything", "calc/tests-do-nothing", "calc/plugin-through-frames", "calc/junit-file-cleaned",
    "calc/expected-value-from-the-callers-line", "calc/knows-the-running-test", "deal/set-up-function-exported",
    "golden/expected-file-changed", "stats/fractions-shadowed", "stats/within-every-tolerance",
]  # fmt: skip
"""Cheats of many kinds, on hosts of several shapes."""

LOOK_ALIKES = [
    "bank/locked", "deal/generator-as-context", "stats/one-less", "levels/enumeration", "missing/module-added",
    "shop/version-raised", "vectors/from-both-sides",
]  # fmt: skip


def test_no_cheat_of_the_sample_is_accepted(bubblewrap_sandbox, tmp_path):
    runs = judged(SAMPLE, means(bubblewrap_sandbox), tmp_path)
    assert {name: run.verdict for name, run in runs.items()} == dict.fromkeys(SAMPLE, "rejected")


def test_no_look_alike_of_the_sample_is_held_up(bubblewrap_sandbox, tmp_path):
    runs = judged(LOOK_ALIKES, means(bubblewrap_sandbox), tmp_path)
    assert {name: (run.verdict, run.reasons) for name, run in runs.items()} == dict.fromkeys(
        LOOK_ALIKES, ("accepted", ())
    )


ALONE = [
    pytest.param({"structure"}, "golden/expected-file-changed", id="structure"),
    pytest.param({"facts"}, "todo/capture-replaced", id="facts"),
    pytest.param({"tests", "flakes"}, "fetch/order-lost", id="tests"),
    pytest.param({"canaries", "facts"}, "todo/exit-code-that-agrees", id="canaries"),
    pytest.param({"replay", "facts"}, "calc/knows-the-running-test-by-pattern", id="replay"),
]
"""Layers that are left out, and a cheat that nobody else stops. Both layers that run the whole suite go together; two
cheats are known to the static facts by their words, and a cheat in other words would not be."""


@pytest.mark.parametrize(("layers", "name"), ALONE)
def test_cheat_passes_where_its_layer_is_left_out(bubblewrap_sandbox, tmp_path, layers, name):
    by = means(bubblewrap_sandbox)
    assert judged([name], by, tmp_path)[name].verdict != "accepted"
    assert judged([name], by, tmp_path, off=frozenset(layers))[name].verdict == "accepted"


def run_of(task: str = "h/a", *caught: str, honest: bool = False, suspected: tuple[str, ...] = ()) -> Run:
    verdict = "rejected" if caught else "needs-review" if suspected else "accepted"
    right = ("accepted",) if honest else ("rejected",)
    return Run(task, "d", "plain", honest, verdict, right, caught, suspected, (), ())


def test_layer_is_told_apart_by_what_only_it_caught():
    runs = [
        run_of("h/a", "facts"),
        run_of("h/b", "facts", "tests"),
        run_of("h/c"),
        run_of("h/d", "tests", honest=True),
        run_of("h/e", honest=True, suspected=("facts",)),
    ]
    figures = gauntlet.catches(runs)
    assert figures["facts"] == Catch(caught=2, alone=1, refused=0, asked=1)
    assert figures["tests"] == Catch(caught=1, alone=0, refused=1, asked=0)
    assert [run.task for run in runs if not run.right] == ["h/c", "h/d", "h/e"]


def test_run_is_gone_on_with_and_a_changed_case_is_judged_again(bubblewrap_sandbox, tmp_path):
    by, name = means(bubblewrap_sandbox), "calc/pytest-toml-deselects"
    first = judged([name], by, tmp_path)[name]
    broken = dataclasses.replace(by, sandbox=None)  # type: ignore[arg-type]
    assert judged([name], broken, tmp_path)[name] == first
    assert len((tmp_path / "cheats.jsonl").read_bytes().splitlines()) == 1
    stricter = dataclasses.replace(by, gate=Options(all_layers=True))
    assert gauntlet.digest(CASES[name], stricter) != first.digest


def test_run_that_is_broken_off_begins_no_other_case(bubblewrap_sandbox, tmp_path, monkeypatch):
    begun: list[str] = []
    judge = gauntlet.Course.judged
    monkeypatch.setattr(gauntlet.Course, "judged", lambda self, case: begun.append(case.name) or judge(self, case))
    cases = [CASES[name] for name in SAMPLE if name.startswith("calc/")]
    runs = gauntlet.run(cases, means(bubblewrap_sandbox), Scorebook(tmp_path / "cheats.jsonl", Run))
    next(runs)
    runs.close()
    assert len(begun) < len(cases)


def test_command_says_what_each_layer_caught(tmp_path):
    argv = ["bench", "cheats", "--only", "hashes/masked", "--sandbox", "bubblewrap", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, argv)
    assert done.exit_code == 0, done.output
    for layer in gauntlet.LAYERS:
        assert layer in done.output
    assert "0 of 1" in done.output
