"""What can go wrong."""


class WagonError(Exception):
    """Everything that goes wrong here."""


class ParseError(WagonError, ValueError):
    """Text that is neither a version, nor a requirement, nor a marker."""


class NoSuchPackage(WagonError, LookupError):
    def __init__(self, name):
        super().__init__(f"no package {name!r}")
        self.name = name


class Impossible(WagonError):
    """No versions go together. `causes` are (requirement, who wants it) pairs of the last conflict."""

    def __init__(self, name, causes):
        self.name = name
        self.causes = tuple(causes)
        wants = "; ".join(f"{who} wants {requirement}" for requirement, who in self.causes)
        super().__init__(f"no version of {name}: {wants}")


class CircularError(WagonError):
    """Packages that need each other to be built."""

    def __init__(self, names):
        super().__init__(" -> ".join(names))
        self.names = tuple(names)
