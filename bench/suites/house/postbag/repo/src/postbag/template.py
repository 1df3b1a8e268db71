"""Templates of letters."""

import re

from postbag.errors import BadTemplate

FILTERS = {
    "upper": str.upper,
    "title": str.title,
    "first": lambda text: text.split()[0] if text.split() else "",
}
_PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class Template:
    """Text with places for values."""

    def __init__(self, text, filters=None):
        self.text = text
        self.filters = {**FILTERS, **(filters or {})}

    def fill(self, values):
        """Return the text with values in their places. Raises BadTemplate."""
        return _PLACE.sub(lambda match: self._one(match, values), self.text)

    def names(self):
        """Return the names of all values that are needed, sorted."""
        found = (match[1].partition("|")[0].strip() for match in _PLACE.finditer(self.text) if match[1] is not None)
        return sorted(set(found))

    def _one(self, match, values):
        if match[0] in ("{{", "}}"):
            return match[0][0]
        if match[1] is None:
            raise self._error(match, f"a single {match[0]}")
        name, *filters = (part.strip() for part in match[1].split("|"))
        if name not in values:
            raise self._error(match, f"no value for {name!r}")
        text = str(values[name])
        for known in filters:
            if known not in self.filters:
                raise self._error(match, f"no filter {known!r}")
            text = self.filters[known](text)
        return text

    def _error(self, match, why):
        return BadTemplate(self.text.count("\n", 0, match.start()) + 1, why)
