"""What one check found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bot.settings import Settings

State: TypeAlias = Literal["ok", "warning", "problem"]


@dataclass(frozen=True)
class Finding:
    """One line of `regreen doctor`. A warning or a problem says in `text` what is wrong, in `remedy` what to do."""

    subject: str
    state: State
    text: str
    remedy: str = ""
    details: tuple[str, ...] = ()
    """Further lines for whoever wants to know it exactly."""


Check: TypeAlias = Callable[[Settings], Finding]
"""Looks at one thing and changes nothing. What it raises becomes a finding too (checkup.py)."""
