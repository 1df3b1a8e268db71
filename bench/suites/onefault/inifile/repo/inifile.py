"""Reads and writes small configuration files: sections in brackets, `key = value`, comments after # or ;."""

import re

_SECTION = re.compile(r"^\[([^\]]+)\]$")
_REFERENCE = re.compile(r"\$\{(\w+)\}")
_WORDS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


class ParseError(ValueError):
    """A line that is neither a section nor a setting."""

    def __init__(self, line, text):
        super().__init__(f"line {line}: {text}")
        self.line = line


def parse(text):
    """Section -> {key: value}; settings before the first section stand in the section ""."""
    sections = {}
    current = sections.setdefault("", {})
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith(("#", ";")):
            continue
        found = _SECTION.match(line)
        if found:
            current = sections.setdefault(found.group(1).strip(), {})
            continue
        key, equals, value = line.partition("=")
        if not equals:
            raise ParseError(number, line)
        current[key.strip().lower()] = _unquoted(value.strip())
    return sections


def _unquoted(value):
    """The text between quotes as it stands; without quotes, a comment at the end is cut off."""
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value.split(" #")[0].rstrip()


def expand(settings):
    """Replace ${name} by the value of that key; ${name} stays where there is no such key."""

    def value_of(match):
        return settings.get(match.group(1).lower(), match.group(0))

    return {key: _REFERENCE.sub(value_of, value) for key, value in settings.items()}


def as_bool(value):
    """True or False for the usual words, whatever their case; ValueError for others."""
    try:
        return _WORDS[value.lower()]
    except KeyError:
        raise ValueError(f"{value!r} is neither yes nor no") from None


def as_list(value):
    """Entries between commas, without blanks around them and without empty ones."""
    return [part.strip() for part in value.split(",") if part.strip()]


def dump(sections):
    """The text of a configuration file: sections in order, blank lines between them."""
    blocks = []
    for name, settings in sections.items():
        lines = [f"[{name}]"] if name else []
        lines += [f"{key} = {_quoted(value)}" for key, value in settings.items()]
        if lines:
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _quoted(value):
    return f'"{value}"' if value != value.strip() or " #" in value else value
