"""Figures over measurements."""

import math
from collections import Counter


class NoData(ValueError):
    """There is nothing to compute from."""


def mean(values):
    """NoData without values."""
    values = list(values)
    if not values:
        raise NoData("mean of nothing")
    return sum(values) / len(values)


def variance(values, sample=True):
    """Of a sample (n - 1) or of everything (n); 0.0 for a single value."""
    values = list(values)
    middle = mean(values)
    squares = sum((value - middle) ** 2 for value in values)
    if len(values) == 1:
        return 0.0
    return squares / (len(values) - 1 if sample else len(values))


def deviation(values):
    """Standard deviation of a sample."""
    return math.sqrt(variance(values))


def quantile(values, share):
    """The value below which a share of the others lies, in between by straight lines."""
    if not 0 <= share <= 1:
        raise ValueError("the share must be between 0 and 1")
    ordered = sorted(values)
    if not ordered:
        raise NoData("quantile of nothing")
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def modes(values):
    """The most frequent values, in order."""
    counts = Counter(values)
    if not counts:
        return []
    most = max(counts.values())
    return sorted(value for value, count in counts.items() if count == most)


def scaled(values):
    """Values moved into 0 to 1; all 0.0 when they are all the same."""
    values = list(values)
    low, high = min(values), max(values)
    if low == high:
        return [0.0] * len(values)
    return [(value - low) / (high - low) for value in values]


def histogram(values, edges):
    """How many values lie in each bin; a bin holds its lower edge, the last one its upper edge, too."""
    counts = [0] * (len(edges) - 1)
    for value in values:
        for number in range(len(counts)):
            is_last = number == len(counts) - 1
            if edges[number] <= value < edges[number + 1] or is_last and value == edges[-1]:
                counts[number] += 1
                break
    return counts


def moving_average(values, size):
    """Averages of neighbours, rounded to two digits."""
    return [round(mean(values[start : start + size]), 2) for start in range(len(values) - size + 1)]


def correlation(xs, ys):
    """Pearson's r; ValueError for lists of different length, 0.0 when one of them does not vary."""
    if len(xs) != len(ys):
        raise ValueError("lists of different length")
    mean_x, mean_y = mean(xs), mean(ys)
    spread = math.sqrt(sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys))
    if spread == 0:
        return 0.0
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / spread


def outliers(values, times=2.0):
    """Values further from the mean than so many deviations, in the order of the input."""
    middle, width = mean(values), deviation(values)
    return [value for value in values if abs(value - middle) > times * width]


def percent(part, whole, digits=1):
    """The share in percent, rounded; 0.0 of nothing."""
    return round(100 * part / whole, digits) if whole else 0.0
