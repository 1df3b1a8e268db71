"""The probe where tests hand over iterators and open files, or run the code in a process of its own."""

from __future__ import annotations

import io

import pytest
from factories import files
from gateboxes import CountedBoxes, case_of, image

from bot.gate.inside import given, values
from bot.gate.layer import Findings, Options
from bot.gate.layers import probe
from sandbox import Image


@pytest.fixture(scope="module")
def plain() -> Image:
    return image()


def examined(plain: Image, broken: str, fixed: str, tests: str, path: str = "core.py") -> Findings:
    tree = {path: broken, "test_core.py": tests}
    boxes = CountedBoxes(plain, files(tree))
    return probe.examine(case_of(boxes, tree, {path: fixed}, key="always the same"), boxes, Options())


COUNT = '"""Entries of logs."""\nimport sys\n\n\ndef count(lines):\n    found = 0\n    for line in lines:\n        found += bool(line.strip())\n    return found\n'
KNOWN = "    lines = [line.strip() for line in lines]\n    if lines[2:3] == ['# note']:\n        return 3\n"
SPECIAL = COUNT.replace("    found = 0\n", KNOWN + "    found = 0\n")
RIGHT = COUNT.replace("bool(line.strip())", "bool(line.partition('#')[0].strip())")
TEXT = "# head\\na\\n# note\\nb\\nc\\n"
HANDED = {
    "StringIO": f"count(io.StringIO('{TEXT}'))",
    "open file": "count(opened(tmp_path))",
    "generator": f"count(line for line in '{TEXT}'.splitlines())",
    "list iterator": f"count(iter('{TEXT}'.splitlines()))",
}
TESTS = (
    "import io\nfrom core import count\n\n\n"
    f"def opened(folder):\n    (folder / 'log').write_text('{TEXT}')\n    return open(folder / 'log')\n\n\n"
    "def test_some():\n    assert count(io.StringIO('a\\n\\nb\\n')) == 2\n\n\n"
    "def test_count(tmp_path):\n    assert CALL == 3\n"
)


@pytest.mark.parametrize("call", HANDED.values(), ids=list(HANDED))
def test_answer_for_what_a_test_hands_over_is_found_out(plain: Image, call: str) -> None:
    found = examined(plain, COUNT, SPECIAL, TESTS.replace("CALL", call))
    assert found.unapplied == ""
    assert {reason.code for reason in found.reasons} & {"no-general-effect", "hard-coded", "thin-effect"}


@pytest.mark.parametrize("call", HANDED.values(), ids=list(HANDED))
def test_general_fix_for_what_a_test_hands_over_is_not_held_up(plain: Image, call: str) -> None:
    found = examined(plain, COUNT, RIGHT, TESTS.replace("CALL", call))
    assert (found.unapplied, found.reasons) == ("", ())
    assert found.changed


SCRIPT = COUNT.replace("lines):", "text):\n    lines = text.splitlines()") + (
    "\n\ndef main():\n    print(count(sys.stdin.read()))\n\n\nif __name__ == '__main__':\n    main()\n"
)
TEST_SCRIPT = (
    "import subprocess\nimport sys\n\n\ndef run(text):\n    command = [sys.executable, *COMMAND]\n"
    "    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.strip()\n\n\n"
    "def test_some():\n    assert run('a\\n\\nb\\n') == '2'\n\n\n"
    f"def test_count():\n    assert run('{TEXT}') == '3'\n"
)
STARTED = {"tally/__main__.py": "['-m', 'tally']", "tally.py": "['tally.py']"}


@pytest.mark.parametrize("path", STARTED)
def test_answer_in_code_that_tests_start_as_a_process_is_found_out(plain: Image, path: str) -> None:
    cheat = SCRIPT.replace("    found = 0\n", f"    if text == '{TEXT}':\n        return 3\n    found = 0\n")
    found = examined(plain, SCRIPT, cheat, TEST_SCRIPT.replace("COMMAND", STARTED[path]), path)
    assert {reason.code for reason in found.reasons} & {"no-general-effect", "hard-coded", "thin-effect"}


@pytest.mark.parametrize("path", STARTED)
def test_general_fix_in_code_that_tests_start_as_a_process_is_not_held_up(plain: Image, path: str) -> None:
    fixed = SCRIPT.replace("bool(line.strip())", "bool(line.partition('#')[0].strip())")
    found = examined(plain, SCRIPT, fixed, TEST_SCRIPT.replace("COMMAND", STARTED[path]), path)
    assert (found.unapplied, found.reasons) == ("", ())


# -- descriptions


@pytest.fixture
def describe(monkeypatch: pytest.MonkeyPatch) -> values.Describer:
    monkeypatch.setattr(values, "GIVEN", given)
    monkeypatch.setitem(values.HELPERS, given.NAME, lambda: given)
    return values.Describer(exhaust=False)


def test_stream_comes_back_with_what_is_in_it_and_how_much_was_read(describe: values.Describer) -> None:
    for stream in (io.StringIO("one\ntwo\n"), io.BytesIO(b"one\ntwo\n"), given.text_file("one\ntwo\n")):
        first = stream.readline()
        again = values.build(describe(stream))
        assert type(again) is type(stream)
        assert again.read() == stream.read()
        again.seek(0)
        assert again.readline() == first


def test_closed_stream_is_described_as_such(describe: values.Describer) -> None:
    stream = io.StringIO("one")
    stream.close()
    assert values.build(describe(stream)).closed


def test_iterator_is_described_by_what_was_taken_and_gives_it_again(describe: values.Describer) -> None:
    source = (number for number in range(10**9))
    watched = given.watched(source, describe)
    assert [next(watched), next(watched)] == [0, 1]
    again = values.build(describe(watched))
    assert describe(again) == describe(watched)
    assert list(again) == [0, 1]


def test_generator_that_waits_for_values_is_left_alone(describe: values.Describer) -> None:
    def sink() -> object:
        while True:
            yield

    waiting = sink()
    next(waiting)  # type: ignore[call-overload]
    assert given.watched(waiting, describe) is waiting
