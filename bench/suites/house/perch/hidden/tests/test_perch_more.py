"""Judges repairs of perch."""

import copy
import json
from datetime import datetime, timedelta, timezone

import pytest

from perch import Notebook, Sighting, Taxon, Taxonomy, open_notebook
from perch.errors import Ambiguous, BadFile, PerchError, UnknownTaxon
from perch.files import carried_over, read, second, sightings, third, written
from perch.grid import atlas, name, square
from perch.plugins import Exporter, Plugin, Reader
from perch.taxonomy import folded

TREE = Taxonomy(
    [
        Taxon("ans", "Anseriformes", "order"), Taxon("ana", "Anatidae", "family", "ans"),
        Taxon("duck", "Anas sp.", "spuh", "ana", ("duck sp.",)), Taxon("mal", "Anas platyrhynchos", "species", "duck", ("Mallard", "Stockente")),
        Taxon("mal2", "Anas p. conboschas", "subspecies", "mal", ("Greenland Mallard",)), Taxon("tea", "Anas crecca", "species", "duck", ("Teal", "Krick-Ente")),
    ]
)
HEAD = "date,time,bird,count,lat,lon,who"


def seen(code, at, hours=0, **other):
    zone = timezone(timedelta(hours=hours))
    return Sighting(datetime(*at, tzinfo=zone), code, **{"latitude": 1.0, "longitude": 2.0, **other})


class TestNames:
    @pytest.mark.parametrize(("name", "code"), [("krick ente", "tea"), ("KRICK-ENTE", "tea"), ("MAL2", "mal2"), ("anas   crecca", "tea"), ("Duck Sp.", "duck")])
    def test_found(self, name, code):
        assert TREE.find(name).code == code

    def test_folding(self):
        assert folded("Ñandú-Ö") == folded("nandu o") == "nandu o"
        assert folded("ŞAHİN") == folded("şahi̇n")

    def test_same_name_of_one_bird_is_not_ambiguous(self):
        tree = Taxonomy([Taxon("a", "Aa", "species", "", ("Bird", "BIRD", "bird"))])
        assert tree.find("bird").code == "a"
        tree.add(Taxon("b", "Bb", "species", "", ("bïrd",)))
        with pytest.raises(Ambiguous):
            tree.find("Bird")

    def test_tree(self):
        assert [taxon.code for taxon in TREE.above("mal2")] == ["mal2", "mal", "duck", "ana", "ans"]
        assert [TREE.species(code).code for code in ("mal2", "mal", "duck", "ans")] == ["mal", "mal", "duck", "ans"]
        with pytest.raises(UnknownTaxon):
            list(TREE.above("x"))


class TestGenerations:
    def test_first(self):
        text = f"# zone -0330\n{HEAD}\n01.07.2021,00:10,Teal,3,-10.5,20,Ann\n02.07.2021,,mallard,x,0,0,\n"
        document, reader = read(text)
        assert reader == "csv"
        one, two = sightings(document, TREE)
        assert (one.at.isoformat(), one.count, one.observer) == ("2021-07-01T00:10:00-03:30", 3, "Ann")
        assert (two.at.isoformat(), two.count, two.taxon) == ("2021-07-02T12:00:00-03:30", None, "mal")

    @pytest.mark.parametrize("offset", ["+00:00", "+05:45", "-09:30", "+14:00", "-00:30"])
    def test_offsets_survive(self, offset):
        at = f"2022-03-04T05:06:07{offset}"
        document = carried_over({"generation": 2, "sightings": [{"bird": "tea", "at": at, "place": [0, 0]}]})
        (one,) = sightings(document, TREE)
        assert one.at.isoformat() == at
        (again,) = sightings(json.loads(written([one])), TREE)
        assert again.at.isoformat() == at

    def test_extra_keys_survive(self):
        document = third({"generation": 2, "sightings": [{"bird": "tea", "at": "2022-01-01T00:00:00+00:00", "place": [1, 2], "weather": "rain"}]})
        assert document["sightings"][0] == {"bird": "tea", "place": [1, 2], "weather": "rain", "seconds": 1640995200, "offset": 0}

    def test_twice_the_same(self):
        row = {"date": "01.02.2020", "time": "10:00", "bird": "tea", "count": "", "lat": "1", "lon": "2", "who": ""}
        first = {"generation": 1, "zone": "+0100", "rows": [row]}
        kept = copy.deepcopy(first)
        assert carried_over(first) == carried_over(first)
        assert first == kept
        middle = second(first)
        kept = copy.deepcopy(middle)
        assert third(middle) == third(middle)
        assert middle == kept

    @pytest.mark.parametrize("text", ["# zone +0100\n" + HEAD + "\n1.1.2020,10:00,tea\n", "# zone +0100\n" + HEAD + "\n32.1.2020,,tea,1,1,1,x\n", '{"generation": 2, "sightings": {}}', "null", "3"])
    def test_damaged(self, text):
        with pytest.raises(BadFile):
            read(text)

    def test_file(self, tmp_path):
        book = Notebook(TREE, [seen("mal2", (2024, 1, 1), 5, note="é", count=2), seen("tea", (2024, 1, 1), -5)])
        book.save(tmp_path / "b")
        again = open_notebook(tmp_path / "b", TREE)
        assert [(one, one.note, one.count) for one in again] == [(one, one.note, one.count) for one in book]


class TestPlugins:
    def test_tables_are_apart(self):
        assert set(Reader.known) & {"plain", "atlas"} == set()
        assert Plugin.known == {}
        assert Reader.known is not Exporter.known

    def test_new_kind_and_new_plugin(self):
        class Kind(Plugin, kind=True):
            pass

        class One(Kind):
            name = "one"

        class Two(One):
            pass

        class Three(One):
            name = "three"

        assert Kind.known == {"one": One, "three": Three}
        assert Kind.named("three") is Three
        with pytest.raises(PerchError):
            type("Four", (Kind,), {"name": "one"})
        assert "one" not in Reader.known

    def test_exporters(self):
        book = Notebook(TREE, [seen("mal2", (2024, 1, 1, 1), 3, count=2, observer="A\tB,C")])
        assert book.export("atlas") == "date\tcode\tcount\tsquare\n2023-12-31\tmal\t2\tN01.0 E002.0\n# end\n"
        assert book.export("csv").splitlines()[1] == '2023-12-31,mal,2,N01.0 E002.0,"A\tB,C"'
        assert book.export("plain") == "2024-01-01 01:00 2 Greenland Mallard\n"


class TestLists:
    def test_spuhs(self):
        book = Notebook(TREE, [seen("ana", (2024, 1, 1)), seen("duck", (2024, 1, 2))])
        assert list(book.life_list()) == ["duck"]
        book.add(seen("mal2", (2025, 1, 3)))
        assert list(book.life_list()) == ["mal"]
        assert list(book.year_list(2024)) == ["duck"]

    def test_zones(self):
        book = Notebook(TREE, [seen("tea", (2023, 12, 31, 20), -8), seen("mal", (2024, 1, 1, 5), 12)])
        assert (list(book.year_list(2023)), list(book.year_list(2024))) == (["tea"], ["mal"])
        assert [one.taxon for one in book] == ["mal", "tea"]

    def test_twice(self):
        book = Notebook(TREE)
        assert book.add(seen("tea", (2024, 1, 1, 12), 2))
        assert not book.add(seen("tea", (2024, 1, 1, 10), 0, count=4, latitude=5.0))
        assert book.add(seen("tea", (2024, 1, 1, 10), 0, observer="x"))

    def test_counts(self):
        book = Notebook(TREE, [seen("mal", (2024, 1, 1), count=3), seen("mal2", (2024, 1, 2), count=8), seen("mal", (2024, 1, 3)), seen("tea", (2024, 1, 3))])
        assert book.highest() == {"mal": 8}
        assert [len(book.of(name)) for name in ("mallard", "duck sp.", "teal", "anseriformes")] == [3, 4, 1, 4]

    def test_safe_to_go_through(self):
        book = Notebook(TREE, [seen("mal", (2024, 1, day)) for day in range(1, 4)])
        assert sum(book.add(seen("tea", (2024, 1, one.at.day))) for one in book) == 3


class TestSquares:
    def test_every_tenth(self):
        for tenths in range(-900, 901):
            assert square(tenths / 10, tenths / 10) == (tenths, tenths)
            if tenths < 900:
                assert square(tenths / 10 + 0.05, 0)[0] == tenths

    @pytest.mark.parametrize(("corner", "shown"), [((-1, -1), "S00.1 W000.1"), ((-105, 1799), "S10.5 E179.9"), ((5, -5), "N00.5 W000.5")])
    def test_names(self, corner, shown):
        assert name(corner) == shown

    def test_both_sides_of_zero(self):
        found = atlas([seen("mal2", (2024, 1, 1), latitude=0.05), seen("tea", (2024, 1, 1), latitude=-0.05)], TREE)
        assert found == {(-1, 20): ["tea"], (0, 20): ["mal"]}
