"""Long texts, shortened once when they come in; what was cut can be read by its id."""

from __future__ import annotations

SHOWN_CHARS = 9000
LINE_CHARS = 2000
_HEAD = 0.4


class Outputs:
    """The full texts of this attempt's results."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def keep(self, text: str) -> str:
        """Store a text and return its id."""
        name = f"out-{len(self._texts) + 1}"
        self._texts[name] = text
        return name

    def short(self, text: str) -> str:
        """The text itself, or its head and tail with the id under which all of it can be read."""
        capped = "\n".join(_capped(line) for line in text.split("\n"))
        if len(capped) <= SHOWN_CHARS and capped == text:
            return text
        name = self.keep(text)
        return f"{cut(capped)}\n[the full text is {name}: read_output(id={name!r}, start=…, end=…)]"

    def lines(self, name: str) -> list[str] | None:
        """The lines of a stored text, None for an unknown id."""
        text = self._texts.get(name)
        return None if text is None else text.split("\n")

    def names(self) -> list[str]:
        return list(self._texts)


def cut(text: str, limit: int = SHOWN_CHARS) -> str:
    """Head and tail of a text, cut between lines where that is possible; the middle is counted."""
    if len(text) <= limit:
        return text
    head, tail = text[: int(limit * _HEAD)], text[-int(limit * (1 - _HEAD)) :]
    head = head.rsplit("\n", 1)[0] if "\n" in head else head
    tail = tail.split("\n", 1)[1] if "\n" in tail else tail
    left = len(text) - len(head) - len(tail)
    return f"{head}\n[… {left:,} characters left out …]\n{tail}"


def _capped(line: str) -> str:
    if len(line) <= LINE_CHARS:
        return line
    return f"{line[: LINE_CHARS // 2]}[… {len(line) - LINE_CHARS} characters …]{line[-LINE_CHARS // 2 :]}"
