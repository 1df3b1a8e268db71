"""Draws the games of a tournament."""

import random


def shuffled(clubs):
    """Return all clubs in an order that nobody can foresee."""
    return random.sample(clubs, len(clubs))


def pairs(clubs):
    """Return the games of a round in the order given, and who has a bye, or None."""
    games = [(clubs[place], clubs[place + 1]) for place in range(0, len(clubs) - 1, 2)]
    return games, clubs[-1] if len(clubs) % 2 else None


def rounds(count):
    """Return how many rounds a cup with so many clubs has. Raises ValueError below two."""
    if count < 2:
        raise ValueError("a cup needs two clubs")
    number = 0
    while count > 1:
        count = (count + 1) // 2
        number += 1
    return number


def seats(clubs, hall):
    """Return the clubs' places in a hall of so many rows, filled row by row, the longer ones in front."""
    size, more = divmod(len(clubs), hall)
    rows, start = [], 0
    for row in range(hall):
        end = start + size + (row < more)
        rows.append(clubs[start:end])
        start = end
    return rows
