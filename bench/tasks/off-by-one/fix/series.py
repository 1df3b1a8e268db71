"""Simple statistics over a series of numbers."""


def moving_average(values, window):
    """Return the average of each run of `window` neighbours, in order.

    A series shorter than the window has no average at all.
    """
    if window < 1:
        raise ValueError("the window must hold at least one value")
    averages = []
    for start in range(len(values) - window + 1):
        averages.append(sum(values[start : start + window]) / window)
    return averages


def longest_run(values, predicate):
    """Return the length of the longest run of values for which `predicate` holds."""
    longest = current = 0
    for value in values:
        current = current + 1 if predicate(value) else 0
        longest = max(longest, current)
    return longest
