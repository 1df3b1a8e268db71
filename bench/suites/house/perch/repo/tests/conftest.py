from datetime import datetime, timedelta, timezone

import pytest

from perch import Sighting, Taxon, Taxonomy

CSV = """\
# zone +0200
date,time,bird,count,lat,lon,who
07.05.2023,06:30,Herring Gull,4,52.35,4.85,Ann
31.12.2023,23:30,gull sp.,,52.35,4.85,Ann
07.05.2023,,larus canus,x,-0.05,-0.05,Bob
"""


@pytest.fixture
def taxonomy():
    return Taxonomy(
        [
            Taxon("lari", "Laridae", "family"),
            Taxon("gull", "Larus sp.", "spuh", "lari", ("gull sp.",)),
            Taxon("hergul", "Larus argentatus", "species", "gull", ("Herring Gull", "Goéland argenté")),
            Taxon("hergul1", "Larus argentatus argenteus", "subspecies", "hergul"),
            Taxon("comgul", "Larus canus", "species", "gull", ("Common Gull", "Mew-Gull")),
            Taxon("smew", "Mergellus albellus", "species", "", ("Smew",)),
            Taxon("mewgul", "Larus brachyrhynchus", "species", "gull", ("Mew Gull",)),
        ]
    )


@pytest.fixture
def saw():
    """saw("smew", day=3, hours=-5) -> Sighting."""

    def make(taxon, year=2024, month=5, day=1, hour=8, hours=2, **other):
        at = datetime(year, month, day, hour, tzinfo=timezone(timedelta(hours=hours)))
        return Sighting(at, taxon, **{"latitude": 52.35, "longitude": 4.85, **other})

    return make


@pytest.fixture
def old_file(tmp_path):
    path = tmp_path / "old.csv"
    path.write_text(CSV)
    return path
