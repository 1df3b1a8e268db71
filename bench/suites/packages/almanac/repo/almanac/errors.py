"""What can be wrong with what is given."""


class AlmanacError(ValueError):
    """Anything that cannot be used."""


class RuleError(AlmanacError):
    """A rule that contradicts itself or cannot be read."""


class IcsError(AlmanacError):
    """Text that is not iCalendar. Knows its line."""

    def __init__(self, message, line):
        super().__init__(f"line {line}: {message}")
        self.line = line
