"""A map of roads: what can be reached, how far it is, and in which order to build."""

import heapq
from collections import deque


class NoWay(LookupError):
    """There is no way from here to there."""


class Roads:
    """Places joined by roads with a length. Roads lead both ways unless they are said to be one-way."""

    def __init__(self):
        self.roads = {}

    def add(self, start, end, length=1, one_way=False):
        self.roads.setdefault(start, {})[end] = length
        self.roads.setdefault(end, {})
        if not one_way:
            self.roads[end][start] = length

    def neighbours(self, place):
        """Places next to this one, by name; none for a place that is not on the map."""
        return sorted(self.roads.get(place, {}))

    def reachable(self, start):
        """All places that can be reached, the start included."""
        seen = {start}
        waiting = deque([start])
        while waiting:
            place = waiting.popleft()
            for other in self.neighbours(place):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    def distance(self, start, end):
        """Length of the shortest way. NoWay when there is none."""
        best = {start: 0}
        heap = [(0, start)]
        while heap:
            so_far, place = heapq.heappop(heap)
            if place == end:
                return so_far
            if so_far > best[place]:
                continue
            for other, length in self.roads.get(place, {}).items():
                longer = so_far + length
                if other not in best or longer < best[other]:
                    best[other] = longer
                    heapq.heappush(heap, (longer, other))
        raise NoWay(f"{start} to {end}")

    def fewest_stops(self, start, end):
        """A way with as few places as possible, both ends included; None when there is none."""
        ways = deque([[start]])
        seen = {start}
        while ways:
            way = ways.popleft()
            if way[-1] == end:
                return way
            for other in self.neighbours(way[-1]):
                if other not in seen:
                    seen.add(other)
                    ways.append(way + [other])
        return None

    def is_connected(self):
        """True when every place can be reached from every other; an empty map is connected."""
        return all(len(self.reachable(place)) == len(self.roads) for place in self.roads)

    def longest_road(self):
        """(length, start, end) of the longest road, None on an empty map."""
        lengths = [(length, start, end) for start, ends in self.roads.items() for end, length in ends.items()]
        return max(lengths, default=None)


def building_order(needs):
    """Names in an order in which everything stands after what it needs; ValueError for a circle."""
    order = []
    done = set()
    under_way = set()

    def visit(name):
        if name in done:
            return
        if name in under_way:
            raise ValueError(f"{name} needs itself")
        under_way.add(name)
        for need in sorted(needs.get(name, ())):
            visit(need)
        under_way.discard(name)
        done.add(name)
        order.append(name)

    for name in sorted(needs):
        visit(name)
    return order
