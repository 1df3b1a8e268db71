"""Numbers as the Romans wrote them."""

_SIGNS = [
    (1000, "M"),
    (500, "D"),
    (100, "C"),
    (50, "L"),
    (10, "X"),
    (5, "V"),
    (1, "I"),
]


def write(number):
    """The numeral of a number between 1 and 3999.

    >>> write(3)
    'III'
    >>> write(14)
    'XIV'
    """
    if not 0 < number < 4000:
        raise ValueError("Romans wrote 1 to 3999")
    text = ""
    for value, sign in _SIGNS:
        while number >= value:
            text += sign
            number -= value
    return text


def read(text):
    """The number of a numeral.

    >>> read("VI")
    6
    """
    values = [dict((sign, value) for value, sign in _SIGNS if len(sign) == 1)[sign] for sign in text]
    total = 0
    for here, after in zip(values, [*values[1:], 0]):
        total += -here if here < after else here
    return total
