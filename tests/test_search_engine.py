"""The host's side of the search: what it believes of what the box says, and how it tells the cause."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of

from bot.engines.contract import Proposals
from bot.engines.search.cause import root_cause
from bot.engines.search.engine import SearchEngine
from bot.engines.search.readback import Messages, candidate_from, spliced
from bot.nouns import Failure, TestCase
from bot.toolchains import python
from sandbox import File, Image, Ran

SHOP = {
    "shop/__init__.py": "",
    "shop/pricing.py": """
        def apply_discount(price, percent):
            return round(price * (100 - percent) / 100)


        def total(prices):
            return sum(prices)
    """,
    "tests/test_pricing.py": """
        from shop.pricing import apply_discount, total


        def test_discount_keeps_cents():
            assert apply_discount(19.99, 15) == 16.99


        def test_total():
            assert total([1, 2]) == 3
    """,
}
RED = TestCase(
    "tests/test_pricing.py::test_discount_keeps_cents",
    "failed",
    message="AssertionError: assert 17 == 16.99\n +  where 17 = apply_discount(19.99, 15)",
    exception="AssertionError",
)
FAILURE = Failure((RED,), ("tests/test_pricing.py::test_total",))


class SayingSession:
    """A box that says what it is told to say."""

    def __init__(self, *chunks: bytes) -> None:
        self.chunks = chunks
        self.image = Image("saying")
        self.command = None
        self.limits = None

    def run(self, command, limits, *, on_report=None, cancelled=None) -> Ran:
        self.command, self.limits = command, limits
        for chunk in self.chunks:
            on_report(chunk)
        return Ran(None, "deadline", None, b"", 1.0)

    def close(self) -> None: ...


def claim(**changes: object) -> dict[str, object]:
    """A candidate as an honest box describes it."""
    text = tree_of(SHOP)["shop/pricing.py"].data
    end = text.index(b" / 100)") + len(b" / 100")
    honest = {
        "path": "shop/pricing.py",
        "edits": [[end, end, ", 2"]],
        "operator": "round-digits",
        "line": 2,
        "function": "apply_discount",
        "what": "`round(…)`",
        "fault": "rounds to whole units",
    }
    return {**honest, **changes}


def propose(*messages: object) -> Proposals:
    chunks = [json.dumps(message).encode() + b"\n" for message in messages]
    session = SayingSession(*chunks)
    return SearchEngine().propose(FAILURE, workbench_of(tree_of(SHOP), session))


def test_honest_claim_becomes_a_patch_made_from_pristine_bytes():
    proposals = propose({"kind": "result", "candidates": [claim()], "tried": 7, "places": ["f (a.py:1)"]})
    (candidate,) = proposals.candidates
    assert b"round(price * (100 - percent) / 100, 2)" in candidate.patch.files["shop/pricing.py"]
    assert (candidate.engine, candidate.operator, candidate.line) == ("search", "round-digits", 2)
    assert proposals.stats.tried == 7
    assert proposals.stats.places == ("f (a.py:1)",)


@pytest.mark.parametrize(
    "changes",
    [
        {"path": "tests/test_pricing.py"},
        {"path": "tests/conftest.py"},
        {"path": "../../etc/passwd"},
        {"path": "shop/new.py"},
        {"path": 7},
        {"edits": []},
        {"edits": [[0, 10**7, ""]]},
        {"edits": [[-5, 3, ""]]},
        {"edits": [[9, 3, "x"]]},
        {"edits": [[0, 5, ""], [3, 8, ""]]},
        {"edits": [[0, 0, "x" * 100_000]]},
        {"edits": [[0, 0, "x" * 8000], [1, 1, "y" * 8000]]},
        {"edits": [[0, 0, "\ud800"]]},
        {"edits": [[0, 0, ""]]},
        {"edits": [[n, n, "x"] for n in range(1000)]},
        {"operator": "<b>"},
        {"line": -1},
        {"what": "x" * 10_000},
    ],
    ids=str,
)
def test_dishonest_claim_is_dropped(changes: dict[str, object]):
    workbench = workbench_of(tree_of(SHOP), SayingSession())
    assert candidate_from(claim(), FAILURE, workbench) is not None
    assert candidate_from(claim(**changes), FAILURE, workbench) is None


@pytest.mark.parametrize("raw", [None, 7, "x", [], {}, [claim()]], ids=str)
def test_claim_that_is_no_claim_is_dropped(raw: object):
    assert candidate_from(raw, FAILURE, workbench_of(tree_of(SHOP), SayingSession())) is None


def test_search_that_was_stopped_still_gives_what_it_had_found():
    found = [{"kind": "found", "candidate": claim(cost=3.0, operator="later")}]
    found.append({"kind": "found", "candidate": claim(cost=1.0, edits=[[0, 0, "# x\n"]], operator="sooner")})
    proposals = propose({"kind": "progress", "tried": 5, "rate": 2, "best": "half"}, *found)
    assert [candidate.operator for candidate in proposals.candidates] == ["sooner", "later"]
    assert proposals.stats.tried == 5


def test_at_most_ten_and_each_once():
    many = [claim(edits=[[0, 0, "#" * (1 + n // 2) + "\n"]]) for n in range(60)]
    assert len(propose({"kind": "result", "candidates": many}).candidates) == 10
    assert len(propose({"kind": "result", "candidates": [claim(), claim()]}).candidates) == 1


def test_box_that_says_nothing_is_no_error():
    proposals = propose()
    assert proposals.candidates == ()
    assert proposals.stats.tried == 0


def test_nonsense_from_the_box_is_no_error():
    session = SayingSession(b"\xff\xfe\n[1]\n", b"{" * 100_000 + b"\n", b'{"kind": "result", "candidates": 3}\n')
    proposals = SearchEngine().propose(FAILURE, workbench_of(tree_of(SHOP), session))
    assert proposals.candidates == ()


def test_messages_come_in_pieces_and_endless_lines_are_dropped():
    messages = Messages()
    assert messages.feed(b'{"kind": ') == []
    assert messages.feed(b'"a"}\n{"kind"') == [{"kind": "a"}]
    assert messages.feed(b': "b"}\n') == [{"kind": "b"}]
    for _ in range(3):
        assert messages.feed(b"x" * 1_000_000) == []
    assert messages.feed(b'\n{"kind": "c"}\n') == [{"kind": "c"}]


def test_splicing_keeps_every_other_byte():
    data = "a = 'ü'\r\nb = 2\r\n".encode()
    at = data.index(b"2")
    assert spliced(data, [(at, at + 1, "3")]) == "a = 'ü'\r\nb = 3\r\n".encode()
    assert spliced(data, [(0, 1, "x"), (at, at + 1, "3")]) == "x = 'ü'\r\nb = 3\r\n".encode()


def test_protected_files_and_links_are_not_offered_to_the_box():
    tree = {**tree_of(SHOP), "shop/link.py": File(b"pricing.py", link=True), "conftest.py": File(b"")}
    session = SayingSession()
    workbench = replace(workbench_of(tree, session), protected=lambda path: path == "shop/__init__.py")
    SearchEngine().propose(FAILURE, workbench)
    job = json.loads(session.command.tools["search/job.json"].data)
    assert job["editable"] == ["shop/pricing.py"]
    assert session.limits.timeout_s > workbench.budget_s


def test_root_cause_reads_like_a_sentence():
    said = root_cause(
        FAILURE,
        what="`round(x)`",
        fault="rounds to whole units",
        function="apply_discount",
        path="shop/pricing.py",
        line=2,
    )
    assert said == (
        "`round(x)` in `apply_discount` (shop/pricing.py:2) rounds to whole units; "
        "the test expects `16.99` and got `17`."
    )


def test_root_cause_shows_no_values_that_look_alike():
    alike = TestCase("t.py::test_a", "failed", message="assert [One(...)] == [One(...)]", exception="AssertionError")
    said = root_cause(Failure((alike,), ()), what="`a`", fault="is wrong", function="f", path="p.py", line=1)
    assert said == "`a` in `f` (p.py:1) is wrong."
    said = root_cause(Failure((alike, RED), ()), what="`a`", fault="is wrong", function="f", path="p.py", line=1)
    assert said.endswith("the test expects `16.99` and got `17`.")


def test_root_cause_is_one_printable_line():
    said = root_cause(FAILURE, what="a\x1b[31m\n", fault="b\u202e", function="f", path="p.py", line=1)
    assert said.isprintable()
    assert "\n" not in said


FLAVOURS = {
    "doctest": (
        {
            "calc.py": '''
                def double(x):
                    """Twice as much.

                    >>> double(4)
                    8
                    """
                    return x + 2


                def triple(x):
                    """
                    >>> triple(2)
                    6
                    """
                    return x * 3
            ''',
        },
        ("--doctest-modules",),
        b"return x * 2",
    ),
    "importlib mode and namespace package": (
        {
            "src/space/tools/calc.py": """
                def double(x):
                    return x + 2
            """,
            "tests/test_calc.py": """
                from space.tools.calc import double


                def test_double():
                    assert double(4) == 8
                    assert double(0) == 0
            """,
        },
        ("--import-mode=importlib",),
        b"return x * 2",
    ),
    "caplog": (
        {
            "noisy.py": """
                import logging


                def warn(count):
                    if count > 3:
                        logging.getLogger("noisy").warning("many: %d", count)
                    return count
            """,
            "tests/test_noisy.py": """
                from noisy import warn


                def test_warning(caplog):
                    warn(3)
                    assert "many: 3" in caplog.text


                def test_silence(caplog):
                    warn(2)
                    assert not caplog.text
            """,
        },
        (),
        b"if count >= 3:",
    ),
    "anyio": (
        {
            "later.py": """
                async def double(x):
                    return x + 2
            """,
            "tests/test_later.py": """
                import pytest

                from later import double


                @pytest.fixture
                def anyio_backend():
                    return "asyncio"


                @pytest.mark.anyio
                async def test_double():
                    assert await double(4) == 8


                @pytest.mark.anyio
                async def test_double_of_two():
                    assert await double(2) == 4
            """,
        },
        (),
        b"return x * 2",
    ),
    "conftest with early hooks that imports the project": (
        {
            "calc.py": "LIMIT = 5\n\n\ndef small(x):\n    return x < LIMIT\n",
            "conftest.py": """
                import calc


                def pytest_addoption(parser):
                    parser.addoption("--more", action="store_true")
            """,
            "tests/test_calc.py": """
                from calc import small


                def test_small():
                    assert small(5)
                    assert not small(6)


                def test_very_small():
                    assert small(1)
            """,
        },
        (),
        b"x <= LIMIT",
    ),
    "setup in unittest class": (
        {
            "calc.py": "def double(x):\n    return x + 2\n",
            "tests/test_calc.py": """
                import unittest

                from calc import double


                class TestDouble(unittest.TestCase):
                    @classmethod
                    def setUpClass(cls):
                        cls.value = 4

                    def test_double(self):
                        self.assertEqual(double(self.value), 8)

                    def test_two(self):
                        with self.subTest("two"):
                            self.assertEqual(double(2), 4)
            """,
        },
        (),
        b"return x * 2",
    ),
}


@pytest.mark.parametrize(("texts", "args", "wanted"), FLAVOURS.values(), ids=FLAVOURS)
def test_search_works_under(texts: dict[str, str], args: tuple[str, ...], wanted: bytes, tmp_path: Path):
    tree = tree_of(texts)
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), tree, launch_of(tree, args=args)))
    assert failure.targets
    session = FolderSession(tmp_path / "search")
    proposals = SearchEngine().propose(failure, workbench_of(tree, session, args=args))
    assert proposals.candidates, (proposals.stats, session.output.decode()[-3000:])
    (data,) = proposals.candidates[0].patch.files.values()
    assert wanted in data, data.decode()


def test_search_that_finds_nothing_says_where_it_looked(tmp_path: Path):
    """No single edit makes this pass; the engine gives up, and says what it tried."""
    tree = tree_of(
        {
            "magic.py": "def secret(x):\n    return x * 2\n",
            "tests/test_magic.py": """
                from magic import secret


                def test_secret():
                    assert [secret(n) for n in range(5)] == [17, 4, 99, 6, 1234]


                def test_even():
                    assert secret(1) in (2, 4)
            """,
        }
    )
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), tree, launch_of(tree)))
    proposals = SearchEngine().propose(failure, workbench_of(tree, FolderSession(tmp_path / "search"), budget_s=15))
    assert proposals.candidates == ()
    assert proposals.stats.tried > 20
    assert proposals.stats.places == ("secret (magic.py:1)",)


@pytest.mark.docker
def test_search_runs_in_a_real_box(docker_sandbox):
    tree = tree_of(SHOP)
    recipe, _notes = python.recipe(tree)
    image = docker_sandbox.prepare(recipe)
    with docker_sandbox.session(image) as session:
        workbench = replace(workbench_of(tree, session), launch=python.launch(tree))
        proposals = SearchEngine().propose(FAILURE, workbench)
    assert proposals.candidates, proposals.stats
    assert proposals.candidates[0].operator == "round-digits"


def test_nearest_change_names_the_green_test_that_it_breaks(tmp_path: Path):
    """The one red test is wrong: whatever turns it green breaks another one, and that is said."""
    tree = tree_of(
        {
            "geometry.py": "def area(width, height):\n    return width * height\n",
            "test_geometry.py": """
                from geometry import area


                def test_small():
                    assert area(3, 4) == 12


                def test_big():
                    assert area(5, 6) == 31
            """,
        }
    )
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), tree, launch_of(tree)))
    proposals = SearchEngine().propose(failure, workbench_of(tree, FolderSession(tmp_path / "search"), budget_s=20.0))
    assert not proposals.candidates
    assert "1 of 1 red tests pass when" in proposals.stats.best
    assert proposals.stats.best.endswith("but then `test_geometry.py::test_small` fails")
