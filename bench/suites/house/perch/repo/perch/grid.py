"""Squares of a tenth of a degree."""

import math
from collections import defaultdict

STEPS = 10


def square(latitude, longitude):
    """Return the square of a place as whole tenths of its south-west corner."""
    return _tenths(latitude), _tenths(longitude)


def _tenths(degrees):
    # 0.3 * 10 is a little more than 3 in floating point, and 0.7 * 10 a little less than 7.
    return math.floor(round(degrees * STEPS, 6))


def name(corner):
    """Return the name of a square: `N52.3 E004.8`."""
    latitude, longitude = corner
    return f"{'S' if latitude < 0 else 'N'}{_degrees(latitude, 2)} {'W' if longitude < 0 else 'E'}{_degrees(longitude, 3)}"


def _degrees(tenths, width):
    whole, part = divmod(abs(tenths), STEPS)
    return f"{whole:0{width}}.{part}"


def atlas(sightings, taxonomy):
    """Return square -> sorted codes of all species that were seen there."""
    squares = defaultdict(set)
    for one in sightings:
        squares[square(one.latitude, one.longitude)].add(taxonomy.species(one.taxon).code)
    return {corner: sorted(codes) for corner, codes in sorted(squares.items())}
