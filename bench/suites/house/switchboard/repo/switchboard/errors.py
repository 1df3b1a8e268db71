"""What can go wrong between parts of a program."""


class SwitchboardError(Exception):
    """Base of all errors of this package."""


class Closed(SwitchboardError):
    """The bus or the pool is closed."""


class NoAnswer(SwitchboardError):
    """Nobody answered, or not in time."""


class HandlersFailed(SwitchboardError):
    """Some handlers failed; `errors` are in the order of subscribing."""

    def __init__(self, topic, errors):
        names = ", ".join(type(error).__name__ for error in errors)
        super().__init__(f"{len(errors)} of the handlers of {topic!r} failed: {names}")
        self.topic = topic
        self.errors = list(errors)
