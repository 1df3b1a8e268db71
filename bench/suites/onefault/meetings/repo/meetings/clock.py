"""Moments in time: always with a zone, stored in UTC."""

from datetime import datetime, timedelta, timezone

UTC = timezone.utc


def zone(hours):
    """A zone that is some hours ahead of UTC."""
    return timezone(timedelta(hours=hours))


def parse(text, default=UTC):
    """Read "2024-05-01T10:30+02:00" or "…Z"; a time without a zone is one in the default zone. In UTC."""
    moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=default)
    return moment.astimezone(UTC)


def show(moment, where=UTC):
    """As people in a zone write it: 01.05.2024 12:30."""
    return moment.astimezone(where).strftime("%d.%m.%Y %H:%M")


def from_seconds(seconds):
    """The moment that many seconds after the beginning of 1970."""
    return datetime.fromtimestamp(seconds, tz=UTC)


def same_day(first, second, where=UTC):
    """Whether two moments fall on one day for people in a zone."""
    return first.astimezone(where).date() == second.astimezone(where).date()


def minutes_between(first, second):
    """Whole minutes from the first moment to the second; fractions are dropped."""
    return int((second - first).total_seconds() // 60)
