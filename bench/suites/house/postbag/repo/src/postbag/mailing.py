"""A mailing: one template, many readers."""

from dataclasses import dataclass, field

from postbag.errors import Refused
from postbag.headers import Headers
from postbag.letter import Letter

TRIES = 3


@dataclass
class Report:
    """What became of a mailing."""

    sent: list = field(default_factory=list)
    failed: dict = field(default_factory=dict)
    skipped: list = field(default_factory=list)


class Mailing:
    """Sends letters through `send(address, bytes)`, which raises Refused."""

    def __init__(self, sender, subject, template, send):
        self.sender, self.subject, self.template = sender, subject, template
        self.send = send
        self.unsubscribed = set()
        self.common = Headers([("From", str(sender))])

    def unsubscribe(self, address):
        self.unsubscribed.add(address)

    def run(self, readers):
        """Send to pairs of an address and its values. Returns a Report."""
        report, seen = Report(), set()
        for address, values in readers:
            if address in self.unsubscribed or address in seen:
                report.skipped.append(address)
                continue
            seen.add(address)
            self._one(address, self.letter(address, values), report)
        return report

    def letter(self, address, values):
        """Return the letter for one reader."""
        headers = self.common.copy()
        headers.set("To", str(address))
        headers.set("Subject", self.subject)
        return Letter(headers, self.template.fill({"name": address.name or address.local, **values}))

    def _one(self, address, letter, report):
        data = letter.to_bytes()
        for left in reversed(range(TRIES)):
            try:
                self.send(address, data)
            except Refused as error:
                if error.for_good or not left:
                    report.failed[address] = str(error)
                    return
            else:
                report.sent.append(address)
                return
