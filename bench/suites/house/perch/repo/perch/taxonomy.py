"""Birds and what they are called."""

import unicodedata
from dataclasses import dataclass

from perch.errors import Ambiguous, UnknownTaxon

RANKS = ("order", "family", "spuh", "species", "subspecies")


def folded(name):
    """Return a name as it is compared: without capitals, accents, hyphens and blanks at the ends."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    return " ".join(plain.casefold().replace("-", " ").split())


@dataclass(frozen=True)
class Taxon:
    """A node of the tree. `parent` is a code, empty at the top."""

    code: str
    scientific: str
    rank: str
    parent: str = ""
    common: tuple = ()

    def __post_init__(self):
        if self.rank not in RANKS:
            raise ValueError(f"{self.rank!r} is no rank")


class Taxonomy:
    """All birds that a notebook may hold."""

    def __init__(self, taxa):
        self._by_code = {}
        self._by_name = {}
        for taxon in taxa:
            self.add(taxon)

    def add(self, taxon):
        if taxon.parent and taxon.parent not in self._by_code:
            raise UnknownTaxon(f"{taxon.code} lies below {taxon.parent}, which there is not")
        self._by_code[taxon.code] = taxon
        for name in (taxon.code, taxon.scientific, *taxon.common):
            self._by_name.setdefault(folded(name), set()).add(taxon.code)

    def __getitem__(self, code):
        try:
            return self._by_code[code]
        except KeyError:
            raise UnknownTaxon(f"no bird has the code {code!r}") from None

    def __contains__(self, code):
        return code in self._by_code

    def __iter__(self):
        return iter(self._by_code.values())

    def find(self, name):
        """Return the bird of any name. Raises UnknownTaxon, or Ambiguous where it may be several."""
        codes = self._by_name.get(folded(name), set())
        if not codes:
            raise UnknownTaxon(f"no bird is called {name!r}")
        if len(codes) > 1:
            raise Ambiguous(name, codes)
        (code,) = codes
        return self._by_code[code]

    def above(self, code):
        """Yield the bird and all that it lies below, the nearest first."""
        while code:
            taxon = self[code]
            yield taxon
            code = taxon.parent

    def species(self, code):
        """Return the species that a bird belongs to; a spuh and what is above stands for itself."""
        for taxon in self.above(code):
            if taxon.rank == "species":
                return taxon
        return self[code]

    def is_below(self, code, other):
        """Whether a bird lies below another one, or is it."""
        return any(taxon.code == other for taxon in self.above(code))
