"""What comes out of the machine at the exit."""

from parking.tariff import euros, fee


def stay(minutes):
    """Return the length of a stay in words that fit on a receipt: `1 d 2 h 5 min`."""
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "min")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 min"


def receipt(plate, minutes):
    """Return the lines of a receipt."""
    return [f"Car {plate.upper()}", f"Stay {stay(minutes)}", f"Fee {euros(fee(minutes))}"]
