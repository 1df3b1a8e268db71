from labels.stock import Article, Crate
from labels.tags import listed, tags


def test_tags():
    assert tags("Tea, Jam") == ["tea", "jam"]


def test_other_sign():
    assert tags("salt|Oil", sep="|") == ["salt", "oil"]


def test_listed():
    assert listed("Tea,Jam") == "tea and jam"


def test_hash_signs():
    assert tags("#Tea; #jam", sep=";") == ["tea", "jam"]


def test_article():
    assert Article("jar").label() == "Jar"
    assert Article("cup of tea", 250).label() == "Cup Of Tea"


def test_heavy_article():
    assert Article("tub", 3500).label() == "Tub!"


def test_crate():
    assert Crate("cups", 200, 6).label() == "6 cups"


def test_heavy_crate():
    assert Crate("jugs", 800, 4).label() == "4 jugs!"
