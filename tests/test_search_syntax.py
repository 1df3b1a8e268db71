"""Files that do not compile: the text that a person would have meant is among the few that are offered."""

from __future__ import annotations

from textwrap import dedent

import pytest
from searchbox import FolderSession, failure_of, launch_of, run_suite, tree_of, workbench_of

from bot.engines.search.engine import SearchEngine
from bot.engines.search.inside.broken import broken_places
from bot.engines.search.inside.catalogue import OPERATORS, SYNTAX
from bot.engines.search.inside.frontier import Frontier
from bot.engines.search.inside.hints import Hints, Red
from bot.engines.search.inside.unit import spliced

HINTS = Hints([Red("t", "CollectionError", "SyntaxError: invalid syntax", ())], {}, {}, {})


def offers(data: bytes) -> list[bytes]:
    """Whole files in the order in which they are tried."""
    frontier = Frontier(broken_places({"m.py": data}, HINTS))
    found = []
    while (candidate := frontier.next()) is not None and len(found) < 400:
        assert candidate.what and candidate.fault
        found.append(spliced(data, candidate.files()["m.py"]))
    return found


FAULTS = {
    "colon after def": ("def f(x):\n    return x\n", "def f(x)\n    return x\n"),
    "colon after else": ("if x:\n    y = 1\nelse:\n    y = 2\n", "if x:\n    y = 1\nelse\n    y = 2\n"),
    "colon with comment": ("for x in y:  # all\n    z(x)\n", "for x in y  # all\n    z(x)\n"),
    "colon of long head": ("def f(\n    a,\n    b,\n):\n    return a\n", "def f(\n    a,\n    b,\n)\n    return a\n"),
    "semicolon for colon": ("while x:\n    x -= 1\n", "while x;\n    x -= 1\n"),
    "colon of lambda": ("f = lambda x: x + 1\n", "f = lambda x x + 1\n"),
    "colon of pair": ('d = {"a": 1, "b": 2}\n', 'd = {"a": 1, "b" 2}\n'),
    "bracket at end": ("x = f(g(1), 2)\ny = 1\n", "x = f(g(1), 2\ny = 1\n"),
    "bracket inside": ("def f(a):\n    return len(a) - 1\n", "def f(a):\n    return len(a - 1\n"),
    "bracket before colon": ("if f(x):\n    y = 1\n", "if f(x:\n    y = 1\n"),
    "bracket of table": ('D = [\n    "a",\n    "b",\n]\n\nE = 1\n', 'D = [\n    "a",\n    "b",\n\nE = 1\n'),
    "brace of table": (
        'D = {\n    "a": 1,\n}\n\n\ndef f():\n    pass\n',
        'D = {\n    "a": 1,\n\n\ndef f():\n    pass\n',
    ),
    "bracket too many": ("x = f(1)\n", "x = f(1))\n"),
    "bracket of other kind": ("x = [1, 2]\n", "x = [1, 2)\n"),
    "bracket not opened": ("x = max(1, 2)\n", "x = max 1, 2)\n"),
    "quote at end": ('x = "abc"\ny = 1\n', 'x = "abc\ny = 1\n'),
    "quote before bracket": ("print('a b', c)\n", "print('a b, c)\n"),
    "quote of other kind": ("x = 'abc'\n", "x = 'abc\"\n"),
    "quote at start": ("x = f('abc')\n", "x = f(abc')\n"),
    "quote inside": ('x = "don\'t"\n', "x = 'don't'\n"),
    "docstring on its line": ('def f():\n    """Text."""\n    return 1\n', 'def f():\n    """Text.\n    return 1\n'),
    "docstring of lines": (
        'def f():\n    """Text.\n\n    More.\n    """\n    return 1\n',
        'def f():\n    """Text.\n\n    More.\n    return 1\n',
    ),
    "docstring with two quotes": (
        'def f():\n    """Text."""\n    return 1\n',
        'def f():\n    """Text.""\n    return 1\n',
    ),
    "raw path": ('x = r"C:\\Users"\n', 'x = "C:\\Users"\n'),
    "comma in list": ("x = [1, 2, 3]\n", "x = [1, 2 3]\n"),
    "comma between lines": ("x = [\n    a,\n    b,\n]\n", "x = [\n    a\n    b,\n]\n"),
    "comma in call": ("x = f(a, b=1)\n", "x = f(a b=1)\n"),
    "comma in parameters": ("def f(a, b):\n    return a\n", "def f(a b):\n    return a\n"),
    "equals in if": ("if x == 1:\n    y = 2\n", "if x = 1:\n    y = 2\n"),
    "equals to a call": ("assert f(x) == 3\n", "assert f(x) = 3\n"),
    "else if": ("if x:\n    y = 1\nelif z:\n    y = 2\n", "if x:\n    y = 1\nelse if z:\n    y = 2\n"),
    "and": ("if x and y:\n    z = 1\n", "if x && y:\n    z = 1\n"),
    "or": ("z = x or y\n", "z = x || y\n"),
    "not": ("if not x:\n    y = 1\n", "if !x:\n    y = 1\n"),
    "increment": ("i = 0\ni += 1\n", "i = 0\ni++\n"),
    "arrow": ("z = x >= y\n", "z = x => y\n"),
    "three equals": ("z = x == y\n", "z = x === y\n"),
    "ternary": ("z = 1 if x else 2\n", "z = x ? 1 : 2\n"),
    "print": ('print("a", x)\n', 'print "a", x\n'),
    "except of Python 2": (
        "try:\n    f()\nexcept ValueError as e:\n    pass\n",
        "try:\n    f()\nexcept ValueError, e:\n    pass\n",
    ),
    "except of several": (
        "try:\n    f()\nexcept (KeyError, ValueError):\n    pass\n",
        "try:\n    f()\nexcept KeyError, ValueError:\n    pass\n",
    ),
    "raise of Python 2": ('raise ValueError("a")\n', 'raise ValueError, "a"\n'),
    "import from": ("from os import path\n", "import path from os\n"),
    "from without import": ("from os import path\n", "from os path\n"),
    "function": ("def f(x):\n    return x\n", "function f(x):\n    return x\n"),
    "misspelt return": ("def f(x):\n    return x\n", "def f(x):\n    retrun x\n"),
    "misspelt import": ("import os\n", "improt os\n"),
    "loop without in": ("for x in y:\n    z(x)\n", "for x y:\n    z(x)\n"),
    "new": ("x = Thing()\n", "x = new Thing()\n"),
    "body not indented": ("def f(x):\n    y = x\n    return y\n", "def f(x):\ny = x\nreturn y\n"),
    "line not indented": (
        "def f(x):\n    if x:\n        return 1\n    return 2\n",
        "def f(x):\n    if x:\n    return 1\n    return 2\n",
    ),
    "line too deep": ("def f(x):\n    y = x\n    return y\n", "def f(x):\n    y = x\n        return y\n"),
    "line between levels": (
        "def f(x):\n    for y in x:\n        z(y)\n    return x\n",
        "def f(x):\n    for y in x:\n        z(y)\n   return x\n",
    ),
    "tabs among spaces": (
        "def f(x):\n    y = x\n    z = y\n    return z\n",
        "def f(x):\n    y = x\n\tz = y\n    return z\n",
    ),
    "return outside": ("def f(x):\n    y = x\n    return y\n", "def f(x):\n    y = x\nreturn y\n"),
    "break outside": (
        "for x in y:\n    if x:\n        z(x)\n        break\n",
        "for x in y:\n    if x:\n        z(x)\nbreak\n",
    ),
    "no body": ("class A:\n    pass\n\n\nx = 1\n", "class A:\n\n\nx = 1\n"),
    "await": ("async def f(x):\n    return await x\n", "def f(x):\n    return await x\n"),
    "future": (
        '"""Doc."""\n\nfrom __future__ import annotations\nimport os\n\nx = os\n',
        '"""Doc."""\n\nimport os\nfrom __future__ import annotations\n\nx = os\n',
    ),
    "global": (
        "def f():\n    global n\n    n = n + 1\n    return n\n",
        "def f():\n    n = n + 1\n    global n\n    return n\n",
    ),
    "parameters": ("def f(b, a=1):\n    return a\n", "def f(a=1, b):\n    return a\n"),
    "default": ("def f(a=1, b=None):\n    return a\n", "def f(a=1, b):\n    return a\n"),
    "arguments": ("f(a=1, b=b)\n", "f(a=1, b)\n"),
    "merge": ("x = 1\ny = 3\n", "x = 1\n<<<<<<< HEAD\ny = 2\n=======\ny = 3\n>>>>>>> other\n"),
    "curled quotes": ('x = "abc"\n', "x = \u201cabc\u201d\n"),
    "field": ('x = f"a {b}"\n', 'x = f"a {b"\n'),
    "field with its own quotes": ("x = f\"a {b['c']}\"\n", "x = f'a {b['c']}'\n"),
    "brace": ('x = f"a {b} }}"\n', 'x = f"a {b} }"\n'),
    "keyword as name": ("def f(class_):\n    return class_\n", "def f(class):\n    return class\n"),
    "two faults": (
        "def f(x):\n    if x == 1:\n        return 2\n    return 3\n",
        "def f(x)\n    if x = 1:\n        return 2\n    return 3\n",
    ),
    "in with dot": ("x = a.b\n", "x = a b\n"),
    "octal": ("x = 0o755\n", "x = 0755\n"),
    "comment of C": ("x = 1\n# why not\ny = 2\n", "x = 1\n// why not\ny = 2\n"),
}
NEWER = {"field with its own quotes"}
"""Python 3.12 reads these."""


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["unix", "dos"])
@pytest.mark.parametrize("name", FAULTS)
def test_broken_text_is_offered_as_it_was_meant(name: str, newline: str):
    right, wrong = (text.replace("\n", newline).encode() for text in FAULTS[name])
    found = offers(wrong)
    if not found and name in NEWER:
        compile(wrong, "m.py", "exec")
        return
    assert right in found, [text.decode() for text in found]
    assert found.index(right) < 60


@pytest.mark.parametrize("name", FAULTS)
def test_everything_that_is_offered_compiles(name: str):
    for text in offers(FAULTS[name][1].encode())[:100]:
        compile(text, "m.py", "exec", dont_inherit=True)


def test_each_kind_has_a_name_of_its_own():
    names = [operator.name for operator in (*SYNTAX, *OPERATORS)]
    assert len(names) == len(set(names))


def test_file_that_is_broken_on_purpose_stays_as_it_is():
    hints = Hints([Red("t", "AssertionError", "assert 1 == 2", ())], {}, {}, {})
    assert broken_places({"template.py": b"{% if x %}\n"}, hints) == []


def test_bytes_around_the_fault_stay():
    before = b"\xef\xbb\xbf# \xc3\xa4\xc3\xb6\r\nx = '\xc3\xbc'  # \xc3\xbc\r\ndef f(x)\r\n\treturn x\r\n"
    assert before.replace(b"f(x)", b"f(x):") in offers(before)


PROJECT = {
    "pkg/__init__.py": "",
    "pkg/prices.py": """
        RATES = {"a": 1, "b": 2}


        def total(items):
            result = 0
            for item in items:
                result += RATES[item]
            return result
        """,
    "pkg/bill.py": """
        from pkg.prices import total


        def bill(items):
            return f"{total(items)} EUR"
        """,
    "test_bill.py": """
        from pkg.bill import bill


        def test_bill():
            assert bill(["a", "b", "b"]) == "5 EUR"


        def test_nothing():
            assert bill([]) == "0 EUR"
        """,
}

BROKEN = {
    "colon": ("pkg/prices.py", "def total(items):", "def total(items)"),
    "bracket": ("pkg/prices.py", '"b": 2}', '"b": 2'),
    "indentation": ("pkg/prices.py", "        result += RATES", "    result += RATES"),
    "return outside": ("pkg/prices.py", "    return result", "return result"),
    "quote": ("pkg/bill.py", ' EUR"', " EUR"),
    "import": ("pkg/bill.py", "from pkg.prices import total", "from pkg.prices improt total"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_project_that_does_not_import_is_repaired(name: str, tmp_path):
    """The whole way: collection fails, and the first proposal is the file as it was."""
    path, right, wrong = BROKEN[name]
    files = {key: dedent(text).lstrip("\n") for key, text in PROJECT.items()}
    assert right in files[path]
    faulty = tree_of({**files, path: files[path].replace(right, wrong)})
    failure = failure_of(run_suite(FolderSession(tmp_path / "before"), faulty, launch_of(faulty)))
    workbench = workbench_of(faulty, FolderSession(tmp_path / "search"), budget_s=30.0)
    proposals = SearchEngine().propose(failure, workbench)
    told = [(one.operator, one.root_cause) for one in proposals.candidates]
    assert proposals.candidates, proposals.stats
    assert proposals.candidates[0].patch.files[path] == files[path].encode(), told
