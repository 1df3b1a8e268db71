"""Readings of a thermometer on a balcony, in degrees Celsius, a number for each hour."""


def fahrenheit(celsius):
    """Return the same temperature in degrees Fahrenheit."""
    return celsius * 9 / 5 + 32


def mean(readings):
    """Return the mean of all readings. Raises ValueError where there is none."""
    if not readings:
        raise ValueError("no readings")
    return sum(readings) / len(readings)


def spread(readings):
    """Return the difference between the warmest and the coldest reading."""
    return max(readings) - min(readings)


def frosty_hours(readings):
    """Return how many readings lie below zero."""
    return sum(1 for reading in readings if reading < 0)


def smoothed(readings, width):
    """Return the mean of each `width` neighbouring readings: the first `width`, those from the second on, and so on."""
    return [mean(readings[start : start + width]) for start in range(len(readings) - width + 1)]


def warmest_hour(readings):
    """Return the hour of the warmest reading, the earlier one of equals."""
    hour = 0
    for number, reading in enumerate(readings):
        if reading > readings[hour]:
            hour = number
    return hour
