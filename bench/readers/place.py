"""Where a corpus lies, and what every reader asks of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import Refused


@dataclass(frozen=True)
class Place:
    """What the user gave: the corpus, a folder of git mirrors where it needs one, and which tasks are wanted."""

    path: Path
    mirrors: Path | None = None
    wanted: Callable[[str], bool] = lambda name: True
    """Asked with the name of a task before its files are read."""


def folder(place: Place, *parts: str, corpus: str, clone: str) -> Path:
    """A folder that the layout must have. Refused without it."""
    found = place.path.joinpath(*parts)
    if not found.is_dir():
        missing = "/".join(parts) or str(place.path)
        raise Refused(f"{place.path} is no checkout of {corpus}: there is no folder {missing}.", clone)
    return found


def text(path: Path) -> str:
    """The text of a file. Refused when it cannot be read as UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.", "Check the checkout.") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is not UTF-8 text.", "Restore it from its repository.") from error


def records(path: Path, needed: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file. Refused at the first line that is none, or lacks one of these fields."""
    for number, line in enumerate(text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise Refused(
                f"{path}:{number} is not JSON: {error}.", "Give a file with one JSON object a line."
            ) from error
        if not isinstance(record, dict):
            raise Refused(f"{path}:{number} is no JSON object.", "Give a file with one JSON object a line.")
        missing = [name for name in needed if name not in record]
        if missing:
            raise Refused(f"{path}:{number} has no {', '.join(missing)}.", "Give the data set as it is published.")
        yield record


def tasks_file(place: Place, *usual: str) -> Path:
    """The JSON Lines file meant: the path itself, or the only one that fits below it. Refused otherwise."""
    if place.path.is_file():
        return place.path
    for pattern in (*usual, "*.jsonl"):
        found = sorted(place.path.glob(pattern)) if place.path.is_dir() else []
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(path.name for path in found)
            raise Refused(f"{place.path} holds several files: {names}.", "Give one of them with --from.")
    raise Refused(f"There is no JSON Lines file at {place.path}.", "Give the path of one with --from.")


def some(tasks: list[Any], place: Place, corpus: str) -> None:
    """Refused when nothing was found."""
    if not tasks:
        raise Refused(f"No task of {corpus} in {place.path} is wanted or complete.", "Check --from and --only.")
