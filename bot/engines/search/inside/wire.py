"""Messages to the host (one JSON line each on the real stdout) and between our own processes."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List


class Wire:
    """Writes whole lines to a descriptor. A reader that went away ends the message, not the program."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._owner = os.getpid()

    def send(self, message: Dict[str, Any]) -> None:
        if os.getpid() != self._owner:
            os._exit(1)  # a candidate forked: its copy must not speak in our name
        data = json.dumps(message).encode("ascii") + b"\n"
        while data:
            try:
                data = data[os.write(self.descriptor, data) :]
            except OSError:
                return


class Lines:
    """Cuts arriving bytes into JSON messages; what is not JSON is dropped."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> List[Dict[str, Any]]:
        whole = (self._rest + data).split(b"\n")
        self._rest = whole.pop()
        messages = []
        for line in whole:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if isinstance(message, dict):
                messages.append(message)
        return messages
