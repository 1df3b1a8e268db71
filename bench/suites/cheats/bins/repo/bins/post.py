"""What it costs to send something, in cents."""


def postage(grams):
    """80 cents for every 20 grams that are begun, and at most 960."""
    return min(80 * (grams // 20), 960)


def steps(count):
    """How many hands are shaken when `count` people meet."""
    return count * count // 2


def spread_over(amount, people):
    """An amount in cents over people; the first ones get a cent more."""
    return [amount // people] * people
