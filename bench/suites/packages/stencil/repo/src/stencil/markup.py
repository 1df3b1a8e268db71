"""Text that is safe to print as it is, and making other text so."""

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}


class Markup(str):
    """Text that needs no escaping. What is added to it, formatted or joined into it is escaped first."""

    __slots__ = ()

    def __html__(self):
        return self

    def __add__(self, other):
        return Markup(str(self) + str(escape(other)))

    def __radd__(self, other):
        return Markup(str(escape(other)) + str(self))

    def __mul__(self, count):
        return Markup(str(self) * count)

    def __mod__(self, values):
        if isinstance(values, tuple):
            values = tuple(_escaped(value) for value in values)
        elif isinstance(values, dict):
            values = {key: _escaped(value) for key, value in values.items()}
        else:
            values = _escaped(values)
        return Markup(str(self) % values)

    def join(self, parts):
        return Markup(str(self).join(str(escape(part)) for part in parts))

    def unescape(self):
        """The plain text."""
        text = str(self)
        for plain, entity in reversed(_ENTITIES.items()):
            text = text.replace(entity, plain)
        return text


def escape(value):
    """Markup of any value; what is Markup already stays as it is."""
    if hasattr(value, "__html__"):
        return Markup(value.__html__())
    text = str(value)
    for plain, entity in _ENTITIES.items():
        text = text.replace(plain, entity)
    return Markup(text)


def _escaped(value):
    return value if isinstance(value, (int, float)) else escape(value)
