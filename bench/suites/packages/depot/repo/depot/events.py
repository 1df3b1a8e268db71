"""What can have happened. Events are plain data and know how to become JSON and come back from it."""

from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Optional

_KINDS = {}


def event(cls):
    """Make a class a frozen dataclass that can be stored."""
    cls = dataclass(frozen=True)(cls)
    _KINDS[cls.__name__] = cls
    return cls


@event
class Received:
    """Goods came in as one lot."""

    sku: str
    quantity: int
    location: str
    lot: str
    expires: Optional[date] = None
    cost: int = 0


@event
class Shipped:
    """Goods left, out of one lot."""

    sku: str
    quantity: int
    location: str
    lot: str
    order: str = ""


@event
class Moved:
    """Goods of one lot went to another location."""

    sku: str
    quantity: int
    source: str
    target: str
    lot: str


@event
class Reserved:
    sku: str
    quantity: int
    order: str
    until: Optional[date] = None


@event
class Released:
    """A reservation, or a part of it, is over."""

    sku: str
    quantity: int
    order: str
    reason: str = "cancelled"


@event
class Counted:
    """Somebody counted one lot; `difference` was found too much (positive) or too little."""

    sku: str
    location: str
    lot: str
    difference: int


@event
class Renamed:
    sku: str
    title: str


def to_record(happened):
    """JSON-ready data of an event."""
    data = {name: value.isoformat() if isinstance(value, date) else value for name, value in asdict(happened).items()}
    return {"kind": type(happened).__name__, "data": data}


def from_record(record):
    """The event. Fields that a newer version has added take their defaults; unknown kinds are an error."""
    try:
        cls = _KINDS[record["kind"]]
    except KeyError:
        raise ValueError(f"unknown kind of event: {record.get('kind')!r}") from None
    values = {}
    for field in fields(cls):
        if field.name in record["data"]:
            value = record["data"][field.name]
            if value is not None and field.type in (date, Optional[date]):
                value = date.fromisoformat(value)
            values[field.name] = value
    return cls(**values)
