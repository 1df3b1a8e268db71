"""Suites: folders of tasks. Where many faults share one repository, it lies there once, correct, and faults are data.

bench/suites/<suite>/
    suite.toml          title; operator classes, each with a sentence
    <host>/
        repo/           the correct repository with its visible tests
        hidden/         tests, laid over it only to judge a repair; neither engine nor gate gets them
        faults.toml     id, operator class, file, text of the correct file, text that a fault puts in its place
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from bench.tasks import BenchTask, Tree, broken, check, table, tree
from bot.errors import Refused
from bot.nouns import Outcome

FOLDER = Path(__file__).with_suffix("")


@dataclass(frozen=True)
class Suite:
    """Tasks by name, `<host>/<fault>`; the kind of each is an operator class."""

    name: str
    title: str
    operators: Mapping[str, str]
    """Operator class -> what it is, in a sentence."""
    tasks: tuple[BenchTask, ...]
    notes: tuple[str, ...] = ()
    """What was left out, and why."""


def names() -> list[str]:
    return sorted(path.parent.name for path in FOLDER.glob("*/suite.toml"))


def load(name: str) -> Suite:
    """A suite by its name. Refused for a name that there is not, or a broken suite."""
    if name not in names():
        raise Refused(f"There is no suite {name!r}.", f"Known are: {', '.join(names()) or 'none'}.")
    return read(FOLDER / name)


def read(folder: Path) -> Suite:
    """The suite in one folder. Refused where it contradicts itself."""
    about = table(folder, "suite.toml", _About)
    hosts = sorted(path.parent for path in folder.glob("*/faults.toml"))
    tasks = tuple(task for host in hosts for task in _tasks(host, about))
    return Suite(folder.name, about.title, about.operators, tasks)


class _Model(BaseModel):
    """A key that we do not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _About(_Model):
    title: str = Field(min_length=1)
    operators: dict[str, str] = Field(min_length=1)


class _Change(_Model):
    """One place: `old` stands in the correct file exactly once."""

    file: str = Field(min_length=1)
    old: str = Field(min_length=1)
    new: str


class _Fault(_Change):
    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    operator: str
    says: str = Field(min_length=1)
    """What is wrong, in one sentence."""
    failing: tuple[str, ...]
    also: tuple[_Change, ...] = ()
    """Further places of the same fault."""
    outcome: tuple[Outcome, ...] = Field((Outcome.FIXED,), min_length=1)
    """How a repair ought to end: one of these."""
    timeout_s: float | None = Field(None, gt=0)

    @field_validator("outcome", mode="before")
    @classmethod
    def _one_or_several(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _has_something_to_fix(self) -> _Fault:
        if Outcome.FIXED in self.outcome and not self.failing:
            raise ValueError(f"{self.id} can only be fixed where a test is red: failing is empty")
        return self


class _Faults(_Model):
    faults: tuple[_Fault, ...] = Field(min_length=1)


def _tasks(host: Path, about: _About) -> list[BenchTask]:
    repository, hidden = tree(host / "repo"), tree(host / "hidden")
    faults = table(host, "faults.toml", _Faults).faults
    ids = [fault.id for fault in faults]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise broken(host, f"{', '.join(twice)} stands there twice")
    for fault in faults:
        if fault.operator not in about.operators:
            raise broken(host, f"{fault.id} is of the class {fault.operator!r}, which suite.toml does not know")
    return [_task(host, fault, repository, hidden) for fault in faults]


def _task(host: Path, fault: _Fault, repository: Tree, hidden: Tree) -> BenchTask:
    faulty = dict(repository)
    for change in (fault, *fault.also):
        faulty[change.file] = _changed(host, fault.id, change, faulty)
    task = BenchTask(
        name=f"{host.name}/{fault.id}",
        title=fault.id.replace("-", " ").capitalize(),
        kind=fault.operator,
        fault=fault.says,
        failing=fault.failing,
        repository=faulty,
        fix={path: repository[path] for path in sorted({change.file for change in (fault, *fault.also)})},
        judges=hidden,
        outcome=fault.outcome,
        timeout_s=fault.timeout_s,
    )
    check(task, host)
    return task


def _changed(host: Path, fault: str, change: _Change, files: Tree) -> bytes:
    if change.file not in files:
        raise broken(host, f"{fault} changes {change.file}, which is not in repo/")
    text = files[change.file].decode()
    count = text.count(change.old)
    if count != 1:
        raise broken(host, f"the old text of {fault} stands {count} times in {change.file}")
    return text.replace(change.old, change.new).encode()
