"""What can go wrong with a notebook."""


class PerchError(Exception):
    """Base of all errors of this package."""


class UnknownTaxon(PerchError, LookupError):
    """No bird of that name."""


class Ambiguous(UnknownTaxon):
    """Several birds have that common name."""

    def __init__(self, name, codes):
        super().__init__(f"{name!r} may be {', '.join(sorted(codes))}")
        self.codes = frozenset(codes)


class BadFile(PerchError):
    """A file that no reader knows, or that is damaged."""
