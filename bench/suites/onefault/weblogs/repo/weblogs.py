"""Lines of a web server's log: reading them, masking what is secret, counting what is odd."""

import re
from dataclasses import dataclass

_LINE = re.compile(
    r'^(?P<host>\S+) \[(?P<when>[^\]]+)\] "(?P<verb>[A-Z]+) (?P<path>\S+)" (?P<status>\d{3}) (?P<size>\d+|-)$'
)
_SECRET = re.compile(r"(token|password)=[^&\s]*", re.IGNORECASE)
_ADDRESS = re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.]*\w")
_TAG = re.compile(r"<.*?>")
_VERSION = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?")


@dataclass(frozen=True)
class Hit:
    """One request. `size` is None where the server wrote a dash."""

    host: str
    when: str
    verb: str
    path: str
    status: int
    size: int | None

    @property
    def is_error(self):
        """The client's or the server's mistake."""
        return self.status >= 400


def read(line):
    """The request in a line, None for a line of another kind."""
    found = _LINE.match(line.rstrip("\n"))
    if found is None:
        return None
    size = None if found["size"] == "-" else int(found["size"])
    return Hit(found["host"], found["when"], found["verb"], found["path"], int(found["status"]), size)


def masked(text):
    """The text with the values of tokens and passwords replaced by stars."""
    return _SECRET.sub(r"\1=***", text)


def addresses(text):
    """Mail addresses in a text, each once, in order, in lower case."""
    return list(dict.fromkeys(found.lower() for found in _ADDRESS.findall(text)))


def without_tags(html):
    """The text between the tags, blanks drawn together."""
    return re.sub(r"\s+", " ", _TAG.sub("", html)).strip()


def version(text):
    """(major, minor, patch) of "v1.2" or "1.2.3"; ValueError when the whole text is nothing of the kind."""
    found = _VERSION.fullmatch(text.strip())
    if not found:
        raise ValueError(f"no version: {text!r}")
    return tuple(int(part or 0) for part in found.groups())


def by_section(lines):
    """Bytes sent for each first part of the path; lines that cannot be read are passed over."""
    sizes = {}
    for line in lines:
        hit = read(line)
        if hit is None:
            continue
        section = hit.path.split("?")[0].strip("/").split("/")[0]
        sizes[section] = sizes.get(section, 0) + (hit.size or 0)
    return sizes
