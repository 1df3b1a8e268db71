"""Mean, variance and share of samples."""


def mean(values):
    """The arithmetic mean."""
    return sum(values) / len(values)


def variance(values):
    """The variance of a sample: divided by one less than its size."""
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values) / len(values)


def shares(parts):
    """Each part as a share of the whole."""
    whole = sum(parts)
    return [part / whole for part in parts]
