"""The benchmark's tasks: small faulty repositories, each with its known fix and with tests that nobody else sees.

bench/tasks/<name>/
    task.toml   title, kind of fault, tests that are red, files that the known fix touches
    repo/       the faulty repository
    fix/        files of the known fix, laid over repo/
    hidden/     tests, laid over the repository only to judge a repair; neither engine nor gate gets them
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import Refused
from bot.nouns import Outcome

FOLDER = Path(__file__).with_suffix("")

Tree = Mapping[str, bytes]
"""Relative POSIX path -> content."""

# What running the tests of a task in place leaves behind.
_LEFTOVERS = frozenset({"__pycache__", ".pytest_cache", ".ruff_cache", ".mypy_cache"})


@dataclass(frozen=True)
class BenchTask:
    """One task: a faulty repository, its known fix, and tests that only the bench sees."""

    name: str
    title: str
    kind: str
    """Kind of fault, in words."""
    fault: str
    """What is wrong, in one sentence."""
    failing: tuple[str, ...]
    """Ids of the visible tests that are red; all others are green."""
    repository: Tree
    fix: Tree
    """Files that the known fix changes, as they are with it."""
    judges: Tree
    pytest_args: tuple[str, ...] = ()
    """What the failing command adds to `pytest`."""
    must_pass: tuple[str, ...] = ()
    """Ids of visible tests that judge a repair, where a corpus has no hidden ones."""
    outcome: tuple[Outcome, ...] = (Outcome.FIXED,)
    """How a repair ought to end; without `fixed`, the right answer is to leave the code alone."""
    timeout_s: float | None = None
    """Longest time of one run of its tests, where the usual limit is too long to wait for."""

    @property
    def expected_files(self) -> tuple[str, ...]:
        """Files that the known fix touches."""
        return tuple(sorted(self.fix))

    def faulty(self) -> dict[str, bytes]:
        """The repository as an engine gets it."""
        return dict(self.repository)

    def fixed(self) -> dict[str, bytes]:
        """The repository with the known fix."""
        return {**self.repository, **self.fix}

    def hidden(self) -> dict[str, bytes]:
        """The hidden tests alone; none of them has the path of a file in the repository."""
        return dict(self.judges)


def load(name: str | None = None) -> tuple[BenchTask, ...]:
    """All tasks by name, or only the one asked for. Refused for a name that there is not, or a broken task."""
    names = sorted(path.parent.name for path in FOLDER.glob("*/task.toml"))
    if name is None:
        return tuple(read(FOLDER / known) for known in names)
    if name not in names:
        raise Refused(f"There is no task {name!r}.", f"Known are: {', '.join(names) or 'none'}.")
    return (read(FOLDER / name),)


def read(folder: Path) -> BenchTask:
    """The task in one folder. Refused where it is not complete."""
    about = table(folder, "task.toml", _About)
    repository, fix, judges = (tree(folder / name) for name in ("repo", "fix", "hidden"))
    task = BenchTask(folder.name, about.title, about.kind, about.fault, about.failing, repository, fix, judges)
    check(task, folder)
    changed = sorted(path for path, data in fix.items() if repository.get(path) != data)
    if changed != sorted(about.files):
        raise broken(folder, f"files = {sorted(about.files)}, but fix/ changes {changed}")
    return task


class _About(BaseModel):
    """What stands in task.toml; a key that we do not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1)
    kind: str = Field(min_length=1)
    failing: tuple[str, ...] = Field(min_length=1)
    files: tuple[str, ...] = Field(min_length=1)
    fault: str = Field(min_length=1)


def check(task: BenchTask, folder: Path) -> None:
    """A task whose trees contradict each other would score engines wrongly. Refused for such a one."""
    for name, files in (("repo", task.repository), ("fix", task.fix), ("hidden", task.judges)):
        if not files and not (name == "hidden" and task.must_pass):
            raise broken(folder, f"the folder {name}/ is missing or empty")
    shared = sorted(task.judges.keys() & task.repository.keys())
    if shared:
        raise broken(folder, f"hidden/ would replace {', '.join(shared)} of the repository")


Model = TypeVar("Model", bound=BaseModel)


def table(folder: Path, name: str, model: type[Model]) -> Model:
    """A TOML file of a task or a suite. Refused where it is missing or does not fit the model."""
    try:
        return model.model_validate(tomllib.loads((folder / name).read_text(encoding="utf-8")))
    except OSError as error:
        raise broken(folder, f"{name} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise broken(folder, f"{name} is not TOML: {error}") from error
    except ValidationError as error:
        wrong = "; ".join(f"{_key(one['loc'])}: {one['msg']}" for one in error.errors())
        raise broken(folder, f"{name} does not fit: {wrong}") from error


def tree(folder: Path) -> dict[str, bytes]:
    """All files under a folder."""
    found = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        relative.as_posix(): path.read_bytes()
        for relative, path in found.items()
        if not _LEFTOVERS.intersection(relative.parts)
    }


def broken(folder: Path, what: str) -> Refused:
    """The error for a task or a suite that cannot be used as it is."""
    return Refused(f"The task {folder.name!r} is broken: {what}.", f"Mend {folder}.")


def _key(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)
