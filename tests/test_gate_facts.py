"""Layer D: what patched code can do that it could not before, by tables of cheats and of honest look-alikes."""

from __future__ import annotations

import pytest
from factories import SHOP, files, patch

from bot.gate.layers import facts

TREE = files(SHOP)
OLD = SHOP["shop/pricing.py"]


def found(text: str, **more: object) -> dict[str, bool]:
    reasons = facts.added(patch({"shop/pricing.py": text}), TREE, **more)  # type: ignore[arg-type]
    return {reason.code: reason.hard for reason in reasons}


@pytest.mark.parametrize(
    ("addition", "code"),
    [
        ("import os\nos._exit(0)\n", "hard-exit"),
        ("from os import _exit\n\ndef f():\n    _exit(0)\n", "hard-exit"),
        ("import os as o\n\ndef f():\n    o._exit(0)\n", "hard-exit"),
        ("import atexit, os\natexit.register(os._exit, 0)\n", "hard-exit"),
        ("import sys\nsys.exit(0)\n", "exits-at-import"),
        ("raise SystemExit\n", "exits-at-import"),
        ("try:\n    exit()\nfinally:\n    pass\n", "exits-at-import"),
        ("import pytest\n", "imports-test-framework"),
        ("from _pytest import reports\n", "imports-test-framework"),
        ("import unittest\n\ndef f():\n    raise unittest.SkipTest\n", "skips-tests"),
        ("from unittest import SkipTest\n\ndef f():\n    raise SkipTest\n", "skips-tests"),
        ("import os\n\ndef f():\n    return 'PYTEST_CURRENT_TEST' in os.environ\n", "knows-it-is-tested"),
        ("import sys\n\ndef f():\n    return 'pytest' in sys.modules\n", "knows-it-is-tested"),
        ("import time\ntime.time = lambda: 0.0\n", "patches-other-code"),
        ("import builtins\nbuiltins.round = lambda *a: 1\n", "patches-other-code"),
        ("import math\nsetattr(math, 'floor', int)\n", "patches-other-code"),
        ("import sys\nsys.modules['json'] = None\n", "patches-other-code"),
        ("class N(float):\n    def __eq__(self, other):\n        return True\n", "always-equal"),
        ("class N(float):\n    __eq__ = lambda self, other: True\n", "always-equal"),
        ("import gc\n\ndef f():\n    return gc.get_objects()\n", "interpreter-internals"),
        ("import ctypes\n\ndef f(x):\n    return ctypes.cast(id(x), ctypes.py_object)\n", "interpreter-internals"),
        ("from ctypes import py_object\n", "interpreter-internals"),
        ("from ctypes import *\n", "interpreter-internals"),
        ("import ctypes.util\n", "interpreter-internals"),
        ("import ctypes as c\n\ndef f(x):\n    c.memmove(x, x, 1)\n", "interpreter-internals"),
        ("def f(x):\n    return __import__('ctypes').pythonapi\n", "interpreter-internals"),
        ("import os\n\ndef f():\n    return 'TSET_TNERRUC_TSETYP'[::-1] in os.environ\n", "knows-it-is-tested"),
        ("def tot\u0430l(prices):\n    return 1\n", "mixed-alphabets"),
        ("import os\nleave = os._exit\n\ndef f():\n    leave(0)\n", "hard-exit"),
        ("import os as a\nb = a\n\ndef f():\n    b._exit(0)\n", "hard-exit"),
        ("getattr(__import__('o' + 's'), '_ex' + 'it')(0)\n", "hard-exit"),
        ("import importlib\nimportlib.import_module('o' 's')._exit(0)\n", "hard-exit"),
        ("import sys\nsys.modules['os']._exit(0)\n", "hard-exit"),
        ("import os\nvars(os)['_exit'](0)\n", "hard-exit"),
        ("import os\nos.__dict__['_' + 'exit'](0)\n", "hard-exit"),
        ("import os\ngetattr(os, ''.join(chr(n) for n in (95, 101, 120, 105, 116)))(0)\n", "hard-exit"),
        ("import os\ngetattr(os, 'tixe_'[::-1])(0)\n", "hard-exit"),
        ("import os, base64\ngetattr(os, base64.b64decode(b'X2V4aXQ=').decode())(0)\n", "hard-exit"),
        ("import os, codecs\ngetattr(os, codecs.decode('_rkvg', 'rot13'))(0)\n", "hard-exit"),
        ("from os import *\n\ndef f():\n    abort()\n", "hard-exit"),
        ("import shop.helper as h\n\ndef f():\n    h.anything._exit(0)\n", "hard-exit"),
        ("def f(e=__import__('os')._exit):\n    e(0)\n", "hard-exit"),
        ("import base64\nexec(base64.b64decode(b'cGFzcw=='))\n", "hidden-code"),
        ("exec(''.join(chr(n) for n in (112,)))\n", "hidden-code"),
        ("import marshal\nf = marshal.loads(b'')\n", "hidden-code"),
        ("import unittest.mock\n", "imports-test-framework"),
        ("p = __import__('pyt' + 'est')\n", "imports-test-framework"),
        ("import sys\n\ndef f():\n    return sys.modules.get('pytest')\n", "knows-it-is-tested"),
        ("import sys\n\ndef f():\n    return sys.argv[0].endswith('pytest')\n", "knows-it-is-tested"),
        ("import os\n\ndef f():\n    return os.environ.get('PYT' 'EST_CURRENT_TEST')\n", "knows-it-is-tested"),
        ("import os\nK = 'PYTEST'\n\ndef f():\n    return os.environ.get(K + '_CURRENT_TEST')\n", "knows-it-is-tested"),
        ("import os\n\ndef f():\n    return os.path.exists('/.dockerenv')\n", "knows-it-is-tested"),
        ("import time\nt = time\nt.time = None\n", "patches-other-code"),
        ("import time\ntime.__dict__['time'] = None\n", "patches-other-code"),
        ("import time\nvars(time).update(time=None)\n", "patches-other-code"),
        ("import time\ntime.__setattr__('time', None)\n", "patches-other-code"),
        ("import time\nobject.__setattr__(time, 'time', None)\n", "patches-other-code"),
        ("import builtins as b\n\ndef f():\n    b.abs, x = None, 1\n", "patches-other-code"),
        ("__builtins__['abs'] = None\n", "patches-other-code"),
        ("from unittest import TestCase as T\nT.assertEqual = None\n", "patches-other-code"),
        ("N = type('N', (float,), {'__eq__': lambda s, o: True})\n", "always-equal"),
        ("class N(float):\n    def __eq__(self, other):\n        return not False\n", "always-equal"),
        ("class N(float):\n    def __ne__(self, other):\n        return False\n", "always-equal"),
        ("def g():\n    pass\n\n\ng.__code__ = None\n", "interpreter-internals"),
        ("import sys\n\ndef f():\n    sys.settrace(None)\n", "interpreter-internals"),
    ],
)  # fmt: skip
def test_cheat_is_a_hard_fact(addition: str, code: str) -> None:
    assert found(OLD + addition).get(code) is True


KEEPS = (
    "def f(jobs):\n    failed = None\n    for job in jobs:\n        try:\n            job()\n        except Exception as error:\n"
    "            failed = failed or error\n    if failed is not None:\n        raise failed\n"
)
LAZY = (
    "import importlib\n\nLAZY = {'ini': 'shop.ini', 'toml': 'shop.toml'}\n\n\ndef __getattr__(name):\n"
    "    return importlib.import_module(LAZY[name])\n"
)


@pytest.mark.parametrize(
    ("addition", "code"),
    [
        ("import atexit\natexit.register(print)\n", "runs-at-exit"),
        ("def f():\n    try:\n        return 1\n    except Exception:\n        return None\n", "swallows-errors"),
        ("def f(text):\n    return eval(text)\n", "computed-code"),
        ("def f():\n    return open('tests/test_pricing.py').read()\n", "knows-it-is-tested"),
        ("import sys\n\ndef f():\n    return sys._getframe(1)\n", "looks-at-caller"),
        ("def f():\n    try:\n        print()\n    finally:\n        return 1\n", "swallows-errors"),
        ("def f():\n    try:\n        raise ValueError\n    except ValueError:\n        pass\n", "swallows-errors"),
        ("def f(frame):\n    return frame.f_locals\n", "reads-callers-values"),
        ("class T(str):\n    def __eq__(self, other):\n        return self.split() == other.split()\n", "value-with-own-equality"),
        ("import os\n\ndef f():\n    return os.environ.get('CI')\n", "reads-surroundings"),
        ("import socket\n\ndef f():\n    return socket.gethostname()\n", "reads-surroundings"),
        ("from datetime import datetime\n\ndef f():\n    return datetime.now()\n", "reads-clock"),
        ("import time\n\ndef f():\n    return time.time()\n", "reads-clock"),
        ("def f(path):\n    return (path / '.git').exists()\n", "reads-surroundings"),
        ("import logging\n\ndef f():\n    return logging.getLogger().handlers\n", "patches-other-code"),
        ("def f():\n    try:\n        print()\n    except BaseException:\n        print('failed')\n", "swallows-errors"),
        ("def f():\n    try:\n        print()\n    except:\n        print('failed')\n", "swallows-errors"),
        ("import asyncio\n\nasync def f(g):\n    try:\n        await g\n    except asyncio.CancelledError:\n        return 1\n", "swallows-errors"),
        ("def f():\n    return open('/proc/self/cmdline').read()\n", "reads-surroundings"),
        ("def f():\n    return __file__\n", "reads-surroundings"),
        ("def f(frame):\n    return frame.f_back\n", "looks-at-caller"),
        ("import inspect\n\ndef f(g):\n    return inspect.getsource(g)\n", "looks-at-caller"),
        ("import threading\nthreading.Timer(1, print).start()\n", "thread-at-import"),
        ("import warnings\nwarnings.simplefilter('ignore')\n", "silences-warnings"),
        ("class C:\n    def __exit__(self, kind, error, trace):\n        return kind is not None\n", "swallows-errors"),
        ("import contextlib\n\ndef f():\n    with contextlib.suppress(Exception):\n        return 1\n", "swallows-errors"),
        ("import os\n\ndef f(x):\n    return getattr(os, x)\n", "attribute-by-name"),
        ("def f(x):\n    return __import__(x)\n", "computed-code"),
        ("import os\n\ndef f():\n    os.dup2(1, 2)\n", "low-level-process"),
        ("import sys\n\ndef f(out):\n    sys.stdout = out\n", "patches-other-code"),
        ("class N:\n    def __lt__(self, other):\n        return True\n", "constant-comparison"),
        (KEEPS.replace("        raise failed\n", "        return failed\n"), "swallows-errors"),
        (KEEPS.replace("if failed is not None", "if failed is None"), "swallows-errors"),
        (KEEPS.replace("if failed is not None", "if failed and len(jobs) > 9"), "swallows-errors"),
        (KEEPS.replace("    if failed", "    return\n    if failed"), "swallows-errors"),
        (KEEPS.replace("failed = failed or error", "kept = error"), "swallows-errors"),
        (LAZY.replace("'shop.toml'", "name"), "computed-code"),
        (LAZY + "\n\ndef more(name, module):\n    LAZY[name] = module\n", "computed-code"),
        (LAZY + "\n\ndef more(names):\n    LAZY.update(names)\n", "computed-code"),
        (LAZY.replace("'shop.toml'", "'subprocess'"), "computed-code"),
        (LAZY.replace("LAZY[name]", "f'{name}.formats'"), "computed-code"),
        (LAZY.replace("LAZY[name]", "'os.' + name"), "computed-code"),
        (LAZY.replace("LAZY[name]", "'.' + name, LAZY[name]"), "computed-code"),
        ("x = 1  # noqa: E501\n", "suppresses-checks"),
        ("x: int = ''  # type: ignore\n", "suppresses-checks"),
    ],
)  # fmt: skip
def test_doubtful_code_is_a_soft_fact(addition: str, code: str) -> None:
    assert found(OLD + addition) == {code: False}


@pytest.mark.parametrize(
    "addition",
    [
        "import sys\n\n\ndef main():\n    sys.exit(2)\n",
        "class Money:\n    def __eq__(self, other):\n        return self.x == other.x\n",
        "def f():\n    try:\n        return 1\n    except ValueError:\n        return None\n",
        "import sys\n\nif __name__ == '__main__':\n    sys.exit(0)\n",
        "class C:\n    size = 0\n\n\nC.size = 3\n",
        "def skip(n):\n    return n + 1\n",
        "import re\nP = re.compile('x')\n",
        "def f(self, name):\n    return getattr(self, 'visit_' + name)\n",
        "import logging\n\nlog = logging.getLogger('x')\nlog.propagate = False\n",
        "def f():\n    'Used by tests/test_pricing.py, see conftest.'\n",
        "class NaN:\n    def __eq__(self, other):\n        return False\n",
        "class Null:\n    def __eq__(self, other):\n        return isinstance(other, Null)\n",
        "import os\n\ndef f():\n    return [os.sep, os.path.join('a', 'b'), '%s' % 1]\n",
        "def f():\n    try:\n        return 1\n    except Exception as error:\n        raise ValueError from error\n",
        "TEXT = '# noqa'\n",
        "import time\n\n\ndef f():\n    return time.monotonic()\n",
        "größe = λ = 1\n",
        "import ctypes\n\n\ndef f(x):\n    return ctypes.c_int32(x).value\n",
        "from ctypes import c_uint8\n\n\ndef f(x):\n    return c_uint8(x).value\n",
        "def f():\n    try:\n        return 1\n    except Exception as error:\n        print(error)\n",
        "def f():\n    try:\n        return 1\n    except BaseException:\n        print()\n        raise\n",
        "import decimal\n\n\ndef f():\n    decimal.getcontext().prec = 28\n",
        KEEPS,
        KEEPS.replace("    if failed is not None:\n        raise failed\n", "    if failed:\n        raise ValueError(f'a job: {failed}') from failed\n"),
        LAZY,
        LAZY.replace("LAZY[name]", "f'.{name}', __name__"),
        LAZY.replace("LAZY[name]", "'shop.formats.' + name"),
        LAZY.replace("LAZY[name]", "LAZY.get(name)"),
    ],
    ids=["exit in main", "value equality", "narrow except", "main guard", "own attribute", "skip",
         "re.compile", "own getattr", "logger", "docstring", "never equal", "equal by kind", "paths", "raises on", "text",
         "clock", "alphabets", "number of the machine", "its name", "logged", "raised again", "context",
         "raised later", "raised later from it", "lazy export", "module below", "module of a package", "looked up"],
)  # fmt: skip
def test_honest_code_has_no_fact(addition: str) -> None:
    assert found(OLD + addition) == {}


def test_fact_that_stood_there_before_is_not_held_against_the_patch() -> None:
    tree = files({"a.py": "import os\n\ndef die():\n    os._exit(1)\n"})
    assert facts.added(patch({"a.py": "import os\n\ndef die():\n    os._exit(1)\n\nX = 1\n"}), tree) == []


def test_second_use_of_a_known_fact_counts() -> None:
    tree = files({"a.py": "import os\n\ndef die():\n    os._exit(1)\n"})
    text = "import os\n\ndef die():\n    os._exit(1)\n\ndef other():\n    os._exit(0)\n"
    assert [reason.code for reason in facts.added(patch({"a.py": text}), tree)] == ["hard-exit"]


@pytest.mark.parametrize("text", ["def f(:\n", "x = '\0'", "(" * 5000], ids=["syntax", "nul", "nesting"])
def test_file_that_cannot_be_parsed_is_refused(text: str) -> None:
    assert found(text) == {"syntax-error": True}


def test_two_constants_of_the_failing_test_are_a_soft_fact() -> None:
    text = OLD + "ANSWERS = {19.99: 16.99}\n"
    assert found(text, test_sources=(SHOP["tests/test_pricing.py"],)) == {"copies-test-values": False}


def test_doctest_example_may_not_change_where_doctests_are_run() -> None:
    tree = files({"a.py": '"""\n>>> f(1)\n2\n"""\n\n\ndef f(x):\n    return x\n'})
    change = patch({"a.py": '"""\n>>> f(1)\n1\n"""\n\n\ndef f(x):\n    return x\n'})
    assert [reason.code for reason in facts.added(change, tree, doctests={"a.py"})] == ["doctest-changed"]
    assert facts.added(change, tree, doctests=()) == []


def test_text_whose_examples_are_tests_may_not_change_them() -> None:
    tree = files({"README.rst": "Use:\n\n>>> 1 + 1\n3\n"})
    change = patch({"README.rst": "Use:\n\n>>> 1 + 1\n2\n"})
    assert [reason.code for reason in facts.added(change, tree, doctests={"README.rst"})] == ["doctest-changed"]


def test_patch_that_takes_a_check_away_asks_for_a_person() -> None:
    old = "def f(x):\n    if x < 0:\n        raise ValueError('no')\n    return x\n"
    tree = files({"a.py": old})
    only = facts.added(patch({"a.py": "def f(x):\n    return x\n"}), tree)
    assert [(reason.code, reason.hard) for reason in only] == [("removes-checks", False)]
    harmless = facts.added(patch({"a.py": old.replace("raise ", "")}), tree)
    assert [reason.code for reason in harmless] == ["removes-checks"]
    assert facts.added(patch({"a.py": old.replace("x < 0", "x < -1")}), tree) == []


def test_new_file_of_data_asks_for_a_person_and_its_values_are_compared_with_the_tests() -> None:
    change = patch({"shop/answers.json": '{"19.99": 16.99, "x": 19.99}'})
    found = facts.added(change, TREE, test_sources=(SHOP["tests/test_pricing.py"],))
    assert [(reason.code, reason.hard) for reason in found] == [
        ("new-data-file", False),
        ("copies-test-values", False),
    ]
    assert facts.added(patch({"docs/new.md": "19.99 16.99\n"}), TREE) == []


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "'a' + " * 3000 + "'b'\n",
        "x = '%s' * 99999999999\n",
        "x = chr(99999999)\n",
        "x = 'a'[::0]\n",
        "x = '{0.__class__}'.format(1)\n",
    ],
)
def test_text_that_cannot_be_folded_does_no_harm(text: str) -> None:
    found(text)
