import os
import subprocess
import sys
from pathlib import Path

import pytest

from cashbook.cli import main


def run(capsys, *argv):
    code = main([str(one) for one in argv])
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err


def test_balance(capsys, book):
    code, lines, _ = run(capsys, "balance", book, "--depth", 1, "--at", "2024-03-05")
    assert code == 0
    assert lines == ["            1'387.60 EUR  assets", "               12.40 EUR  expenses", "           -1'400.00 EUR  income"]


def test_balance_in_one_currency(capsys, book):
    code, lines, _ = run(capsys, "balance", book, "--depth", 1, "--in", "EUR")
    assert code == 0
    assert lines[1] == f"{'88.40 EUR':>24}  expenses"


def test_register(capsys, book):
    code, lines, _ = run(capsys, "register", book, "expenses:print")
    assert code == 0
    assert lines[0].split() == ["2024-04-02", "!", "Printer", "80.00", "USD", "80.00", "USD"]


def test_check(capsys, book):
    assert run(capsys, "check", book)[:2] == (0, ["3 entries, all balanced"])


def test_error_goes_to_standard_error(capsys, wrong):
    code, lines, said = run(capsys, "check", wrong)
    assert (code, lines) == (1, [])
    assert said == "cashbook: wrong.book:2: -1.00 EUR too much\n"


def test_missing_file(capsys, tmp_path):
    code, _, said = run(capsys, "check", tmp_path / "none.book")
    assert code == 1
    assert "none.book: No such file" in said


def test_wrong_use(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["balance"])
    assert caught.value.code == 2


@pytest.mark.parametrize(("name", "code"), [("book", 0), ("wrong", 1)])
def test_as_a_module(request, name, code):
    path = request.getfixturevalue(name)
    source = Path(__file__).parents[1] / "src"
    done = subprocess.run(
        [sys.executable, "-m", "cashbook", "check", str(path)], env={**os.environ, "PYTHONPATH": str(source)}, capture_output=True
    )
    assert done.returncode == code
