from datetime import timezone

import pytest

from perch import Notebook
from perch.errors import UnknownTaxon
from perch.grid import atlas, name, square


@pytest.fixture
def notebook(taxonomy, saw):
    return Notebook(taxonomy, [saw("hergul1", day=3, count=2), saw("hergul", day=2), saw("smew", day=4, count=1), saw("hergul", day=5, count=9)])


def test_in_order(notebook):
    assert [one.at.day for one in notebook] == [2, 3, 4, 5]


def test_same_sighting_stands_once(notebook, saw):
    assert not notebook.add(saw("smew", day=4, count=7))
    assert notebook.add(saw("smew", day=4, observer="Bob"))
    assert len(notebook) == 5


def test_same_moment_in_another_zone_is_the_same_sighting(notebook, saw):
    assert not notebook.add(saw("smew", day=4, hour=6, hours=0))


def test_unknown_bird(notebook, saw):
    with pytest.raises(UnknownTaxon):
        notebook.add(saw("dodo"))
    assert len(notebook) == 4


def test_life_list(notebook):
    assert {code: one.at.day for code, one in notebook.life_list().items()} == {"hergul": 2, "smew": 4}


def test_list_is_in_the_order_of_first_sightings(notebook, saw):
    notebook.add(saw("comgul", day=1))
    assert list(notebook.life_list()) == ["comgul", "hergul", "smew"]


def test_spuh_counts_while_no_species_was_seen(taxonomy, saw):
    notebook = Notebook(taxonomy, [saw("gull"), saw("smew", day=2)])
    assert list(notebook.life_list()) == ["gull", "smew"]
    notebook.add(saw("comgul", day=9))
    assert list(notebook.life_list()) == ["smew", "comgul"]


def test_year_of_the_observers_watch(taxonomy, saw):
    notebook = Notebook(taxonomy, [saw("smew", 2023, 12, 31, 23, hours=-5), saw("hergul", 2024, 1, 1, 1, hours=9)])
    assert list(notebook.year_list(2023)) == ["smew"]
    assert list(notebook.year_list(2024)) == ["hergul"]


def test_of(notebook):
    assert len(notebook.of("Herring Gull")) == 3
    assert len(notebook.of("laridae")) == 3
    assert len(notebook.of("hergul1")) == 1


def test_highest(notebook, saw):
    notebook.add(saw("comgul", day=6))
    assert notebook.highest() == {"hergul": 9, "smew": 1}


def test_going_through_while_adding(notebook, saw):
    for one in notebook:
        notebook.add(saw("comgul", day=one.at.day))
    assert len(notebook) == 8


@pytest.mark.parametrize(
    ("place", "expected"),
    [((52.35, 4.85), "N52.3 E004.8"), ((52.3, 4.8), "N52.3 E004.8"), ((0, 0), "N00.0 E000.0"), ((-0.05, -0.05), "S00.1 W000.1"), ((-12.3, -123.45), "S12.3 W123.5"), ((0.7, 0.3), "N00.7 E000.3")],
)
def test_squares(place, expected):
    assert name(square(*place)) == expected


def test_atlas(notebook, taxonomy, saw):
    notebook.add(saw("comgul", latitude=-0.05, longitude=4.85))
    assert atlas(notebook, taxonomy) == {(-1, 48): ["comgul"], (523, 48): ["hergul", "smew"]}


def test_plain(notebook):
    assert notebook.export("plain").splitlines()[:2] == ["2024-05-02 08:00 some Herring Gull", "2024-05-03 08:00 2 Larus argentatus argenteus"]


def test_csv(taxonomy, saw):
    notebook = Notebook(taxonomy, [saw("hergul1", day=1, hour=1, observer='Bell, "Ann"')])
    assert notebook.export("csv") == 'date,code,count,square,observer\n2024-04-30,hergul,,N52.3 E004.8,"Bell, ""Ann"""\n'


def test_atlas_file(taxonomy, saw):
    notebook = Notebook(taxonomy, [saw("smew", count=12)])
    assert notebook.export("atlas") == "date\tcode\tcount\tsquare\n2024-05-01\tsmew\t12\tN52.3 E004.8\n# end\n"


def test_sightings_that_there_cannot_be(saw):
    for wrong in ({"count": 0}, {"latitude": 91.0}, {"longitude": -181.0}):
        with pytest.raises(ValueError):
            saw("smew", **wrong)


def test_utc(saw):
    assert saw("smew").utc.hour == 6
    assert saw("smew").utc.tzinfo is timezone.utc
