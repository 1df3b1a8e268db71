"""Which of the images that Regreen made can go, and the removal of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

Kind = Literal["raw", "base", "dependencies"]

BUSY_S = 3600.0
"""An image that was used this recently may belong to a repair that is between two of its boxes."""


@dataclass(frozen=True)
class Made:
    """An image that Regreen made. Times are seconds since the epoch."""

    id: str
    kind: Kind
    key: str
    created: float
    last_used: float
    size_bytes: int
    own_bytes: int
    """What it adds to the image that it was made from: what its removal frees."""
    layers: int
    made_from: str = ""
    """The image of ours below it, if any."""
    in_use: bool = False
    """True: a box is made from it."""
    stock: str = ""
    """Where it lies: the name of its Stock."""


@dataclass(frozen=True)
class Rules:
    """What has to go. `everything` takes all that no box holds, whatever its age and size."""

    max_age_s: float | None = None
    max_bytes: int | None = None
    everything: bool = False


@dataclass(frozen=True)
class Leaving:
    """An image that has to go, and why."""

    image: Made
    reason: str


@dataclass(frozen=True)
class Pruned:
    """What a pruning did, or would have done."""

    removed: tuple[Leaving, ...]
    refused: tuple[Leaving, ...]
    """Images that stayed after all; the reason says why."""
    kept_bytes: int

    @property
    def freed_bytes(self) -> int:
        return sum(gone.image.own_bytes for gone in self.removed)


class Stock(Protocol):
    """A place where images of ours lie."""

    @property
    def name(self) -> str: ...

    def made(self) -> list[Made]:
        """All images of ours in it. Raises SandboxUnavailable when the place cannot be reached."""
        ...

    def remove(self, image: Made, *, though_used: bool) -> str:
        """Remove one image; returns what stood in the way, empty when it is gone.

        Unless `though_used`, an image that was used after `image` was read stays.
        """
        ...


def images(stocks: Sequence[Stock]) -> list[Made]:
    """All images that Regreen made, the most recently used first."""
    found = [image for stock in stocks for image in stock.made()]
    return sorted(found, key=lambda image: (-image.last_used, image.id))


def prune(stocks: Sequence[Stock], rules: Rules, *, dry_run: bool = False) -> Pruned:
    """Remove what has to go by `rules`. What is in use meanwhile, or not ours alone, stays."""
    found, by_name = images(stocks), {stock.name: stock for stock in stocks}
    done = []
    for one in leaving(found, rules, now=time.time()):
        stock = by_name[one.image.stock]
        done.append((one, "" if dry_run else stock.remove(one.image, though_used=rules.everything)))
    removed = tuple(one for one, obstacle in done if not obstacle)
    refused = tuple(replace(one, reason=obstacle) for one, obstacle in done if obstacle)
    total = sum(image.own_bytes for image in found)
    return Pruned(removed, refused, total - sum(gone.image.own_bytes for gone in removed))


def leaving(images: Sequence[Made], rules: Rules, *, now: float) -> list[Leaving]:
    """What has to go, in the order of removal: the longest unused first, and nothing that another one needs."""
    stay = {image.id: image for image in images}
    gone: list[Leaving] = []
    while free := _free(stay, rules, now):
        oldest = min(free, key=lambda image: (image.last_used, image.id))
        reason = _reason(oldest, rules, now=now, total_bytes=sum(image.own_bytes for image in stay.values()))
        if not reason:
            break
        gone.append(Leaving(stay.pop(oldest.id), reason))
    return gone


def _free(stay: dict[str, Made], rules: Rules, now: float) -> list[Made]:
    needed = {image.made_from for image in stay.values()}
    idle = [image for image in stay.values() if image.id not in needed and not image.in_use]
    return [image for image in idle if rules.everything or now - image.last_used >= BUSY_S]


def _reason(image: Made, rules: Rules, *, now: float, total_bytes: int) -> str:
    idle_s = now - image.last_used
    if rules.everything:
        return "all were asked for"
    if rules.max_age_s is not None and idle_s > rules.max_age_s:
        return f"not used for {idle_s / 86400:.1f} days"
    if rules.max_bytes is not None and total_bytes > rules.max_bytes:
        return f"all images together take {total_bytes / 1e9:.1f} GB"
    return ""
