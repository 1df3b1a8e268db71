"""Text from outside becomes values."""

TRUE = {"1", "yes", "true", "on"}
FALSE = {"0", "no", "false", "off", ""}


class BadValue(ValueError):
    """The text does not fit; the message names the setting."""

    def __init__(self, name, text, wanted):
        super().__init__(f"{name}: {text!r} is no {wanted}")


def as_kind(name, text, like):
    """The text as a value of the kind of `like`: bool, int, float, list (at commas) or text."""
    text = text.strip()
    if isinstance(like, bool):
        return _bool(name, text)
    if isinstance(like, list):
        return [part.strip() for part in text.split(",") if part.strip()]
    for kind, noun in ((int, "whole number"), (float, "number")):
        if isinstance(like, kind):
            try:
                return kind(text)
            except ValueError as error:
                raise BadValue(name, text, noun) from error
    return text


def _bool(name, text):
    word = text.lower()
    if word in TRUE:
        return True
    if word in FALSE:
        return False
    raise BadValue(name, text, "yes or no")


def from_environment(environ, prefix):
    """{"APP_DB__PORT": "1"} with prefix "APP_" -> {"db.port": "1"}; two underscores part the levels."""
    found = {}
    for name, text in environ.items():
        if name.startswith(prefix):
            found[name[len(prefix) :].lower().replace("__", ".")] = text
    return found
