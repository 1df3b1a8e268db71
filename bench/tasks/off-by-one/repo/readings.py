"""Reads the log of the rain gauge: one line a day, `2024-05-01 3.2`."""

import datetime


class BadLine(ValueError):
    """A line of the log that cannot be read."""


def parse(line):
    """Return the day and the millimetres of one line."""
    parts = line.split()
    if len(parts) != 2:
        raise BadLine(f"expected a date and a number: {line!r}")
    try:
        return datetime.date.fromisoformat(parts[0]), float(parts[1])
    except ValueError as error:
        raise BadLine(f"{error}: {line!r}") from error


def read(lines):
    """Return all readings, oldest first. Empty lines and comments are skipped."""
    found = []
    for line in lines:
        line = line.split("#")[0].strip()
        if line:
            found.append(parse(line))
    return sorted(found)
