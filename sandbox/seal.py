"""The watcher's last word: how the end of a run is known before the engine has cleared its box away."""

from __future__ import annotations

from collections.abc import Callable

_CODE = 3


class Seal:
    """One stream of a box. What stands before the last word goes on; the word and all behind it stay here.

    The word is a secret of the controller and of the box's first program, whom the command cannot look into:
    so a command cannot end its own run with a code of its choice while it goes on.
    """

    def __init__(self, word: str, sink: Callable[[bytes], None]) -> None:
        self.code: int | None = None
        """Exit code of the command, once the word has come."""
        self._mark, self._sink = f"\0{word} ".encode("ascii"), sink
        self._held = b""

    def feed(self, data: bytes) -> None:
        if self.code is not None:
            return
        data, self._held = self._held + data, b""
        at = data.find(self._mark)
        if at < 0:
            at = self._begin_of_mark(data)
        elif len(data) >= at + len(self._mark) + _CODE:
            self.code = int(data[at + len(self._mark) :][:_CODE])
        if self.code is None:
            self._held = data[at:]
        if at:
            self._sink(data[:at])

    def flush(self) -> None:
        """The stream has ended without the word: what looked like its beginning was the command's."""
        held, self._held = self._held, b""
        if held:
            self._sink(held)

    def _begin_of_mark(self, data: bytes) -> int:
        """Where the mark may have begun; the length of `data` when it has not. Its first byte stands in it once."""
        at = data.rfind(self._mark[:1], max(0, len(data) - len(self._mark) - _CODE))
        return at if at >= 0 and self._mark.startswith(data[at:]) else len(data)
