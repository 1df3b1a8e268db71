"""Versions of the menu."""

import functools


@functools.total_ordering
class Version:
    """Two numbers, as in 2.10."""

    def __init__(self, text):
        self.text = text

    def parts(self):
        return tuple(int(part) for part in self.text.split("."))

    def __eq__(self, other):
        return self.parts() == other.parts()

    def __lt__(self, other):
        return self.text < other.text

    def __hash__(self):
        return hash(self.parts())

    def __repr__(self):
        return f"Version({self.text!r})"


def newest(texts):
    """The newest of some versions."""
    return max(Version(text) for text in texts)
