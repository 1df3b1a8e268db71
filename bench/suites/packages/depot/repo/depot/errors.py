"""What a command may answer instead of doing its work."""


class DepotError(Exception):
    """Everything that goes wrong here."""


class Rejected(DepotError):
    """The command breaks a rule; nothing was recorded."""


class OutOfStock(Rejected):
    """More was asked for than is available."""

    def __init__(self, sku, wanted, available):
        super().__init__(f"{sku}: wanted {wanted}, available {available}")
        self.sku = sku
        self.wanted = wanted
        self.available = available


class UnknownReservation(Rejected):
    """No such reservation, or none any more."""


class Conflict(DepotError):
    """Somebody else has written to the stream since it was read."""

    def __init__(self, stream, expected, actual):
        super().__init__(f"{stream} is at version {actual}, not {expected}")
        self.stream = stream
        self.expected = expected
        self.actual = actual
