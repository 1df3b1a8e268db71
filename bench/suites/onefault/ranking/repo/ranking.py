"""Results of a race: places, ties, teams."""

from collections import defaultdict
from dataclasses import dataclass
from operator import attrgetter


@dataclass(frozen=True)
class Runner:
    """`seconds` is None for somebody who did not finish."""

    name: str
    team: str
    seconds: float | None
    born: int = 2000


def finishers(runners):
    """Those who finished, the fastest first; equal ones in the order of the input."""
    return sorted((one for one in runners if one.seconds is not None), key=attrgetter("seconds"))


def places(runners):
    """(place, name) in order; equal times share a place, and the next one is left out: 1, 2, 2, 4."""
    result = []
    place = 0
    last = None
    for number, runner in enumerate(finishers(runners), start=1):
        if runner.seconds != last:
            place = number
        result.append((place, runner.name))
        last = runner.seconds
    return result


def podium(runners, size=3):
    """Names of all whose place is at most `size`, ties included."""
    return [name for place, name in places(runners) if place <= size]


def start_list(runners):
    """By team, whatever its case, then the youngest first, then by name."""
    return sorted(runners, key=lambda one: (one.team.casefold(), -one.born, one.name))


def team_times(runners, counting=2):
    """Team -> sum of its `counting` best times; teams with too few finishers are left out."""
    times = defaultdict(list)
    for runner in finishers(runners):
        times[runner.team].append(runner.seconds)
    return {team: round(sum(best[:counting]), 2) for team, best in times.items() if len(best) >= counting}


def winner(runners):
    """The fastest team; None when no team has enough finishers."""
    times = team_times(runners)
    if not times:
        return None
    return min(times, key=times.get)


def median_time(runners):
    """The time in the middle; the mean of both in the middle when their number is even. None without finishers."""
    times = [one.seconds for one in finishers(runners)]
    if not times:
        return None
    middle = len(times) // 2
    if len(times) % 2:
        return times[middle]
    return (times[middle - 1] + times[middle]) / 2


def gap_to_best(runners):
    """Name -> seconds behind the first, with one digit."""
    order = finishers(runners)
    return {one.name: round(one.seconds - order[0].seconds, 1) for one in order}
