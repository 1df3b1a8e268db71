"""A notebook: sightings and the lists that people are proud of."""

from bisect import insort
from pathlib import Path

from perch import exporters, files
from perch.plugins import Exporter
from perch.sighting import Sighting

__all__ = ["Notebook", "Sighting", "exporters", "open_notebook"]


class Notebook:
    """Sightings in the order of their moments; the very same sighting stands in it once."""

    def __init__(self, taxonomy, sightings=()):
        self.taxonomy = taxonomy
        self._sightings = []
        for one in sightings:
            self.add(one)

    def __len__(self):
        return len(self._sightings)

    def __iter__(self):
        return iter(list(self._sightings))

    def add(self, sighting):
        """Returns whether it is new."""
        self.taxonomy[sighting.taxon]
        if sighting in self._sightings:
            return False
        insort(self._sightings, sighting)
        return True

    def life_list(self):
        """Return code of a species -> its first sighting, in the order of those."""
        return self._firsts(self._sightings)

    def year_list(self, year):
        return self._firsts(one for one in self._sightings if one.year == year)

    def of(self, name):
        """Return all sightings of a bird and of what lies below it."""
        code = self.taxonomy.find(name).code
        return [one for one in self._sightings if self.taxonomy.is_below(one.taxon, code)]

    def highest(self):
        """Return code of a species -> the highest count that is known; birds that nobody counted are left out."""
        counts = {}
        for one in self._sightings:
            if one.count is not None:
                code = self.taxonomy.species(one.taxon).code
                counts[code] = max(one.count, counts.get(code, 0))
        return counts

    def export(self, name):
        return Exporter.named(name)().export(self._sightings, self.taxonomy)

    def save(self, path):
        Path(path).write_text(files.written(self._sightings), encoding="utf-8")

    def _firsts(self, sightings):
        firsts = {}
        for one in sightings:
            firsts.setdefault(self.taxonomy.species(one.taxon).code, one)
        return {code: one for code, one in firsts.items() if not self._is_covered(code, firsts)}

    def _is_covered(self, code, firsts):
        """Whether a bird that is no species has one below it in the list."""
        if self.taxonomy[code].rank == "species":
            return False
        return any(other != code and self.taxonomy.is_below(other, code) for other in firsts)


def open_notebook(path, taxonomy):
    """Return the notebook in a file of any generation. Raises BadFile, UnknownTaxon, OSError."""
    document, _ = files.read(Path(path).read_text(encoding="utf-8"))
    return Notebook(taxonomy, files.sightings(document, taxonomy))
