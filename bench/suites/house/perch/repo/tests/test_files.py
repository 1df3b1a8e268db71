import copy
import json
from datetime import datetime, timedelta, timezone

import pytest

from perch import Notebook, open_notebook
from perch.errors import BadFile, PerchError
from perch.files import carried_over, read, second, third
from perch.plugins import Exporter, Reader

SECOND = {
    "generation": 2,
    "sightings": [{"bird": "smew", "at": "2023-01-05T09:00:00-03:30", "place": [47.5, -52.7], "count": 2, "by": "Cy", "note": "two drakes"}],
}


def test_first_generation(old_file, taxonomy):
    notebook = open_notebook(old_file, taxonomy)
    first, second_, third_ = notebook
    assert (first.taxon, first.count, first.observer) == ("hergul", 4, "Ann")
    assert first.at == datetime(2023, 5, 7, 4, 30, tzinfo=timezone.utc)
    assert (second_.taxon, second_.count, second_.latitude) == ("comgul", None, -0.05)
    assert second_.at.hour == 12
    assert third_.at.utcoffset() == timedelta(hours=2)


def test_second_generation(tmp_path, taxonomy):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(SECOND))
    (one,) = open_notebook(path, taxonomy)
    assert one.at.isoformat() == "2023-01-05T09:00:00-03:30"
    assert (one.count, one.note) == (2, "two drakes")


def test_there_and_back(tmp_path, taxonomy, saw):
    notebook = Notebook(taxonomy, [saw("smew", count=3, observer="Ann", note="ü"), saw("hergul1", hours=-7, longitude=-100.0)])
    notebook.save(tmp_path / "n.json")
    again = open_notebook(tmp_path / "n.json", taxonomy)
    assert list(again) == list(notebook)
    assert [(one.note, one.longitude, one.at.utcoffset()) for one in again] == [(one.note, one.longitude, one.at.utcoffset()) for one in notebook]


def test_steps_leave_what_they_were_given():
    first = {"generation": 1, "zone": "+0100", "rows": [{"date": "01.02.2020", "time": "", "bird": "smew", "count": "1", "lat": "1", "lon": "2", "who": ""}]}
    for document, step in ((first, second), (SECOND, third)):
        before = copy.deepcopy(document)
        assert step(document)["generation"] == before["generation"] + 1
        assert document == before


def test_current_document_stays():
    document = {"generation": 3, "sightings": []}
    assert carried_over(document) is document


@pytest.mark.parametrize(
    "text",
    ["", "hello", "[]", '{"generation": 4, "sightings": []}', '{"generation": 3}', '{"generation": 2, "sightings": [{}]}', "# zone +0200\ndate,time\n1,2,3\n", "# zone nowhere\ndate\n"],
)
def test_bad_files(text):
    with pytest.raises(BadFile):
        read(text)


def test_readers_are_named():
    assert read('{"generation": 3, "sightings": []}')[1] == "json-3"
    assert sorted(Reader.known) == ["csv", "json-2", "json-3"]


def test_kinds_do_not_mix():
    assert sorted(Exporter.known) == ["atlas", "csv", "plain"]
    assert Reader.named("csv") is not Exporter.named("csv")


def test_name_that_is_taken():
    with pytest.raises(PerchError, match="'csv' is the name of CsvReader"):
        type("Another", (Reader,), {"name": "csv"})


def test_class_without_a_name_of_its_own_is_abstract():
    before = dict(Exporter.known)
    type("Special", (Exporter.named("csv"),), {})
    assert Exporter.known == before


def test_unknown_plugin():
    with pytest.raises(PerchError, match="'x' is none of atlas, csv, plain"):
        Exporter.named("x")
