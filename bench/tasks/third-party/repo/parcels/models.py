"""What the tracking service tells us, as attrs classes."""

from __future__ import annotations

import datetime

import attrs


def _day(value: str | datetime.date) -> datetime.date:
    return datetime.date.fromisoformat(value) if isinstance(value, str) else value


@attrs.frozen
class Parcel:
    """One parcel on its way."""

    number: str = attrs.field(validator=attrs.validators.matches_re(r"[A-Z]{2}\d{6}"))
    promised: datetime.date = attrs.field(converter=_day)
    delivered: datetime.date | None = attrs.field(default=None, converter=attrs.converters.optional(_day))
    weight_g: int = attrs.field(default=0, converter=int, validator=attrs.validators.ge(0))

    @classmethod
    def from_json(cls, data: dict) -> Parcel:
        """Make a parcel from an answer of the service; fields that we do not know are ignored."""
        known = {field.name for field in attrs.fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})

    def is_late(self, today: datetime.date) -> bool:
        """True when the parcel should have been delivered before today and was not."""
        return self.delivered is None or self.promised < today
