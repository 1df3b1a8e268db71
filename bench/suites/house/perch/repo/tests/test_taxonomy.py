import pytest

from perch import Taxon
from perch.errors import Ambiguous, UnknownTaxon
from perch.taxonomy import folded


@pytest.mark.parametrize("name", ["hergul", "HERRING GULL", "herring-gull", "goeland argente", " Larus  Argentatus "])
def test_found_by_any_name(taxonomy, name):
    assert taxonomy.find(name).code == "hergul"


def test_ambiguous_name(taxonomy):
    with pytest.raises(Ambiguous, match="comgul, mewgul") as caught:
        taxonomy.find("mew gull")
    assert caught.value.codes == {"comgul", "mewgul"}


def test_unknown_name(taxonomy):
    with pytest.raises(UnknownTaxon, match="no bird is called 'dodo'"):
        taxonomy.find("dodo")


def test_folded():
    assert folded("Straße-Öl ") == "strasse ol"


def test_species(taxonomy):
    assert taxonomy.species("hergul1").code == "hergul"
    assert taxonomy.species("hergul").code == "hergul"
    assert taxonomy.species("gull").code == "gull"
    assert taxonomy.species("lari").code == "lari"


def test_below(taxonomy):
    assert taxonomy.is_below("hergul1", "lari")
    assert taxonomy.is_below("lari", "lari")
    assert not taxonomy.is_below("lari", "hergul1")
    assert not taxonomy.is_below("smew", "gull")


def test_parent_must_be_there(taxonomy):
    with pytest.raises(UnknownTaxon, match="x lies below y"):
        taxonomy.add(Taxon("x", "X", "species", "y"))


def test_rank_must_be_known():
    with pytest.raises(ValueError, match="no rank"):
        Taxon("x", "X", "tribe")
