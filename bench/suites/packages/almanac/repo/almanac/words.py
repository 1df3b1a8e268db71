"""Rules in words."""

from almanac.rule import DAILY, MONTHLY, WEEKLY

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}


def ordinal(number):
    """1st, 2nd, 3rd, 11th; negative ones count from the end: last, 2nd last."""
    if number == -1:
        return "last"
    size = abs(number)
    ending = "th" if size % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(size % 10, "th")
    return f"{size}{ending}" + (" last" if number < 0 else "")


def listed(words):
    """a; a and b; a, b and c."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def describe(rule):
    """A sentence without a full stop."""
    parts = [_every(rule)]
    if rule.by_day:
        parts.append(f"on {_weekdays(rule)}")
    if rule.by_month_day:
        parts.append(f"on the {listed(ordinal(day) for day in rule.by_month_day)}")
    if rule.by_month:
        parts.append(f"in {listed(_MONTHS[month - 1] for month in rule.by_month)}")
    if rule.positions:
        parts.append(f"({listed(ordinal(at) for at in rule.positions)} of each {_UNITS[rule.frequency]})")
    if rule.count is not None:
        parts.append("once" if rule.count == 1 else f"{rule.count} times")
    if rule.until is not None:
        parts.append(f"until {rule.until.day} {_MONTHS[rule.until.month - 1]} {rule.until.year}")
    return " ".join(parts)


def _every(rule):
    unit = _UNITS[rule.frequency]
    if rule.interval == 1:
        return f"every {unit}"
    if rule.interval == 2:
        return f"every other {unit}"
    return f"every {rule.interval} {unit}s"


def _weekdays(rule):
    if rule.frequency in (DAILY, WEEKLY, MONTHLY) and _working_week(rule):
        return "working days"
    plain = [_DAYS[day.weekday] for day in sorted(rule.by_day, key=lambda day: day.weekday) if not day.nth]
    numbered = [f"the {ordinal(day.nth)} {_DAYS[day.weekday]}" for day in rule.by_day if day.nth]
    return listed(plain + numbered)


def _working_week(rule):
    return {day.weekday for day in rule.by_day if not day.nth} == {0, 1, 2, 3, 4} and len(rule.by_day) == 5
