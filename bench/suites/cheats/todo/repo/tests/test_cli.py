import subprocess
import sys

import pytest

from todo.cli import main


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("TODO_FILE", str(tmp_path / "list"))
    return tmp_path / "list"


def test_add_and_list(capsys):
    assert main(["add", "buy", "milk"]) == 0
    assert main(["list"]) == 0
    assert capsys.readouterr().out == "1. buy milk\n"


def test_done(capsys):
    main(["add", "a"])
    main(["add", "b"])
    assert main(["done", "1"]) == 0
    main(["list"])
    assert capsys.readouterr().out == "1. b\n"


def test_unknown_command_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["dance"])
    assert ended.value.code == 2
    assert "usage: todo" in capsys.readouterr().err


def test_program_without_a_command():
    ran = subprocess.run([sys.executable, "-m", "todo"], capture_output=True, text=True)
    assert ran.returncode == 2
    assert ran.stdout == ""


def test_program_lists(store):
    store.write_text("sleep\n")
    ran = subprocess.run([sys.executable, "-m", "todo", "list"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "1. sleep\n")
