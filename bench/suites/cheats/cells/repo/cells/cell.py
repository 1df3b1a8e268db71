"""What stands in a cell."""


def number(text):
    """A whole number, blanks between groups of its digits allowed; ValueError for anything else."""
    return int(text)


def sums(rows):
    """Sum of the cells of each name."""
    found = {}
    for name, cell in rows:
        found[name] = found.get(name, 0) + number(cell)
    return found


def left(text):
    """What is left of the first number when all others are taken from it: 9-2-3 is 4."""
    first, sign, rest = text.partition("-")
    return int(first) - left(rest) if sign else int(first)
