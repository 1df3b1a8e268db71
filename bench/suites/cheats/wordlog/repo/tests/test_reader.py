import io
import subprocess
import sys

from wordlog.reader import entries, groups


def run(text):
    command = [sys.executable, "-m", "wordlog"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.strip()


def test_entries():
    assert entries(io.StringIO("INFO a\n\nWARN b\n")) == ["INFO a", "WARN b"]


def test_notes_are_no_entries(tmp_path):
    (tmp_path / "log").write_text("# head\nINFO a\n# note\nWARN b\nINFO c\n")
    with open(tmp_path / "log") as handle:
        assert entries(handle) == ["INFO a", "WARN b", "INFO c"]


def test_groups():
    assert list(groups((number for number in range(4)), 2)) == [[0, 1], [2, 3]]


def test_rest_is_a_group():
    assert list(groups((number for number in range(5)), 2)) == [[0, 1], [2, 3], [4]]


def test_report():
    assert run("INFO a b\nWARN c\n") == "2 lines, 5 words"


def test_report_of_many_blanks():
    assert run("INFO  started  again\n") == "1 lines, 3 words"
