"""Units: tables of factors, human sizes, durations."""

import math

LENGTHS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "in": 0.0254, "ft": 0.3048, "mi": 1609.344}
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
SIZES = ("B", "kB", "MB", "GB", "TB")
ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
         (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


class UnknownUnit(ValueError):
    """There is no such unit."""


def convert(value, source, target):
    """A length in another unit."""
    for unit in (source, target):
        if unit not in LENGTHS:
            raise UnknownUnit(unit)
    return value * LENGTHS[source] / LENGTHS[target]


def celsius(fahrenheit):
    return (fahrenheit - 32) * 5 / 9


def human_size(count):
    """1536 -> "1.5 kB": steps of 1000, one digit, whole bytes as they are."""
    size = float(count)
    for unit in SIZES:
        if size < 1000 or unit == SIZES[-1]:
            break
        size /= 1000
    return f"{int(size)} {unit}" if unit == "B" else f"{size:.1f} {unit}"


def parse_duration(text):
    """Seconds in "1h30m", "2d" or "45"; a number alone counts seconds."""
    total = 0
    digits = ""
    for sign in text.replace(" ", "").lower():
        if sign.isdigit():
            digits += sign
        elif sign in SECONDS and digits:
            total += int(digits) * SECONDS[sign]
            digits = ""
        else:
            raise UnknownUnit(text)
    return total + int(digits or 0)


def format_duration(seconds):
    """90061 -> "1d 1h 1m 1s"; parts that are nothing are left out, but "0s" for nothing at all."""
    parts = []
    for unit in ("d", "h", "m", "s"):
        count, seconds = divmod(seconds, SECONDS[unit])
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"


def roman(number):
    """1 to 3999 in Roman numerals."""
    if not 1 <= number <= 3999:
        raise ValueError(f"{number} has no Roman numeral")
    text = ""
    for value, letters in ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def boxes_needed(pieces, per_box):
    """Boxes for all pieces; the last one need not be full."""
    return math.ceil(pieces / per_box)


def nice_step(span, ticks=5):
    """1, 2 or 5 times a power of ten: the smallest step that covers the span with at most `ticks` steps."""
    rough = span / ticks
    power = 10 ** math.floor(math.log10(rough))
    for factor in (1, 2, 5, 10):
        if factor * power >= rough:
            return factor * power
    raise AssertionError("ten is always enough")
