"""`regreen images`: what Regreen has built on this machine's engine, and its removal."""

from __future__ import annotations

import dataclasses
import json as json_lib
import re
import time
from typing import Annotated, Any

import typer
from rich.table import Table

from bot import settings, upkeep
from bot.errors import Refused
from handlers.answer import answering
from handlers.show import Screen
from sandbox import prune
from sandbox.prune import Leaving, Made, Pruned, Rules

app = typer.Typer(help="The images that Regreen has built.", no_args_is_help=True)

_PLAIN_COLUMNS = 110
"""Width of a table that goes into a file or a pipe."""
_DURATIONS_S = {"h": 3600.0, "d": 86400.0, "w": 7 * 86400.0}
_SIZES = {"MB": 1e6, "GB": 1e9, "TB": 1e12, "MIB": 2.0**20, "GIB": 2.0**30, "TIB": 2.0**40}

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]


@app.command("list")
def list_images(json: JsonOption = False) -> None:
    """Show the base and dependency images: age, last use, size, and whether a box holds them."""
    screen = Screen(json=json)
    with answering(screen):
        found = prune.images(upkeep.stocks(settings.load()))
        total = sum(image.own_bytes for image in found)
        if json:
            screen.result(_json(images=[dataclasses.asdict(image) for image in found], total_bytes=total))
            return
        screen.out.print(_table(found, time.time(), width=None if screen.out.is_terminal else _PLAIN_COLUMNS))
        screen.say(f"{len(found)} images, {_size(total)} together.")


@app.command("prune")
def prune_images(
    older_than: Annotated[
        str | None, typer.Option(metavar="AGE", help="Remove what was not used for so long: 30d, 12h, 2w.")
    ] = None,
    keep_size: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Remove the longest unused until all take no more: 10GB.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Remove all that no box holds, bases too.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, and remove nothing.")] = False,
    json: JsonOption = False,
) -> None:
    """Remove images that Regreen has built and can build again.

    Without an option, the limits are those of REGREEN_IMAGES_MAX_AGE_DAYS and REGREEN_IMAGES_MAX_GB. An image
    that a box holds, that another image needs or that was used within the last hour stays.
    """
    screen = Screen(json=json)
    with answering(screen, interrupted="What is removed so far stays removed."):
        rules = Rules(
            max_age_s=None if older_than is None else seconds(older_than),
            max_bytes=None if keep_size is None else size_bytes(keep_size),
            everything=everything,
        )
        values = settings.load()
        if rules == Rules():
            rules = upkeep.rules(values)
        done = prune.prune(upkeep.stocks(values), rules, dry_run=dry_run)
        if json:
            screen.result(_record(done, dry_run=dry_run))
        else:
            _tell(screen, done, dry_run=dry_run)


def seconds(age: str) -> float:
    """`30d`, `12h`, `2w`. Refused for anything else."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([hdw])", age.strip())
    if not found:
        raise Refused(f"{age!r} is no age.", "Give a number and a unit: 12h, 30d or 2w.")
    return float(found[1]) * _DURATIONS_S[found[2]]


def size_bytes(size: str) -> int:
    """`10GB`, `500MB`, `1.5GiB`. Refused for anything else."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([KMGT]I?B)", size.strip().upper())
    if not found or found[2] not in _SIZES:
        raise Refused(f"{size!r} is no size.", "Give a number and a unit: 500MB, 10GB or 1.5GiB.")
    return int(float(found[1]) * _SIZES[found[2]])


def _tell(screen: Screen, done: Pruned, *, dry_run: bool) -> None:
    for gone in done.removed:
        image, verb = gone.image, "would remove" if dry_run else "removed"
        screen.say(f"{verb} {_short(image.id)} ({image.kind}, {_size(image.own_bytes)}): {gone.reason}")
    for stayed in done.refused:
        screen.failure(f"kept {_short(stayed.image.id)}:", stayed.reason)
    verb = "would be freed" if dry_run else "freed"
    screen.say(f"{_size(done.freed_bytes)} {verb}, {_size(done.kept_bytes)} kept.")


def _record(done: Pruned, *, dry_run: bool) -> str:
    return _json(
        dry_run=dry_run,
        removed=[_leaving(gone) for gone in done.removed],
        refused=[_leaving(stayed) for stayed in done.refused],
        freed_bytes=done.freed_bytes,
        kept_bytes=done.kept_bytes,
    )


def _leaving(one: Leaving) -> dict[str, Any]:
    image = one.image
    return {
        "id": image.id,
        "stock": image.stock,
        "kind": image.kind,
        "own_bytes": image.own_bytes,
        "reason": one.reason,
    }


def _json(**values: Any) -> str:
    return json_lib.dumps(values, indent=2)


def _table(images: list[Made], now: float, *, width: int | None) -> Table:
    table = Table("image", "where", "kind", "recipe", box=None, pad_edge=False, width=width)
    for heading in ("created", "used", "size", "own", "layers"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for image in images:
        times = (_ago(now - image.created), _ago(now - image.last_used))
        sizes = (_size(image.size_bytes), _size(image.own_bytes), str(image.layers))
        held = "in use" if image.in_use else ""
        table.add_row(_short(image.id), image.stock, image.kind, image.key[:12], *times, *sizes, held)
    return table


def _short(image_id: str) -> str:
    return image_id.removeprefix("sha256:")[:12]


def _ago(elapsed_s: float) -> str:
    for unit, length_s in (("d", 86400), ("h", 3600), ("min", 60)):
        if elapsed_s >= length_s:
            return f"{elapsed_s / length_s:.0f} {unit}"
    return "now"


def _size(count: int) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"
