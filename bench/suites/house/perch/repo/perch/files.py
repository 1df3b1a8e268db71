"""Three generations of files, and how one becomes the next."""

import csv
import io
import json
from datetime import datetime, timedelta, timezone

from perch.errors import BadFile
from perch.plugins import Reader
from perch.sighting import Sighting

CURRENT = 3


class CsvReader(Reader):
    """Generation 1: `# zone +0200` in the head, then columns."""

    name = "csv"
    generation = 1

    def suits(self, text):
        return text.startswith("# zone ")

    def read(self, text):
        head, _, rest = text.partition("\n")
        rows = list(csv.DictReader(io.StringIO(rest)))
        if any(None in row.values() or None in row for row in rows):
            raise BadFile("a row has too few or too many columns")
        return {"generation": 1, "zone": head.removeprefix("# zone ").strip(), "rows": rows}


class JsonReader(Reader):
    """What the generations in JSON have in common."""

    def suits(self, text):
        document = self._document(text)
        return isinstance(document, dict) and document.get("generation") == self.generation

    def read(self, text):
        document = self._document(text)
        if not isinstance(document.get("sightings"), list):
            raise BadFile("there are no sightings in it")
        return document

    def _document(self, text):
        try:
            return json.loads(text)
        except ValueError:
            return None


class TextTimes(JsonReader):
    """Generation 2."""

    name = "json-2"
    generation = 2


class SecondTimes(JsonReader):
    """Generation 3."""

    name = "json-3"
    generation = 3


def second(document):
    """Return a document of generation 2 for one of generation 1."""
    zone = datetime.strptime(document["zone"], "%z").tzinfo
    sightings = []
    for row in document["rows"]:
        at = datetime.strptime(f"{row['date']} {row['time'] or '12:00'}", "%d.%m.%Y %H:%M").replace(tzinfo=zone)
        place = [float(row["lat"]), float(row["lon"])]
        count = None if row["count"] in ("", "x") else int(row["count"])
        sightings.append({"bird": row["bird"], "at": at.isoformat(), "place": place, "count": count, "by": row["who"]})
    return {"generation": 2, "sightings": sightings}


def third(document):
    """Return a document of generation 3 for one of generation 2."""
    sightings = []
    for old in document["sightings"]:
        at = datetime.fromisoformat(old["at"])
        new = {key: value for key, value in old.items() if key != "at"}
        sightings.append({**new, "seconds": int(at.timestamp()), "offset": int(at.utcoffset().total_seconds()) // 60})
    return {"generation": 3, "sightings": sightings}


STEPS = {1: second, 2: third}


def carried_over(document):
    """Return a document of the current generation."""
    while document["generation"] < CURRENT:
        document = STEPS[document["generation"]](document)
    return document


def read(text):
    """Return (document of the current generation, name of the reader). Raises BadFile."""
    for name, reader in sorted(Reader.known.items()):
        if reader().suits(text):
            try:
                return carried_over(reader().read(text)), name
            except (KeyError, ValueError, TypeError) as error:
                raise BadFile(f"the file is damaged: {error!r}") from error
    raise BadFile("no reader knows this file")


def sightings(document, taxonomy):
    """Return the sightings of a document of the current generation."""
    found = []
    for one in document["sightings"]:
        zone = timezone(timedelta(minutes=one["offset"]))
        at = datetime.fromtimestamp(one["seconds"], zone)
        code = taxonomy.find(one["bird"]).code
        found.append(Sighting(at, code, *one["place"], count=one.get("count"), observer=one.get("by", ""), note=one.get("note", "")))
    return found


def written(found):
    """Return the text of a file of the current generation."""
    return json.dumps({"generation": CURRENT, "sightings": [_plain(one) for one in found]}, ensure_ascii=False, indent=1)


def _plain(one):
    plain = {"bird": one.taxon, "place": [one.latitude, one.longitude], "count": one.count, "by": one.observer}
    plain |= {"seconds": int(one.at.timestamp()), "offset": int(one.at.utcoffset().total_seconds()) // 60}
    return {**plain, "note": one.note} if one.note else plain
