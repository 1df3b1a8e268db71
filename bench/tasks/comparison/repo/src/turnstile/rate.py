"""Rates as people write them: `100/minute`."""

from dataclasses import dataclass

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}


@dataclass(frozen=True)
class Rate:
    """At most `limit` requests within `period_s` seconds."""

    limit: int
    period_s: float


def parse(text: str) -> Rate:
    """Read `<number>/<unit>`; the unit may be a plural."""
    number, slash, unit = text.replace(" ", "").partition("/")
    unit = unit.lower().rstrip("s")
    if not slash or not number.isdigit() or unit not in SECONDS:
        raise ValueError(f"not a rate: {text!r}")
    return Rate(int(number), SECONDS[unit])
