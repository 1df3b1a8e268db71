import pytest

from pager import Page, Pager, after, aligned, summary


@pytest.fixture
def pager():
    return Pager(range(1, 24), size=5)


def test_pages(pager):
    assert pager.last == 5
    assert pager.page(1) == Page(1, [1, 2, 3, 4, 5], 5)
    assert pager.page(5).items == [21, 22, 23]


def test_full_last_page():
    assert Pager("abcd", size=2).last == 2


def test_empty_list_has_one_page():
    assert list(Pager([])) == [Page(1, [], 1)]


def test_numbers_outside(pager):
    assert pager.page(0).number == 1
    assert pager.page(99).number == 5


def test_neighbours(pager):
    assert [page.has_next for page in pager] == [True, True, True, True, False]
    assert [page.has_previous for page in pager] == [False, True, True, True, True]


def test_page_of_an_item(pager):
    assert [pager.page_of(item) for item in (1, 5, 6, 23, 24)] == [1, 1, 2, 5, None]


def test_links():
    pager = Pager(range(100), size=10)
    assert pager.links(5) == [1, None, 4, 5, 6, None, 10]
    assert pager.links(1) == [1, 2, None, 10]
    assert pager.links(5, around=2) == [1, None, 3, 4, 5, 6, 7, None, 10]
    assert Pager("a").links(1) == [1]


def test_item_at_a_place(pager):
    assert pager.at(0) == 1
    assert pager.at(22) == 23
    assert pager.at(23, "none") == "none"
    assert pager.at(-1) is None


def test_cursor():
    words = ["pear", "fig", "apple", "plum", "kiwi"]
    batch, cursor = after(words, None, 2, key=str)
    assert (batch, cursor) == (["apple", "fig"], "fig")
    assert after(words, "fig", 2, key=str) == (["kiwi", "pear"], "pear")
    assert after(words, "pear", 2, key=str) == (["plum"], None)
    assert after(words, "fig", 3, key=str) == (["kiwi", "pear", "plum"], None)


def test_aligned():
    assert aligned([("nail", 120), ("saw", 7)]) == ["nail  120", "saw     7"]
    assert aligned([("a", "x"), ("bcd", "y")], gap=1) == ["a   x", "bcd y"]
    assert aligned([]) == []


def test_summary(pager):
    assert summary(pager.page(5), 23) == "3 of 23 items"
    assert summary(Pager("a").page(1), 1, noun="row") == "1 of 1 row"
