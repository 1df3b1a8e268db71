"""One line of the log, in the common log format."""

import re
from typing import NamedTuple, Optional

LINE = re.compile(
    r'(?P<host>\S+) \S+ \S+ \[[^\]]+\] "(?P<method>[A-Z]+) (?P<path>\S+)[^"]*" (?P<status>\d{3}) (?P<size>\d+|-)'
)


class Entry(NamedTuple):
    """What we keep of a request."""

    host: str
    method: str
    path: str
    status: int
    size: int


def parse(line: str) -> Optional[Entry]:
    """Return the request of a line, or None where the line is damaged."""
    match = LINE.match(line)
    if match is None:
        return None
    size = 0 if match["size"] == "-" else int(match["size"])
    return Entry(match["host"], match["method"], match["path"], int(match["status"]), size)


def parse_all(lines):
    """Return the requests of all lines that can be read."""
    entries = (parse(line) for line in lines)
    return [entry for entry in entries if entry is not None]
