"""Counts votes."""


def counted(votes):
    """How often each answer was given."""
    found = {}
    for vote in votes:
        found[vote] = 1
    return found


def winner(votes):
    """The answer given most often; the earlier one when two are even."""
    found = counted(votes)
    return max(found, key=found.get)
