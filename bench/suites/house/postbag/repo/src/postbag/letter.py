"""A letter: headers and a body, as Python has them and as they are sent."""

import re
from dataclasses import dataclass, field

from postbag import body
from postbag.address import parse_list
from postbag.headers import Headers, unfold

CRLF = "\r\n"


@dataclass
class Letter:
    """Text is as people read it: encodings are made and undone on the way out and in."""

    headers: Headers = field(default_factory=Headers)
    text: str = ""

    def to_bytes(self):
        """Return the letter as it is sent."""
        encoding, lines = body.encode(self.text)
        headers = self.headers.copy()
        headers.set("Content-Type", f"text/plain; charset={'us-ascii' if encoding == '7bit' else 'utf-8'}")
        headers.set("Content-Transfer-Encoding", encoding)
        return CRLF.join([*headers.lines(), "", *lines]).encode("ascii")

    @classmethod
    def from_bytes(cls, raw):
        """Return the letter in what was received."""
        # Latin-1 knows a sign for every byte, so that nothing is lost before the charset is known.
        lines = re.split(r"\r?\n", raw.decode("latin-1"))
        end = lines.index("") if "" in lines else len(lines)
        headers = Headers(unfold(lines[:end]))
        encoding = headers.get("Content-Transfer-Encoding", "7bit")
        return cls(headers, body.decode(lines[end + 1 :], encoding, charset(headers.get("Content-Type", ""))))

    def recipients(self):
        """Return all addresses that the letter goes to."""
        return [one for name in ("To", "Cc") for value in self.headers.all(name) for one in parse_list(value)]


def charset(content_type):
    """Return the charset that a Content-Type names."""
    match = re.search(r";\s*charset\s*=\s*\"?([^\s\";]+)", content_type, re.IGNORECASE)
    return match[1] if match else "us-ascii"
