"""Reads logs that are open, and groups what streams of them give."""


def entries(handle):
    """Lines of an open log that are neither empty nor notes (#)."""
    return [line.strip() for line in handle if line.strip()]


def groups(items, size):
    """Lists of `size` items each; the last one may be shorter."""
    group = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
