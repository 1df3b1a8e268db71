"""Edits by quotation: the 28 byte-level cases on which shipped edit tools differ, and random edits by the thousand."""

from __future__ import annotations

import os
import re
import unicodedata

import pytest
from factories import files
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bot.engines.agent import document
from bot.engines.agent.refusal import EditRefused
from bot.engines.agent.tree import Tree
from sandbox import File


def make_tree(contents: dict[str, bytes | File], protected=lambda path: None) -> Tree:
    return Tree({path: data if isinstance(data, File) else File(data) for path, data in contents.items()}, protected)


def edited(data: bytes, old: str, new: str, path: str = "f.txt") -> bytes:
    tree = make_tree({path: data})
    tree.edit(path, old, new)
    return tree.files()[path].data


def refused(data: bytes, old: str, new: str, path: str = "f.txt") -> EditRefused:
    tree = make_tree({path: data})
    with pytest.raises(EditRefused) as caught:
        tree.edit(path, old, new)
    assert tree.files()[path].data == data
    assert "Nothing was changed." in str(caught.value)
    return caught.value


NFC, NFD = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    ("data", "old", "new", "expected"),
    [
        (b"a\r\nb\r\nc\r\n", "b", "B", b"a\r\nB\r\nc\r\n"),
        (b"a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\nb\n", b"a\r\nx\r\nb\r\nc\r\n"),
        (b"all:\n\tcc a\nb:\n\tcc b\n", "cc b", "cc c", b"all:\n\tcc a\nb:\n\tcc c\n"),
        (b"a  \nb\t\nc\n", "a\nb\nc", "a\nB\nc", b"a  \nB\nc\n"),
        (b"\xef\xbb\xbfone\ntwo\n", "one", "ONE", b"\xef\xbb\xbfONE\ntwo\n"),
        (b"a\nb", "b", "c", b"a\nc"),
        (b"caf\xe9\nx = 1\n", "x = 1", "x = 2", b"caf\xe9\nx = 2\n"),
        (b"\x93hi\x94\nx = 1\n", "x = 1", "x = 2", b"\x93hi\x94\nx = 2\n"),
        (f"{NFD} = 1\n".encode(), f"{NFC} = 1", f"{NFC} = 2", f"{NFD} = 2\n".encode()),
        ("say \u201chi\u201d \u2013 x\n".encode(), 'say "hi" - x', 'say "hi" - y', "say \u201chi\u201d \u2013 y\n".encode()),
        (b"def f():\n    if x:\n        a()\n        b()\n", "if x:\n    a()\n    b()", "if x:\n    a()\n    c()", b"def f():\n    if x:\n        a()\n        c()\n"),
        (b"def f():\n    a()\n    b()\n", "        a()\n        b()\n", "        a()\n        c()\n", b"def f():\n    a()\n    c()\n"),
        (b"a\rb\r\nc\nd\r\n", "c", "C", b"a\rb\r\nC\nd\r\n"),
        (b"a\nb\nc\n", "     2\tb\n     3\tc", "     2\tB\n     3\tc", b"a\nB\nc\n"),
        (b"a\nb = 2", "b = 2", "b = 2\nc = 3", b"a\nb = 2\nc = 3"),
        (b"a\nb = 2", "b = 2\n", "b = 2\nc = 3\n", b"a\nb = 2\nc = 3"),
        (b"x\x0cy\nz\n", "z", "w", b"x\x0cy\nw\n"),
        ("a\u2028b\nc\n".encode(), "c", "d", "a\u2028b\nd\n".encode()),
        (b"a\r\nb", "b", "b\nc", b"a\r\nb\r\nc"),
        (b"a\nb\nc\n", "b\n", "", b"a\nc\n"),
        (b"a\n  \n\nb\n", "a\n\n\nb", "a\n#\n\nb", b"a\n#\n\nb\n"),
        (b"a\r\n\n\r\nb\n", "a\n\n\nb", "a\nx\n\nb", b"a\r\nx\n\r\nb\n"),
    ],
    ids=[
        "CRLF, one line", "CRLF, LF quotation of several lines", "tabs on other lines", "trailing blanks differ",
        "byte order mark", "no newline at the end", "Latin-1", "cp1252", "NFC quotes NFD", "typographic quotes",
        "indented too little", "indented too much", "lone CR and mixed ends", "line-number prefixes",
        "insert after a last line without newline", "only the final newline differs", "form feed",
        "line separator", "end of the neighbour for a new line", "deletion of a line", "blank lines beside a change",
        "mixed ends of blank lines",
    ],
)  # fmt: skip
def test_edit_changes_no_other_byte(data: bytes, old: str, new: str, expected: bytes) -> None:
    assert edited(data, old, new) == expected


@pytest.mark.parametrize(
    ("data", "old", "new", "kind", "words"),
    [
        (b"a\nb\na\n", "a", "c", "ambiguous", "2 times, beginning at lines 1, 3"),
        (b"aaa\n", "aa", "b", "ambiguous", "2 times"),
        (b"a\n", "", "b", "empty-old", "names no place"),
        (b"a\n", "a", "a", "no-op", "same text"),
        (b"def f():\n    return 2\n", "    return 1\n", "    return 2\n", "already-applied", "at line 2"),
        (b"x = 1\n", "y = [", "y", "not-found", "No lines of the file are like it"),
        (b"a\0b\n", "a", "b", "binary", "NUL"),
        (b"caf\xe9\n", "caf", "\u20ac", "unencodable", "cannot be written"),
        (b"a\n", "a", "\ufffd", "unencodable", "U+FFFD"),
        (b"a\n" * 1_100_000, "b", "c", "too-large", "limit"),
    ],
    ids=["not unique", "overlapping", "empty", "no-op", "applied already", "absent", "binary", "unencodable", "lost", "large"],
)  # fmt: skip
def test_edit_that_cannot_be_done_says_why(data: bytes, old: str, new: str, kind: str, words: str) -> None:
    error = refused(data, old, new)
    assert error.kind == kind
    assert words in str(error)


def test_edit_that_makes_a_file_unparsable_is_taken_back() -> None:
    error = refused(b"x = (1)\n", "(1)", "(1", path="a.py")
    assert (error.kind, "line 1" in str(error)) == ("syntax", True)


@pytest.mark.parametrize("path", ["a.json", "a.toml", "a.js", "a.ts", "a.go", "a.rs", "A.java"])
def test_each_language_is_parsed_after_an_edit(path: str) -> None:
    sources = {
        "a.json": b'{"a": 1}', "a.toml": b"a = 1\n", "a.js": b"f(1);\n", "a.ts": b"f(1);\n",
        "a.go": b"package a\n\nfunc F() { G(1) }\n", "a.rs": b"fn f() { g(1) }\n", "A.java": b"class A { int f() { return g(1); } }\n",
    }  # fmt: skip
    assert refused(sources[path], "1", "1 ((", path=path).kind == "syntax"


def test_file_that_was_broken_before_can_be_edited_step_by_step() -> None:
    assert edited(b"x = (\ny = [\n", "x = (", "x = 1", path="a.py") == b"x = 1\ny = [\n"


def test_link_within_the_tree_is_followed_and_stays_a_link() -> None:
    tree = make_tree({"real.py": b"x = 1\n", "link.py": File(b"real.py", link=True)})
    assert tree.edit("link.py", "1", "2").path == "real.py"
    assert tree.patch().files == {"real.py": b"x = 2\n"}
    assert tree.files()["link.py"].link


@pytest.mark.parametrize("target", [b"/etc/passwd", b"../../etc/passwd", b"loop.py"])
def test_link_that_leads_outside_or_round_is_refused(target: bytes) -> None:
    tree = make_tree({"loop.py": File(target, link=True)})
    for act in (
        lambda: tree.read("loop.py"),
        lambda: tree.edit("loop.py", "a", "b"),
        lambda: tree.create("loop.py", "a", overwrite=True),
    ):
        with pytest.raises(EditRefused) as caught:
            act()
        assert caught.value.kind == "outside"


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "", "a\0b", "C:\\x", "a\nb", "\ud800"])
def test_path_outside_of_the_tree_is_refused(path: str) -> None:
    tree = make_tree({"a": b"x\n"})
    for act in (lambda: tree.read(path), lambda: tree.create(path, "x")):
        with pytest.raises(EditRefused) as caught:
            act()
        assert caught.value.kind == "outside"


def test_path_of_the_box_and_a_composed_name_are_understood() -> None:
    tree = make_tree({f"{NFD}.txt": b"x\n", "shop/a.py": b"y\n"})
    assert tree.read(f"{NFC}.txt").view == "x\n"
    assert tree.read("/sbx/w/shop/a.py").view == tree.read("./shop/a.py").view == "y\n"


def test_missing_file_names_its_nearest() -> None:
    with pytest.raises(EditRefused, match=r"Nearest: shop/pricing\.py"):
        make_tree({"shop/pricing.py": b""}).read("pricing.py")


def test_protected_file_is_read_only_and_says_why() -> None:
    tree = make_tree(
        {"tests/test_a.py": b"x\n"}, lambda path: "tests are the specification" if "test" in path else None
    )
    assert tree.read("tests/test_a.py").view == "x\n"
    for act in (lambda: tree.edit("tests/test_a.py", "x", "y"), lambda: tree.create("tests/new.py", "x")):
        with pytest.raises(EditRefused, match="tests are the specification") as caught:
            act()
        assert caught.value.kind == "protected"


def test_mode_survives_an_edit() -> None:
    tree = make_tree({"run.sh": File(b"a\n", executable=True)})
    tree.edit("run.sh", "a", "b")
    assert tree.files()["run.sh"] == File(b"b\n", executable=True)


def test_file_that_changed_since_it_was_read_is_shown_fresh() -> None:
    tree = make_tree({"a.txt": b"one\ntwo\n"})
    tree.read("a.txt")
    tree.overwrite("a.txt", b"one\n2\n")
    with pytest.raises(EditRefused, match="\t2") as caught:
        tree.edit("a.txt", "two", "three")
    assert caught.value.kind == "stale"
    tree.edit("a.txt", "2", "three")
    tree.edit("a.txt", "three", "four")  # an own edit makes nothing stale
    assert tree.files()["a.txt"].data == b"one\nfour\n"


def test_not_found_shows_the_first_difference_of_both_sides() -> None:
    error = refused(
        b"def total(prices):\n    return sum(prices)\n", "def total(prices):\n    return sum(price)\n", "x"
    )
    assert "lines 1-2" in str(error)
    assert "'    return sum(prices)'" in str(error)
    assert "'    return sum(price)'" in str(error)


def test_tabs_and_spaces_are_named() -> None:
    error = refused(b"if a:\n\tif b:\n\t\tgo(b)\n", "if a:\n    if b:\n        stop(b)\n", "x")
    assert "indents with tabs" in str(error)


def test_same_failing_edit_gets_more_help_each_time() -> None:
    tree = make_tree({"a.txt": b"".join(b"line %d\n" % n for n in range(100))})
    said = []
    for _ in range(3):
        with pytest.raises(EditRefused) as caught:
            tree.edit("a.txt", "line 50 and more\n", "x\n")
        said.append(str(caught.value))
    assert len(re.findall(r"^ +\d+\t", said[1], re.MULTILINE)) >= 40
    assert "Do not send it again" in said[2]


def test_change_that_is_undone_is_no_change() -> None:
    tree = make_tree({"a.txt": b"one\n"})
    start = tree.digest()
    tree.edit("a.txt", "one", "two")
    assert tree.digest() != start
    tree.edit("a.txt", "two", "one")
    assert (tree.digest(), tree.patch().files) == (start, {})


def test_new_file_says_which_folders_are_new_and_replaces_nothing_unasked() -> None:
    tree = make_tree({"a/b.py": b"x = 1\r\n"})
    assert tree.create("a/c/d/e.py", "y = 1\n").folders == ("a/c", "a/c/d")
    with pytest.raises(EditRefused, match="exists already"):
        tree.create("a/b.py", "z = 1\n")
    tree.create("a/b.py", "z = 1\n", overwrite=True)
    assert tree.files()["a/b.py"].data == b"z = 1\r\n"


@pytest.mark.parametrize("path", ["A/b.py", "a/b.py/c.py", "a"])
def test_new_file_that_collides_is_refused(path: str) -> None:
    with pytest.raises(EditRefused) as caught:
        make_tree({"a/b.py": b""}).create(path, "x")
    assert caught.value.kind == "collision"


ENDS = st.sampled_from(["\n", "\r\n"])
TEXTS = st.text(st.sampled_from("ab \t\x0c\r\u2028\u00e9\u0301\u201c=()x1"), max_size=8).filter(
    lambda text: not text.endswith("\r")
)
LINES = st.lists(st.tuples(TEXTS, ENDS), min_size=1, max_size=12)


@st.composite
def edits(draw: st.DrawFn) -> tuple[bytes, list[bytes], int, int, list[str]]:
    """A file as its raw lines, a range of them, and new lines for that range."""
    lines = draw(LINES)
    raw = [(text + end) for text, end in lines]
    if draw(st.booleans()):
        raw[-1] = lines[-1][0] or "z"
    start = draw(st.integers(0, len(raw) - 1))
    stop = draw(st.integers(start + 1, len(raw)))
    new = draw(st.lists(TEXTS, max_size=4))
    bom = b"\xef\xbb\xbf" if draw(st.booleans()) else b""
    return bom, [line.encode() for line in raw], start, stop, new


# Three properties with 3,500 edits each. A number in the environment makes a longer run of it.
RANDOM = settings(
    max_examples=int(os.environ.get("REGREEN_TEST_EDITS", "3500")), deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)  # fmt: skip


@RANDOM
@given(edits())
def test_random_edit_changes_no_foreign_byte(edit: tuple[bytes, list[bytes], int, int, list[str]]) -> None:
    bom, raw, start, stop, new = edit
    data = bom + b"".join(raw)
    view = "".join(line.decode() for line in raw).replace("\r\n", "\n")
    assert document.view(data) == document.decode(data).view == view
    assert document.decode(data).encode() == data
    old = "".join(line.decode() for line in raw[start:stop]).replace("\r\n", "\n")
    text = "".join(line + "\n" for line in new)
    tree = make_tree({"f.txt": data})
    try:
        tree.edit("f.txt", old, text)
    except EditRefused as error:
        assert error.kind in ("ambiguous", "no-op", "empty-old")
        assert tree.files()["f.txt"].data == data
        return
    after = tree.files()["f.txt"].data
    before, behind = bom + b"".join(raw[:start]), b"".join(raw[stop:])
    assert after.startswith(before)
    assert after.endswith(behind)
    middle = after[len(before) : len(after) - len(behind)].decode()
    assert middle.replace("\r\n", "\n") == text
    assert view.count(old) >= 1


def byte_offset(data: bytes, view_offset: int) -> int:
    """Where a character of the view stands in the bytes."""
    text, seen, number = data.decode(), 0, 0
    while seen < view_offset:
        number += 2 if text.startswith("\r\n", number) else 1
        seen += 1
    return len(text[:number].encode())


@RANDOM
@given(edits(), st.data())
def test_random_piece_of_a_line_changes_no_foreign_byte(
    edit: tuple[bytes, list[bytes], int, int, list[str]], data
) -> None:
    bom, raw, _, _, new = edit
    body = b"".join(raw)
    view = body.decode().replace("\r\n", "\n")
    start = data.draw(st.integers(0, len(view) - 1))
    old = view[start : data.draw(st.integers(start + 1, len(view)))]
    tree = make_tree({"f.txt": bom + body})
    text = "y".join(new)
    try:
        tree.edit("f.txt", old, text)
    except EditRefused as error:
        assert error.kind in ("ambiguous", "no-op")
        return
    after = tree.files()["f.txt"].data.removeprefix(bom)
    assert after.startswith(body[: byte_offset(body, start)])
    rest = body[byte_offset(body, start + len(old)) :]
    assert after.endswith(rest)
    between = after[byte_offset(body, start) : len(after) - len(rest)].decode()
    assert between.replace("\r\n", "\n") == text


@RANDOM
@given(st.lists(st.sampled_from(["if a:", "    go(b)", "\tstop(c)", "", "  ", "x = \u201cy\u201d  ", "caf\u00e9 = 1"]), min_size=3, max_size=9),
       ENDS, st.sampled_from(["strip", "indent", "dedent", "quotes", "nfd"]), st.data())  # fmt: skip
def test_tolerated_quotation_changes_only_the_line_that_was_meant(lines: list[str], end: str, how: str, data) -> None:
    """The quotation differs from the file by a tolerance; of its lines only one is changed."""
    lines = [f"{line}{number}" if line.strip() else line for number, line in enumerate(lines)]
    body = end.join(lines) + end
    start = data.draw(st.integers(0, len(lines) - 1))
    stop = data.draw(st.integers(start + 1, len(lines)))
    target = data.draw(st.integers(start, stop - 1))
    bend = {
        "strip": lambda line: line.rstrip(),
        "indent": lambda line: "    " + line if line.strip() else line,
        "dedent": lambda line: line.removeprefix("    "),
        "quotes": lambda line: line.replace("\u201c", '"').replace("\u201d", '"'),
        "nfd": lambda line: unicodedata.normalize("NFD", line),
    }[how]
    quoted = [bend(line) for line in lines[start:stop]]
    assume(any(line.strip() for line in quoted))  # blank lines alone can stand elsewhere, literally
    changed = [*quoted]
    changed[target - start] = f"{quoted[target - start]}#"
    tree = make_tree({"f.txt": body.encode()})
    try:
        tree.edit("f.txt", "\n".join(quoted), "\n".join(changed))
    except EditRefused as error:
        assert error.kind in ("not-found", "ambiguous", "empty-old")
        return
    after = tree.files()["f.txt"].data.decode()
    assert after.endswith(end)
    found = after.removesuffix(end).split(end)
    assert [line for n, line in enumerate(found) if n != target] == [
        line for n, line in enumerate(lines) if n != target
    ]
    assert found[target].endswith("#") or found[target].rstrip().endswith("#")


def test_files_of_the_factory_are_a_tree() -> None:
    assert Tree(files({"a": "x"}), lambda path: None).paths() == ["a"]
