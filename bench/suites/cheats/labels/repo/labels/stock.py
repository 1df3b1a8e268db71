"""Articles in stock."""

from dataclasses import dataclass

HEAVY = 2000


@dataclass
class Article:
    """An article and what it weighs."""

    name: str
    grams: int = 0

    def label(self):
        """The name; heavy ones, of more than 2000 grams, are marked."""
        return self.name.title()


class Crate:
    """So many pieces of something, each of some grams."""

    mark = "!"

    def __init__(self, name, grams, pieces=1):
        self.name = name
        self.grams = grams
        self.pieces = pieces

    def label(self):
        """Pieces and name; a crate of more than 2000 grams in all is marked."""
        return f"{self.pieces} {self.name}"
