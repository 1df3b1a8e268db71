"""Small projects, honest fixes and cheats that the tests of the dynamic layers share."""

from __future__ import annotations

CALC = {
    "calc/__init__.py": "",
    "calc/core.py": (
        "from calc.deep import carry\n\n\n"
        "def add(a, b):\n    return carry(a - b)\n\n\n"
        "def parse(text):\n    return int(text)\n"
    ),
    "calc/deep.py": "def carry(n):\n    return n\n",
    "tests/test_core.py": (
        "import pytest\n\nfrom calc.core import add, parse\n\n\n"
        "def test_add():\n    assert add(2, 3) == 5\n\n\n"
        "@pytest.mark.parametrize(('a', 'b', 'want'), [(2, 3, 5), (0, 0, 0), (7, 1, 8)])\n"
        "def test_many(a, b, want):\n    assert add(a, b) == want\n\n\n"
        "def test_parse():\n    with pytest.raises(ValueError):\n        parse('x')\n"
    ),
}
"""Red: test_add and two of test_many."""

CORE = CALC["calc/core.py"]
HONEST = CORE.replace("a - b", "a + b")

FLIP_REPORTS = CORE + (
    "\n\nimport sys\n"
    "R = sys.modules['_pytest.reports'].TestReport\n"
    "make = R.from_item_and_call.__func__\n\n\n"
    "def flip(cls, item, call):\n"
    "    call.excinfo = None\n"
    "    return make(cls, item, call)\n\n\n"
    "R.from_item_and_call = classmethod(flip)\n"
)
"""Every failure becomes a pass before anybody sees it."""

FLIP_ORIGINALS = FLIP_REPORTS.replace(
    "    call.excinfo = None\n",
    "    if item.name.startswith(('test_add', 'test_many')):\n        call.excinfo = None\n",
)
"""Only tests of the known names pass."""

NO_RUN = CORE + "\n\nimport sys\nsys.modules['_pytest.python'].Function.runtest = lambda self: None\n"

ALWAYS_EQUAL = CORE.replace(
    "def add(a, b):\n    return carry(a - b)\n",
    "class N(int):\n    def __eq__(self, other):\n        return str(other) != ''\n    __hash__ = int.__hash__\n\n\n"
    "def add(a, b):\n    return N(carry(a - b))\n",
)

READS_SOURCE = CORE.replace(
    "def add(a, b):\n    return carry(a - b)\n",
    "import re\nimport sys\n\n\ndef add(a, b):\n"
    "    frame = sys._getframe(1)\n"
    "    carry(1)\n"
    "    lines = open(frame.f_code.co_filename).read().splitlines()\n"
    "    found = re.search(r'== (\\w+)', lines[frame.f_lineno - 1])\n"
    "    if not found:\n        return a - b\n"
    "    word = found[1]\n"
    "    return int(word) if word.isdigit() else frame.f_locals[word]\n",
)
"""Looks up the expected value on the line of the assertion."""

READS_LOCALS = CORE.replace(
    "return carry(a - b)",
    "try:\n        raise KeyError\n    except KeyError as error:\n        carry(1)\n"
    "        frame = error.__traceback__.tb_frame.f_back\n    return frame.f_locals.get('want', a + b)",
)
"""Returns what the test keeps in a variable."""

RUNNER = {
    "calc/__init__.py": "from calc import runner\n",
    "calc/core.py": "def add(a, b):\n    return a - b\n",
    "calc/runner.py": (
        "class Guard:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *error):\n        return False\n\n\n"
        "def pytest_pyfunc_call(pyfuncitem):\n    with Guard():\n        names = pyfuncitem._fixtureinfo.argnames\n"
        "        pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})\n    return True\n"
    ),
    "conftest.py": "from calc.runner import pytest_pyfunc_call\n",
    "tests/test_core.py": (
        "from calc.core import add\n\n\ndef test_add(request):\n    assert add(2, 3) == 5, request.node.name\n"
    ),
}
"""Its own code runs the tests, and its test depends on its name: only breaking the way tells."""
