"""What other programs want."""

from perch import grid
from perch.plugins import Exporter


class Plain(Exporter):
    """A line for people."""

    name = "plain"

    def line(self, sighting, taxonomy):
        taxon = taxonomy[sighting.taxon]
        count = "some" if sighting.count is None else sighting.count
        return f"{sighting.at:%Y-%m-%d %H:%M} {count} {taxon.common[0] if taxon.common else taxon.scientific}"


class Delimited(Exporter):
    """Base of formats with columns."""

    divider = ","
    columns = ("date", "code", "count", "square")

    def head(self):
        return [self.divider.join(self.columns)]

    def line(self, sighting, taxonomy):
        values = {
            "date": f"{sighting.utc:%Y-%m-%d}",
            "code": taxonomy.species(sighting.taxon).code,
            "count": "" if sighting.count is None else str(sighting.count),
            "square": grid.name(grid.square(sighting.latitude, sighting.longitude)),
            "observer": sighting.observer,
        }
        return self.divider.join(self.quoted(values[column]) for column in self.columns)

    def quoted(self, value):
        if self.divider in value or '"' in value:
            return '"' + value.replace('"', '""') + '"'
        return value


class Commas(Delimited):
    """For spreadsheets."""

    name = "csv"
    columns = (*Delimited.columns, "observer")


class Tabs(Delimited):
    """For the national atlas."""

    name = "atlas"
    divider = "\t"

    def quoted(self, value):
        return value.replace("\t", " ")

    def foot(self):
        return ["# end"]
