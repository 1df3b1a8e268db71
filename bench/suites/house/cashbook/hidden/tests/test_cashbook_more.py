"""Judges repairs of cashbook."""

import importlib
import os
import runpy
import subprocess
import sys
import typing
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

import cashbook
from cashbook import Amount, BookError, Entry, Posting, Prices, Sum, Unbalanced, load
from cashbook.cli import main
from cashbook.entries import parents, within
from cashbook.journal import parse
from cashbook.report import Row, balance, balance_lines, register, register_lines

DAY = "2024-01-01 * X"


class TestAmounts:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [("0.005 EUR", "0.00 EUR"), ("0.015 EUR", "0.02 EUR"), ("0.025 EUR", "0.02 EUR"), ("1.5 JPY", "2 JPY"), ("0.5 JPY", "0 JPY"), ("1'234'567.891 EUR", "1'234'567.89 EUR"), ("0.0005 KWD", "0.000 KWD")],
    )
    def test_shown(self, text, shown):
        assert str(Amount.parse(text)) == shown

    def test_exact(self):
        total = Sum(Amount.parse("0.001 EUR") for _ in range(1000))
        assert list(total) == [Amount(Decimal(1), "EUR")]
        assert not total + Sum([Amount.parse("-1 EUR")])

    def test_sums_apart(self):
        one = Sum([Amount.parse("1 EUR")])
        two = one.copy()
        two.add(Amount.parse("1 EUR"))
        assert (str(one), str(two)) == ("1.00 EUR", "2.00 EUR")
        assert one != two and one == Sum(one)

    @pytest.mark.parametrize("text", ["1 EURO5x", "--1 EUR", "1 2 EUR", "1.2.3 EUR"])
    def test_nothing_else(self, text):
        with pytest.raises(BookError):
            Amount.parse(text)


class TestBooks:
    @pytest.mark.parametrize(
        ("head", "payee", "note", "tags"),
        [
            ("2024-01-01 * A b c", "A b c", "", set()),
            ("2024-01-01 ! A | n #t", "A", "n", {"t"}),
            ("2024-01-01 * A | #t #u-v n; m", "A", "n; m", {"t", "u-v"}),
            ("2024-01-01 * A | a#b c", "A", "a#b c", set()),
            ("2024-01-01 * A; | no note", "A", "", set()),
            ("2024-01-01 * A#b", "A#b", "", set()),
        ],
    )
    def test_heads(self, head, payee, note, tags):
        (entry,) = parse(f"{head}\n a  1 EUR\n b\n").entries
        assert (entry.payee, entry.note, entry.tags) == (payee, note, tags)

    def test_postings(self):
        (entry,) = parse(f"{DAY}\n\ta b\t1 EUR\n  c   -3 EUR  ; x\n d ;y\n e  2 USD\n").entries
        assert [(one.account, str(one.amount)) for one in entry.postings] == [
            ("a b", "1.00 EUR"), ("c", "-3.00 EUR"), ("d", "2.00 EUR"), ("d", "-2.00 USD"), ("e", "2.00 USD"),
        ]

    def test_nothing_is_missing(self):
        (entry,) = parse(f"{DAY}\n a  1 EUR\n b  -1 EUR\n c\n").entries
        assert [one.account for one in entry.postings] == ["a", "b"]

    @pytest.mark.parametrize(
        ("text", "line", "kind"),
        [(f"{DAY}\n a  1 EUR\n b  1 EUR\n", 1, Unbalanced), (f"\n;\n{DAY}\n a\n b\n c  1 EUR\n", 3, Unbalanced), ("\nprice 2024-01-01 USD x\n", 2, BookError), ("price 2024-13-01 USD 1 EUR\n", 1, BookError)],
    )
    def test_where(self, text, line, kind):
        with pytest.raises(kind) as caught:
            parse(text, "f")
        assert (caught.value.file, caught.value.line) == ("f", line)
        assert str(caught.value).startswith(f"f:{line}: ")

    def test_days(self):
        text = "".join(f"2024-01-{day:02} * {name}\n a  1 EUR\n b\n" for name, day in zip("dcbae", (3, 1, 3, 2, 1)))
        assert "".join(entry.payee for entry in parse(text).entries) == "ceadb"

    def test_includes(self, tmp_path):
        (tmp_path / "x" / "y").mkdir(parents=True)
        (tmp_path / "x" / "y" / "c.book").write_text(f"{DAY}\n a  1 EUR\n b\n")
        (tmp_path / "x" / "b.book").write_text("include y/c.book\ninclude y/c.book\n")
        (tmp_path / "a.book").write_text("include x/b.book\nprice 2024-01-01 USD 2 EUR\n")
        journal = load(tmp_path / "a.book")
        assert len(journal.entries) == 2
        assert journal.prices.rate(date(2024, 1, 1), "USD", "EUR") == 2
        (tmp_path / "x" / "y" / "c.book").write_text("include ../../a.book\n")
        with pytest.raises(BookError, match="itself"):
            load(tmp_path / "a.book")

    def test_letters(self, tmp_path):
        (tmp_path / "a.book").write_bytes("2024-01-01 * Bäcker | für uns\n a  1 EUR\n b\n".encode())
        assert load(tmp_path / "a.book").entries[0].payee == "Bäcker"


class TestReports:
    def entries(self):
        return parse(f"{DAY}\n a:b:c  1 EUR\n a:b  2 EUR\n ab  -3 EUR\n2024-01-02 * Y\n a:b  -2 EUR\n z\n").entries

    def test_levels(self):
        sums = balance(self.entries())
        assert {account: str(one) for account, one in sums.items()} == {
            "a": "1.00 EUR", "a:b": "1.00 EUR", "a:b:c": "1.00 EUR", "ab": "-3.00 EUR", "z": "2.00 EUR",
        }
        assert list(balance(self.entries(), 2)) == ["a", "a:b", "ab", "z"]
        assert balance([]) == {}

    def test_rows(self):
        rows = list(register(self.entries(), "a:b"))
        assert all(isinstance(row, Row) for row in rows)
        assert [(str(row.change), str(row.total)) for row in rows] == [("3.00 EUR", "3.00 EUR"), ("-2.00 EUR", "1.00 EUR")]
        assert [row.entry.payee for row in register(self.entries(), "ab")] == ["X"]

    def test_names(self):
        assert parents("a:b:c") == ["a", "a:b", "a:b:c"]
        assert within("a:b", "a") and within("a", "a") and not within("ab", "a") and not within("a", "a:b")

    def test_prices(self):
        prices = Prices()
        prices.set(date(2024, 1, 10), "X", Amount.parse("4 EUR"))
        prices.set(date(2024, 1, 1), "X", Amount.parse("2 EUR"))
        assert [prices.rate(date(2024, 1, day), "X", "EUR") for day in (1, 9, 10, 11)] == [2, 2, 4, 4]
        assert prices.rate(date(2024, 1, 10), "EUR", "X") == Decimal("0.25")
        assert prices.rate(date(1999, 1, 1), "X", "X") == 1
        with pytest.raises(BookError):
            prices.rate(date(2023, 12, 31), "EUR", "X")
        total = prices.total(Sum([Amount.parse("3 X"), Amount.parse("1 EUR")]), "EUR", date(2024, 1, 5))
        assert total == Amount(Decimal(7), "EUR")

    def test_lines(self):
        journal = parse("price 2024-01-01 X 2 EUR\nprice 2024-02-01 X 3 EUR\n2024-01-15 * Somebody with a very long name\n a  5 X\n b\n2024-02-15 ! N\n a  1 EUR\n b\n")
        assert [line.split() for line in balance_lines(journal, currency="EUR")] == [["16.00", "EUR", "a"], ["-16.00", "EUR", "b"]]
        assert balance_lines(journal, at=date(2024, 1, 31), currency="EUR")[0].split() == ["10.00", "EUR", "a"]
        assert balance_lines(journal, at=date(2024, 1, 1)) == []
        assert [line[:37] for line in register_lines(journal, "b")] == ["2024-01-15 * Somebody with a very lon", "2024-02-15 ! N" + " " * 23]


class TestCommands:
    def test_codes(self, book, wrong, capsys, tmp_path):
        assert [main(["check", str(path)]) for path in (book, wrong, tmp_path)] == [0, 1, 1]
        said = capsys.readouterr()
        assert said.out == "3 entries, all balanced\n"
        assert "too much" in said.err

    def test_no_price(self, book, capsys):
        assert main(["balance", str(book), "--in", "CHF"]) == 1
        assert "no price of EUR in CHF" in capsys.readouterr().err

    def test_module(self, book, wrong):
        source = Path(cashbook.__file__).parents[1]
        for path, code in ((book, 0), (wrong, 1)):
            done = subprocess.run([sys.executable, "-m", "cashbook", "check", str(path)], env={**os.environ, "PYTHONPATH": str(source)}, capture_output=True, text=True)
            assert (done.returncode, bool(done.stderr)) == (code, bool(code))

    def test_module_can_be_imported(self):
        names = runpy.run_module("cashbook.__main__", run_name="not main")
        assert names["main"] is main


class TestForm:
    def test_everything_public(self):
        assert set(cashbook.__all__) == {"Amount", "BookError", "Entry", "Journal", "Posting", "Prices", "Sum", "Unbalanced", "load"}
        assert (cashbook.Entry, cashbook.Posting) == (Entry, Posting)
        assert cashbook.__version__ == "0.7.0"

    @pytest.mark.parametrize("name", ["amount", "cli", "entries", "errors", "journal", "prices", "report"])
    def test_hints(self, name):
        module = importlib.import_module(f"cashbook.{name}")
        for one in vars(module).values():
            if getattr(one, "__module__", "") == module.__name__ and callable(one):
                typing.get_type_hints(one)
                for method in vars(one).values() if isinstance(one, type) else ():
                    if callable(method) and hasattr(method, "__annotations__"):
                        typing.get_type_hints(method)
