import pytest

from rates import bank


def test_answer_becomes_a_table(tmp_path):
    file = tmp_path / "today.csv"
    file.write_text("USD;1.08\nSEK;11.50\n")
    assert bank.today(file.as_uri()).convert(1, "EUR", "SEK") == 11.5


def test_server_that_is_not_there(tmp_path):
    with pytest.raises(bank.Unavailable, match="no rates from"):
        bank.fetch((tmp_path / "nothing.csv").as_uri())


def test_request_is_signed(monkeypatch):
    monkeypatch.setenv("RATES_KEY", "k-1")
    assert bank.request().get_header("X-key") == "k-1"
