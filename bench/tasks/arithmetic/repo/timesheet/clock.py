"""Times of day and durations, in minutes."""

DAY = 24 * 60


def minutes(text):
    """Return the minutes since midnight of a time such as `08:30`."""
    hours, _, rest = text.partition(":")
    total = int(hours) * 60 + int(rest or 0)
    if not 0 <= total <= DAY:
        raise ValueError(f"not a time of day: {text}")
    return total


def hours(total):
    """Return a duration as people write it: `7:05`, and `-0:30` where time is missing."""
    sign = "-" if total < 0 else ""
    return f"{sign}{abs(total) // 60}:{abs(total) % 60:02}"
