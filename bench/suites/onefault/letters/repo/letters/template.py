"""Templates: {name} is replaced, {name|filter} after going through a filter, {{ is a brace."""

import re

from letters.filters import FILTERS

_FIELD = re.compile(r"\{\{|\{(\w+)((?:\|\w+)*)\}")


class TemplateError(Exception):
    """A field or a filter is unknown."""


def render(template, values, missing=None):
    """The text; unknown fields become `missing`, or raise TemplateError when that is None."""

    def replace(match):
        name, filters = match.groups()
        if name is None:
            return "{"
        if name not in values:
            if missing is None:
                raise TemplateError(f"unknown field {name}")
            return missing
        value = values[name]
        for word in filters.split("|")[1:]:
            if word not in FILTERS:
                raise TemplateError(f"unknown filter {word}")
            value = FILTERS[word](value)
        return str(value)

    return _FIELD.sub(replace, template)


def fields(template):
    """Names of all fields, each once, in order."""
    names = [match.group(1) for match in _FIELD.finditer(template) if match.group(1)]
    return list(dict.fromkeys(names))


class Letter:
    """A template with a greeting and default values."""

    greeting = "Dear {name},"
    closing = "Yours,\n{sender}"

    def __init__(self, body, **defaults):
        self.body = body.strip("\n")
        self.defaults = defaults

    def text(self, **values):
        """The whole letter; values given here win over the defaults."""
        parts = [self.greeting, self.body, self.closing]
        return "\n\n".join(render(part, {**self.defaults, **values}) for part in parts)

    def for_all(self, people):
        """Name -> letter, for dictionaries with at least a name."""
        return {person["name"]: self.text(**person) for person in people}


class Reminder(Letter):
    """A letter that says how many times it was written before."""

    def __init__(self, body, **defaults):
        super().__init__(body, **defaults)
        self.sent = {}

    def text(self, **values):
        text = super().text(**values)
        times = self.sent.get(values["name"], 0)
        self.sent[values["name"]] = times + 1
        return f"Reminder {times + 1}\n\n{text}"
