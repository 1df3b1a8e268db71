"""The job database: where it lies, whether somebody works on it, and what stands in it."""

from __future__ import annotations

import os

from bot import jobs
from bot.doctor.finding import Finding
from bot.settings import Settings


def database(settings: Settings) -> Finding:
    """The queue, without taking it from a server that runs."""
    path = settings.database()
    if not path.exists():
        return _place(settings)
    if not os.access(path, os.W_OK):
        remedy = "Run as the user who made it, or set REGREEN_HOME to another folder."
        return Finding("job database", "problem", f"{path} cannot be written to.", remedy)
    if jobs.is_held(path):
        return Finding("job database", "ok", f"{path}; a server works on it, so nothing was counted")
    counts = jobs.counts(path)
    shown = ", ".join(f"{count} {state}" for state, count in sorted(counts.items())) or "no flow yet"
    return Finding("job database", "ok", f"{path}; {shown}; no server runs")


def _place(settings: Settings) -> Finding:
    place = settings.home.expanduser().absolute()
    while not place.exists():
        place = place.parent
    if os.access(place, os.W_OK | os.X_OK):
        return Finding("job database", "ok", f"{settings.database()} will be made by the first `regreen serve`")
    remedy = "Give this user the right to write there, or set REGREEN_HOME to another folder."
    return Finding("job database", "problem", f"No folder can be made in {place}.", remedy)
