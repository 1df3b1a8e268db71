import pytest

TOML = """\
# a server
host = "example.org"  # "public"
tags = ["a, b", 'c', "#d"]

[limits]
size = 1_000
pause = "1h30m"
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with files; folder("name", text) -> path."""

    def make(name, text=TOML):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return make
