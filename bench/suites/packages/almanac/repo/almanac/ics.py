"""The text form of RFC 5545, as far as series go."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from almanac.errors import AlmanacError, IcsError
from almanac.rule import parse, render
from almanac.series import Series

LONGEST = 75
_DURATION = re.compile(r"P(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?)?")


@dataclass(frozen=True)
class Line:
    """`NAME;PARAMETER=x:value`, with the number of the line where it begins."""

    name: str
    parameters: dict
    value: str
    number: int


def fold(line):
    """Lines of 75 bytes at most; each further one begins with a blank. Letters stay whole."""
    parts, current = [], ""
    for letter in line:
        limit = LONGEST if not parts else LONGEST - 1
        if len((current + letter).encode()) > limit:
            parts.append(current)
            current = ""
        current += letter
    parts.append(current)
    return "\r\n ".join(parts)


def unfold(text):
    """(number of the first line, whole line) of each."""
    lines = []
    for number, line in enumerate(re.split(r"\r?\n", text), start=1):
        if line.startswith((" ", "\t")) and lines:
            first, so_far = lines[-1]
            lines[-1] = (first, so_far + line[1:])
        elif line:
            lines.append((number, line))
    return lines


def escape(text):
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def unescape(text):
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] in "nN" else match[1], text)


def write(calendar):
    """The text of a calendar."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:almanac"]
    for series in calendar:
        lines += _series_lines(series)
    lines.append("END:VCALENDAR")
    return "".join(fold(line) + "\r\n" for line in lines)


def _series_lines(series):
    lines = ["BEGIN:VEVENT", f"UID:{escape(series.id)}", f"SUMMARY:{escape(series.title)}"]
    lines.append(f"DTSTART{_moment(series.start)}")
    lines.append(f"DURATION:{_duration(series.length)}")
    if series.rule is not None:
        lines.append(f"RRULE:{render(series.rule)}")
    lines += [f"EXDATE{_moment(one)}" for one in sorted(series.without)]
    lines += [f"RDATE{_moment(one)}" for one in sorted(series.extra)]
    lines.append("END:VEVENT")
    for planned, change in sorted(series.changes.items()):
        lines += ["BEGIN:VEVENT", f"UID:{escape(series.id)}", f"RECURRENCE-ID{_moment(planned)}"]
        if change.title is not None:
            lines.append(f"SUMMARY:{escape(change.title)}")
        if change.start is not None:
            lines.append(f"DTSTART{_moment(change.start)}")
        if change.length is not None:
            lines.append(f"DURATION:{_duration(change.length)}")
        lines.append("END:VEVENT")
    return lines


def _moment(moment):
    if moment.tzinfo is timezone.utc:
        return f":{moment:%Y%m%dT%H%M%SZ}"
    return f";TZID={moment.tzinfo}:{moment:%Y%m%dT%H%M%S}"


def _duration(length):
    minutes = int(length.total_seconds()) // 60
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{days}D" if days else ""
    if hours or minutes or not days:
        text += "T" + (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes or not hours else "")
    return f"P{text}"


def read(text):
    """Series by id, from text. IcsError where it cannot be read."""
    found, changes, current = {}, [], None
    for line in map(_line, unfold(text)):
        if (line.name, line.value) == ("BEGIN", "VEVENT"):
            current = {}
        elif (line.name, line.value) == ("END", "VEVENT"):
            if current is None:
                raise IcsError("END without BEGIN", line.number)
            _event(current, line.number, found, changes)
            current = None
        elif current is not None:
            current.setdefault(line.name, []).append(line)
    if current is not None:
        raise IcsError("an event is never ended", len(text.splitlines()))
    for id, planned, values in changes:
        if id not in found:
            raise AlmanacError(f"a change of {id!r}, which is not there")
        found[id].move(planned, **values)
    return found


def _line(numbered):
    number, text = numbered
    match = re.match(r'([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^";:]*))*):(.*)', text, re.DOTALL)
    if match is None:
        raise IcsError(f"not a property: {text!r}", number)
    parameters = dict(re.findall(r';([\w-]+)=("[^"]*"|[^";:]*)', match[2]))
    named = {name.upper(): value.strip('"') for name, value in parameters.items()}
    return Line(match[1].upper(), named, match[3], number)


def _event(lines, number, found, changes):
    def only(name):
        if name not in lines:
            raise IcsError(f"an event without {name}", number)
        return lines[name][0]

    id = unescape(only("UID").value)
    values = {}
    if "SUMMARY" in lines:
        values["title"] = unescape(only("SUMMARY").value)
    if "DURATION" in lines:
        values["length"] = _read_duration(only("DURATION"))
    elif "DTEND" in lines:
        values["length"] = _read_moments(only("DTEND"))[0] - _read_moments(only("DTSTART"))[0]
    if "RECURRENCE-ID" in lines:
        if "DTSTART" in lines:
            values["start"] = _read_moments(only("DTSTART"))[0]
        changes.append((id, _read_moments(only("RECURRENCE-ID"))[0], values))
        return
    start = _read_moments(only("DTSTART"))[0]
    found[id] = Series(
        id,
        values.get("title", ""),
        start,
        values.get("length", timedelta(0)),
        parse(only("RRULE").value) if "RRULE" in lines else None,
        without={moment for line in lines.get("EXDATE", ()) for moment in _read_moments(line)},
        extra={moment for line in lines.get("RDATE", ()) for moment in _read_moments(line)},
    )


def _read_moments(line):
    moments = []
    for text in line.value.split(","):
        try:
            moment = datetime.strptime(text.rstrip("Z"), "%Y%m%dT%H%M%S")
        except ValueError:
            raise IcsError(f"not a time: {text!r}", line.number) from None
        zone = timezone.utc if text.endswith("Z") or "TZID" not in line.parameters else ZoneInfo(line.parameters["TZID"])
        moments.append(moment.replace(tzinfo=zone))
    return moments


def _read_duration(line):
    match = _DURATION.fullmatch(line.value)
    if match is None or not any(match.groupdict().values()):
        raise IcsError(f"not a duration: {line.value!r}", line.number)
    return timedelta(**{name: int(value) for name, value in match.groupdict().items() if value})
