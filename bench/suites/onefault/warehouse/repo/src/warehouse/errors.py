"""What can go wrong in a warehouse."""


class WarehouseError(Exception):
    """Anything the caller can do something about."""


class UnknownItem(WarehouseError, KeyError):
    """There is no such item."""


class NotEnough(WarehouseError):
    """Less is in stock than was asked for; `missing` says how much less."""

    def __init__(self, item, missing):
        super().__init__(f"{item}: {missing} missing")
        self.item = item
        self.missing = missing
