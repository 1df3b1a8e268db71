"""Fares in cents."""


class Tariff:
    """So many cents for each mile that is begun, and a fee for each ride."""

    def __init__(self, mile, fee=0, journal=None):
        self.mile = mile
        self.fee = fee
        self.journal = journal

    def note(self, text):
        """Keeps a line for whoever looks into the books."""
        if self.journal is not None:
            self.journal.append(text)

    def fare(self, yards):
        """What a ride costs; a mile has 1760 yards."""
        cents = yards // 1760 * self.mile + self.fee
        self.note(f"{yards} yards for {cents}")
        return cents


def surcharge(cents, percent):
    """A part of an amount in percent; half a cent is rounded up."""
    return cents * percent // 100
