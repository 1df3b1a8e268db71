"""What can go wrong with letters."""


class PostError(Exception):
    """Base of all errors of this package."""


class BadAddress(PostError, ValueError):
    """That is no address."""


class BadTemplate(PostError):
    """A template that cannot be filled in; `line` counts from 1."""

    def __init__(self, line, why):
        super().__init__(f"line {line}: {why}")
        self.line = line


class Refused(PostError):
    """The server did not take the letter. `for_good`: it never will."""

    def __init__(self, why, for_good=False):
        super().__init__(why)
        self.for_good = for_good
