"""The benchmark's tasks: small faulty repositories, each with its known fix and with tests that nobody else sees.

bench/tasks/<name>/
    task.toml   title, kind of fault, tests that are red, files that the known fix touches
    repo/       the faulty repository
    fix/        files of the known fix, laid over repo/
    hidden/     tests, laid over the repository only to judge a repair; neither engine nor gate gets them
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import Refused

FOLDER = Path(__file__).with_suffix("")

# What running the tests of a task in place leaves behind.
_LEFTOVERS = frozenset({"__pycache__", ".pytest_cache", ".ruff_cache", ".mypy_cache"})


@dataclass(frozen=True)
class BenchTask:
    """One task. Its trees are read anew with each call, as relative POSIX path -> bytes."""

    name: str
    title: str
    kind: str
    """Kind of fault, in words."""
    failing: tuple[str, ...]
    """Ids of the visible tests that are red; all others are green."""
    expected_files: tuple[str, ...]
    """Files that the known fix touches."""
    folder: Path
    fault: str = ""
    """What is wrong, in one sentence."""

    def faulty(self) -> dict[str, bytes]:
        """The repository as an engine gets it."""
        return _tree(self.folder / "repo")

    def fixed(self) -> dict[str, bytes]:
        """The repository with the known fix."""
        return self.faulty() | _tree(self.folder / "fix")

    def hidden(self) -> dict[str, bytes]:
        """The hidden tests alone; none of them has the path of a file in the repository."""
        return _tree(self.folder / "hidden")


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
    path = folder / "task.toml"
    try:
        about = _About.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise _broken(folder, f"task.toml cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _broken(folder, f"task.toml is not TOML: {error}") from error
    except ValidationError as error:
        wrong = "; ".join(f"{_key(one['loc'])}: {one['msg']}" for one in error.errors())
        raise _broken(folder, f"task.toml does not fit: {wrong}") from error
    task = BenchTask(folder.name, about.title, about.kind, about.failing, about.files, folder, about.fault)
    _check(task)
    return task


class _About(BaseModel):
    """What stands in task.toml; a key that we do not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = Field(min_length=1)
    kind: str = Field(min_length=1)
    failing: tuple[str, ...] = Field(min_length=1)
    files: tuple[str, ...] = Field(min_length=1)
    fault: str = Field(min_length=1)


def _check(task: BenchTask) -> None:
    """A task whose trees contradict each other would score engines wrongly."""
    faulty, fix, hidden = task.faulty(), _tree(task.folder / "fix"), task.hidden()
    for name, tree in (("repo", faulty), ("fix", fix), ("hidden", hidden)):
        if not tree:
            raise _broken(task.folder, f"the folder {name}/ is missing or empty")
    changed = sorted(path for path, data in fix.items() if faulty.get(path) != data)
    if changed != sorted(task.expected_files):
        raise _broken(task.folder, f"files = {sorted(task.expected_files)}, but fix/ changes {changed}")
    shared = sorted(hidden.keys() & faulty.keys())
    if shared:
        raise _broken(task.folder, f"hidden/ would replace {', '.join(shared)} of the repository")


def _tree(folder: Path) -> dict[str, bytes]:
    """All files under a folder."""
    found = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        relative.as_posix(): path.read_bytes()
        for relative, path in found.items()
        if not _LEFTOVERS.intersection(relative.parts)
    }


def _key(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


def _broken(folder: Path, what: str) -> Refused:
    return Refused(f"The task {folder.name!r} is broken: {what}.", f"Mend {folder}.")
