"""Small projects for the warm pytest: each with a changed function, and with a change that no function holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent


@dataclass(frozen=True)
class Project:
    name: str
    files: Mapping[str, str]
    changed: Mapping[str, str]
    """A changed function body."""
    moved: Mapping[str, str | None]
    """A change of something else."""
    path: str = "fast"
    """Which way the changed function goes."""


def _texts(**contents: str) -> dict[str, str]:
    return {path: dedent(text).lstrip("\n") for path, text in contents.items()}


_CALC = _texts(
    **{
        "calc.py": '''
        """Sums."""

        FACTOR = 1


        def add(a, b):
            """Add."""
            return (a + b) * FACTOR


        class Counter:
            def __init__(self):
                self.count = 0

            def up(self, step=1):
                self.count += step
                return self.count

            @property
            def double(self):
                return add(self.count, self.count)


        def fails():
            return add(1, "2")
        '''
    }
)
_BROKEN_ADD = {
    "calc.py": _CALC["calc.py"].replace(
        "    return (a + b) * FACTOR\n", "    total = a - b\n    # longer\n    return total * FACTOR\n"
    )
}
_OTHER_FACTOR = {"calc.py": _CALC["calc.py"].replace("FACTOR = 1", "FACTOR = 2")}


def _project(name: str, path: str = "fast", **tests: str) -> Project:
    return Project(name, {**_CALC, **_texts(**tests)}, _BROKEN_ADD, _OTHER_FACTOR, path)


_FIXTURES = _project(
    "fixtures of all scopes",
    **{
        "tests/__init__.py": "",
        "tests/conftest.py": """
        import pytest
        from calc import Counter

        LOG = []

        @pytest.fixture(scope="session")
        def log():
            yield LOG
            assert LOG

        @pytest.fixture(scope="package")
        def counter():
            return Counter()

        @pytest.fixture(scope="module")
        def module_counter(counter, log):
            log.append("module")
            yield counter
            log.append("end")

        @pytest.fixture(scope="class")
        def class_counter():
            return Counter()

        @pytest.fixture(autouse=True)
        def note(request, log):
            log.append(request.node.name)
        """,
        "tests/test_scopes.py": """
        import logging, os, warnings
        import pytest
        from calc import add, fails

        class TestClass:
            def test_first(self, class_counter, module_counter):
                assert (class_counter.up(), module_counter.up()) == (1, 1)

            def test_second(self, class_counter, module_counter):
                assert (class_counter.up(), module_counter.up()) == (2, 2)

        def test_package(counter):
            assert counter.count == 2

        def test_log(log):
            assert log[-1] == "test_log"

        def test_scratch(tmp_path, monkeypatch, tmp_path_factory):
            (tmp_path / "x").write_text(str(add(1, 1)))
            monkeypatch.chdir(tmp_path)
            monkeypatch.setenv("MINE", "1")
            assert open("x").read() == "2"

        def test_output(capsys, caplog):
            print(add(1, 1))
            logging.getLogger("x").warning("w %s", add(2, 2))
            assert capsys.readouterr().out == "2\\n"
            assert caplog.messages == ["w 4"]

        def test_fd(capfd):
            os.write(1, b"direct")
            assert capfd.readouterr().out == "direct"

        def test_stdin():
            with pytest.raises(OSError):
                input()

        def test_raises():
            with pytest.raises(TypeError):
                fails()

        def test_fails_inside():
            fails()

        @pytest.fixture
        def broken():
            raise LookupError("set-up")

        @pytest.fixture
        def broken_end():
            yield add(1, 1)
            raise LookupError("tear-down")

        def test_set_up(broken):
            pass

        def test_tear_down(broken_end):
            assert broken_end == 2
        """,
    },
)
_UNITTEST = _project(
    "unittest",
    **{
        "test_unit.py": """
        import unittest
        from calc import Counter, add

        def setUpModule():
            global READY
            READY = add(1, 0)

        class Sums(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.counter = Counter()

            def setUp(self):
                self.counter.up()
                self.addCleanup(self.counter.up, -1)

            def test_sum(self):
                self.assertEqual(add(1, 2), 3)

            def test_counter(self):
                self.assertEqual((self.counter.count, READY), (1, 1))

            def test_double(self):
                self.assertEqual(self.counter.double, 2)

            @unittest.skip("why")
            def test_skipped(self):
                pass

            @unittest.expectedFailure
            def test_expected(self):
                self.assertEqual(add(1, 1), 3)

            @unittest.expectedFailure
            def test_unexpected(self):
                self.assertEqual(add(1, 1), 2)

            def test_skips_itself(self):
                if add(1, 1) == 2:
                    self.skipTest("even")

            def test_error(self):
                add(1, None)

        class Async(unittest.IsolatedAsyncioTestCase):
            async def test_async(self):
                self.assertEqual(add(2, 2), 4)
        """
    },
)
_PARAMETERS = _project(
    "parameters, marks and broken files",
    **{
        "test_parameters.py": """
        import pytest
        from calc import add

        @pytest.mark.parametrize("a", [1, 2])
        @pytest.mark.parametrize(("b", "sum"), [(1, 2), pytest.param(0, 9, marks=pytest.mark.xfail), ("x", "y")])
        def test_sum(a, b, sum):
            assert add(a, b) == sum

        @pytest.mark.xfail(strict=True)
        def test_strict():
            assert add(1, 1) == 2

        @pytest.mark.xfail(raises=TypeError)
        def test_wrong_exception():
            assert add(1, 1) == 3

        @pytest.mark.skipif(True, reason="always")
        def test_never():
            raise AssertionError

        def test_skips():
            pytest.skip("here")

        def test_fails():
            pytest.fail("by hand")

        def test_exit():
            raise SystemExit(3)

        def test_nested():
            try:
                add(1, {})
            except TypeError as error:
                raise ValueError("outer\\nsecond line") from error
        """,
        "test_broken.py": "import no_such_module\n",
        "test_syntax.py": "def test_x(:\n",
        "test_skipped_file.py": "import pytest\npytest.skip('all', allow_module_level=True)\n",
    },
)
_CONFTEST = _project(
    "conftest with hooks",
    **{
        "setup.cfg": "[tool:pytest]\naddopts = --speed 3 -p no:doctest\nfilterwarnings = error\n",
        "conftest.py": """
        import pytest, warnings

        def pytest_addoption(parser):
            parser.addoption("--speed", type=int)

        def pytest_collection_modifyitems(items):
            items.reverse()

        def pytest_runtest_setup(item):
            if "slow" in item.name:
                pytest.skip("slow")

        @pytest.fixture
        def speed(request):
            return request.config.getoption("--speed")
        """,
        "test_hooks.py": """
        import warnings
        from calc import add

        def test_speed(speed):
            assert add(speed, 1) == 4

        def test_slow():
            raise AssertionError

        def test_warns():
            warnings.warn("now an error")

        def test_plain():
            assert add(0, 0) == 0
        """,
    },
)
_SRC = Project(
    "src layout",
    _texts(
        **{
            "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
            "src/shop/__init__.py": "from shop.price import total\n",
            "src/shop/price.py": "RATE = 1\n\n\ndef total(prices):\n    return sum(prices) * RATE\n",
            "tests/unit/test_price.py": """
            import json, pathlib
            from shop import total

            DATA = pathlib.Path(__file__).with_name("data.json")

            def test_total():
                assert total([1, 2]) == 3

            def test_data():
                assert total(json.loads(DATA.read_text())) == 6
            """,
            "tests/unit/data.json": "[1, 2, 3]\n",
        }
    ),
    {"src/shop/price.py": "RATE = 1\n\n\ndef total(prices):\n    return max(prices) * RATE\n"},
    {
        "src/shop/price.py": "RATE = 2\n\n\ndef total(prices):\n    return sum(prices) * RATE\n",
        "tests/unit/data.json": "[3]",
    },
)
_AT_IMPORT = Project(
    "function that runs at import",
    _texts(
        **{
            "table.py": "def square(n):\n    return n * n\n\n\nTABLE = [square(n) for n in range(5)]\n",
            "test_table.py": "from table import TABLE\n\ndef test_table():\n    assert TABLE[3] == 9\n",
        }
    ),
    {"table.py": "def square(n):\n    return n + n\n\n\nTABLE = [square(n) for n in range(5)]\n"},
    {"table.py": None},
    "slow",
)
_READS_SOURCE = Project(
    "test that reads the source or runs it as a program",
    _texts(
        **{
            "tool.py": "import sys\n\n\ndef main():\n    return 1\n\n\nif __name__ == '__main__':\n    sys.exit(main())\n",
            "test_tool.py": """
            import inspect, subprocess, sys
            import tool

            def test_source():
                assert "return 1" in inspect.getsource(tool.main)

            def test_program():
                assert subprocess.run([sys.executable, "-B", "tool.py"]).returncode == 1
            """,
        }
    ),
    {"tool.py": "import sys\n\n\ndef main():\n    return 2\n\n\nif __name__ == '__main__':\n    sys.exit(main())\n"},
    {"tool.py": "def main():\n    return 1\n"},
    "slow",
)
PROJECTS = [_FIXTURES, _UNITTEST, _PARAMETERS, _CONFTEST, _SRC, _AT_IMPORT, _READS_SOURCE]


@dataclass(frozen=True)
class Swaps:
    """Candidates for one file: name -> (its text, the path that it must come by)."""

    files: Mapping[str, str]
    candidates: Mapping[str, tuple[str, str]]


_SHOP = dedent('''
    import functools


    def total(prices, rate=1):
        """Sum of prices."""
        result = 0
        for price in prices:
            result += price * rate
        return result + 1


    class Basket:
        def __init__(self, prices):
            self.__prices = prices

        def sum(self):
            def inner(values):
                return total(values)
            return inner(self.__prices)


    @functools.lru_cache(maxsize=None)
    def cached(n):
        return total([n])


    def after(n):
        return total([n], n)
    ''').lstrip()


def _swap(old: str, new: str) -> str:
    assert _SHOP.count(old) == 1, old
    return _SHOP.replace(old, new)


_END = "return result + 1"
SWAPS = Swaps(
    {
        "shop.py": _SHOP,
        "test_shop.py": dedent("""
        import pytest
        from shop import Basket, after, cached, total

        def test_total():
            assert total([1, 2]) == 3

        def test_doc():
            assert total.__doc__ == "Sum of prices."

        def test_basket():
            assert Basket([2]).sum() == 2

        def test_cached():
            assert cached(3) == 3

        def test_after():
            assert after(2) == 4
        """).lstrip(),
    },
    {
        "right": (_swap(_END, "return result"), "fast"),
        "wrong": (_swap(_END, "return result + 2"), "fast"),
        "longer": (_swap(_END, "result -= 1\n    # one\n    # two\n    return result"), "fast"),
        "raises": (_swap(_END, "raise LookupError(result)"), "fast"),
        "raises in what stands behind": (_swap(_END, "\n\n    return rate + None"), "fast"),
        "private name": (_swap("inner(self.__prices)", "inner(self.__prices + [1])"), "fast"),
        "inner function": (_swap("return total(values)", "return total(values) - 1"), "fast"),
        "no such attribute": (_swap("inner(self.__prices)", "inner(self.__price)"), "fast"),
        "recursion": (_swap(_END, "return total(prices, rate)"), "fast"),
        "skips": (_swap(_END, "import pytest; pytest.skip('no')"), "fast"),
        "leaves": (_swap(_END, "raise SystemExit(0)"), "fast"),
        "interrupts": (_swap(_END, "print('x' * 100_000)\n    return result"), "fast"),
        "no effect": (_swap(_END, "return result + 1  # as before"), "slow"),
        "loops": (_swap(_END, "while True: pass"), "none"),
        "ends the process": (_swap(_END, "import os; os._exit(0)"), "none"),
        "generator": (_swap(_END, "yield result"), "slow"),
        "docstring": (_swap("Sum of prices.", "Sum."), "slow"),
        "signature": (_swap("rate=1", "rate=2"), "slow"),
        "constant added behind": (_swap(_END, "return result\n\n\nimport math\nafter2 = math.pi"), "slow"),
        "does not parse": (_swap(_END, "return result +"), "slow"),
        "string swallows the rest": (_swap(_END, "return '''"), "slow"),
        "decorator": (_swap("maxsize=None", "maxsize=1"), "slow"),
        "two functions": (_swap(_END, "return result").replace("total([n], n)", "total([n], n + 1)"), "slow"),
    },
)


@dataclass(frozen=True)
class State:
    """A project that does a deed, and looks around: what it sees is in the message of the looking test."""

    files: Mapping[str, str]
    misdeeds: Mapping[str, str] = field(default_factory=dict)
    without_report: frozenset[str] = frozenset()

    def with_body(self, body: str, *, outside: bool) -> str:
        """The deed; `outside` adds a change that only the slow path can make."""
        text = self.files["deed.py"].replace("    pass\n", f"    {body}\n")
        return text + ("\nMORE = 1\n" if outside else "")


_LOOK = dedent("""
    import hashlib, json, os, signal, sys, threading
    from pathlib import Path

    PLACES = ("/tmp", "/dev/shm", "/sbx", "/sbx/r", "/sbx/w")

    def entries(place):
        found = []
        for folder, names, files in os.walk(place):
            for name in names + files:
                full = os.path.join(folder, name)
                status = os.lstat(full)
                data = Path(full).read_text("latin-1") if os.path.isfile(full) and place == "/sbx/w" else ""
                found.append([full, status.st_mode, data])
        return sorted(entry for entry in found if "__pycache__" not in entry[0])

    def processes():
        found = []
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    found.append(Path("/proc", name, "cmdline").read_text().split("\\0")[:1])
                except OSError:
                    found.append(["?"])
        return len(found)

    def digest(thing):
        return [len(thing), hashlib.sha256(repr(thing).encode()).hexdigest()[:16], repr(thing)[:99]]

    def look():
        return {
            **{place: digest(entries(place)) for place in PLACES},
            "processes": processes(),
            "environment": {k: v for k, v in sorted(os.environ.items()) if k != "PYTEST_CURRENT_TEST"},
            "signals": digest([str(signal.getsignal(n)) for n in sorted(signal.valid_signals())]),
            "masked": len(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
            "umask": os.umask(0o022),
            "cwd": os.getcwd(),
            "path": sys.path,
            "threads": threading.active_count(),
            "descriptors": len(os.listdir("/proc/self/fd")),
            "modules": "wave" in sys.modules,
        }
    """).lstrip()
STATE = State(
    {
        "deed.py": '"""Deeds."""\n\n\ndef act():\n    pass\n',
        "look.py": _LOOK,
        "data/kept.txt": "kept\n",
        "test_deed.py": (
            "import json\nimport deed, look\n\ndef test_act():\n    deed.act()\n\n"
            "def test_look():\n    raise AssertionError('STATE' + json.dumps(look.look()) + 'END')\n"
        ),
    },
    {
        "files": "import os; [open(p + '/left', 'w').write('x') for p in ('/tmp', '/dev/shm', '/sbx', '.', 'data')]",
        "shut folders": "import os; os.makedirs('/tmp/a/b'); os.mkdir('shut', 0); os.chmod('/tmp/a/b', 0); os.chmod('/tmp/a', 0)",
        "changed files": "open('data/kept.txt', 'w').write('KEPT\\n'); import os; os.chmod('look.py', 0o600); os.utime('look.py', (1, 1))",
        "removed tree": "import shutil; shutil.rmtree('.', ignore_errors=True)",
        "links": "import os; os.unlink('data/kept.txt'); os.symlink('/etc/passwd', 'data/kept.txt'); os.mkfifo('pipe')",
        "file in place of a folder": "import os, shutil; shutil.rmtree('data'); open('data', 'w').close()",
        "environment": "import os, signal, sys; os.environ['X'] = '1'; signal.signal(15, signal.SIG_IGN); os.umask(0); os.chdir('/tmp')",
        "modules": "import wave, sys; sys.path.insert(0, '/tmp')",
        "threads": "import threading, time; [threading.Thread(target=time.sleep, args=(60,), daemon=True).start() for _ in range(9)]",
        "child": "import subprocess; subprocess.Popen(['sleep', '60'])",
        "daemon": "import os, time\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            time.sleep(60)\n        os._exit(0)",
        "many": "import os, time\n    for _ in range(40):\n        if os.fork() == 0:\n            os.setsid(); time.sleep(60)",
        "fork returns": "import os; os.fork()",
        "flood": "import os\n    for _ in range(200): os.write(1, b'y' * 100_000); os.write(2, b'y' * 100_000)",
        "closed descriptors": "import os; os.closerange(3, 50)",
        "exit": "import os; os._exit(0)",
        "kill": "import os; os.kill(os.getpid(), 9)",
        "loop": "while True: pass",
        "stubborn": "import signal, time\n    signal.signal(15, signal.SIG_IGN)\n    while True:\n        try: time.sleep(60)\n        except BaseException: pass",
    },
    frozenset({"exit", "kill", "loop", "stubborn", "closed descriptors"}),
)
