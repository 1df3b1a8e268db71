import pytest

from pager import Page, Pager, after, aligned, summary


@pytest.mark.parametrize("count, size, last", [(0, 3, 1), (1, 3, 1), (3, 3, 1), (4, 3, 2), (9, 3, 3), (10, 3, 4), (30, 10, 3)])
def test_sizes(count, size, last):
    pager = Pager(range(count), size)
    pages = list(pager)
    assert pager.last == len(pages) == last
    assert [item for page in pages for item in page.items] == list(range(count))
    assert [page.number for page in pages] == list(range(1, last + 1))
    assert all(page.last == last for page in pages)
    assert pages[-1].has_next is False
    assert pages[0].has_previous is False
    assert sum(page.has_next for page in pages) == sum(page.has_previous for page in pages) == last - 1


def test_page():
    pager = Pager(iter("abcdefg"), size=3)
    assert pager.page(-5) == pager.page(1) == Page(1, ["a", "b", "c"], 3)
    assert pager.page(4) == pager.page(3) == Page(3, ["g"], 3)
    assert [pager.page_of(letter) for letter in "acdgx"] == [1, 1, 2, 3, None]
    assert len(Pager(range(11)).page(1).items) == 10


def test_links():
    pager = Pager(range(8), size=1)
    assert pager.links(3) == [1, 2, 3, 4, None, 8]
    assert pager.links(4) == [1, None, 3, 4, 5, None, 8]
    assert pager.links(8, around=0) == [1, None, 8]
    assert pager.links(2, around=9) == list(range(1, 9))
    assert Pager([]).links(1) == [1]


def test_at():
    pager = Pager("xyz")
    assert [pager.at(place, "-") for place in (-4, -1, 0, 2, 3, 9)] == ["-", "-", "x", "z", "-", "-"]
    assert pager.at(3) is None
    assert Pager([]).at(0) is None


def test_after():
    people = [{"id": 5}, {"id": 1}, {"id": 9}, {"id": 3}]

    def key(one):
        return one["id"]

    assert after(people, None, 3, key) == ([{"id": 1}, {"id": 3}, {"id": 5}], 5)
    assert after(people, 5, 3, key) == ([{"id": 9}], None)
    assert after(people, 4, 1, key) == ([{"id": 5}], 5)
    assert after(people, 9, 3, key) == ([], None)
    assert after([], None, 1, key) == ([], None)
    assert after(people, None, 4, key)[1] is None
    assert after([{"id": -1}, {"id": 2}], 0, 5, key) == ([{"id": 2}], None)
    assert after([{"id": 0}, {"id": -3}], -3, 5, key) == ([{"id": 0}], None)


def test_aligned():
    assert aligned([("a", 1.5, "x"), ("long", 10, "y")], gap=1) == ["a    1.5 x", "long  10 y"]
    assert aligned([("",), ("ab",)]) == ["", "ab"]
    assert aligned([(1, ""), (22, "")]) == [" 1", "22"]


def test_summary():
    assert summary(Page(1, [], 1), 0) == "0 of 0 items"
    assert summary(Page(1, [1, 2], 1), 2, "box") == "2 of 2 boxs"
    assert summary(Page(2, [1], 2), 1) == "1 of 1 item"
