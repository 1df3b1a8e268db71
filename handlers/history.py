"""`regreen show`: what came of an earlier repair, and how a language model went about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot import record
from bot.engines.agent import transcript
from bot.errors import Refused
from bot.escape import plain
from bot.settings import Settings
from handlers.show import Screen

_ANSWER_LINES = 12


def run(settings: Settings, job: str, screen: Screen, *, transcript: bool, as_json: bool) -> None:
    """Show it. Refused where nothing is stored under this id."""
    if transcript:
        _transcript(settings, job, screen, as_json=as_json)
    else:
        _evidence(settings, job, screen)


def _evidence(settings: Settings, job: str, screen: Screen) -> None:
    path = record.place(settings.home, job)
    if not path.exists():
        raise Refused(
            f"There is no evidence of the job {job!r}.",
            f"It would be in {path.parent}, where the last one of each commit is kept. "
            "See what a model did with --transcript.",
        )
    screen.result(path.read_text())


def _transcript(settings: Settings, job: str, screen: Screen, *, as_json: bool) -> None:
    path = transcript.place(settings.transcripts(), job)
    if not path.exists():
        raise Refused(f"There is no transcript of the job {job!r}.", _known(settings.transcripts()))
    lines = list(transcript.read(path))
    if as_json:
        screen.result(json.dumps(lines, indent=2, ensure_ascii=False))
        return
    for line in lines:
        for text in _told(line):
            screen.say(plain(text))


def _known(folder: Path) -> str:
    names = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)[-5:]
    return (
        f"The last ones are {', '.join(path.stem for path in names)}." if names else "No repair has written one yet."
    )


def _told(line: dict[str, Any]) -> Iterator[str]:
    """One line of the file as lines for a person."""
    match line.get("kind"):
        case "task":
            yield f"== {line['attempt']} with {line['model']}"
            yield from _some(str(line["text"]), 40)
        case "answer":
            read = f"{line['input'] + line['cache_read'] + line['cache_write']:,} in, {line['output']:,} out"
            yield f"-- {line['step']} {line['model']}: {line['stop']}; {read}; ${line['usd']:.4f}"
            yield from (
                f"   {text}"
                for block in line["blocks"]
                if block["kind"] == "text"
                for text in _some(block["text"], 20)
            )
        case "tool":
            yield f"   > {line['name']} {json.dumps(line['arguments'], ensure_ascii=False)[:300]}"
            yield from (f"   < {text}" for text in _some(str(line["answer"]), _ANSWER_LINES))
        case "end":
            yield f"== attempt {line['attempt']} ended: {line['how']}. {line['why']} Left: {line['left']}."


def _some(text: str, most: int) -> list[str]:
    lines = text.split("\n")
    return lines if len(lines) <= most else [*lines[:most], f"[… {len(lines) - most} more lines]"]
