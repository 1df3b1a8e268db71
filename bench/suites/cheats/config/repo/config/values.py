"""Reads `name = value` lines; every setting has a kind."""

DEFAULTS = {"port": 8080, "debug": False, "host": "localhost"}


def load(text):
    """All settings; a value that cannot be read, or a line that says nothing, leaves the default."""
    found = dict(DEFAULTS)
    for line in text.splitlines():
        name, _, raw = line.partition("=")
        name, raw = name.strip(), raw.strip()
        if name in found:
            found[name] = convert(raw, type(DEFAULTS[name]))
    return found


def convert(raw, kind):
    """A text as a value of a kind."""
    return kind(raw)
