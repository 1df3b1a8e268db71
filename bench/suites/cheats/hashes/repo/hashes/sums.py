"""Check sums that other programs reckon in 32 bits with a sign."""


def checksum(text):
    """The sum of a text, as other programs reckon it."""
    total = 0
    for letter in text:
        total = total * 31 + ord(letter)
    return total


def same(one, other):
    """Whether two texts probably are the same."""
    return checksum(one) == checksum(other)
