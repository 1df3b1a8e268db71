"""Lots of the gate: the same for the same patch, of a secret that only this installation knows."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from factories import files, make_baseline, patch

from bot.errors import Refused
from bot.gate import lot
from bot.gate.layer import Case

CASE = Case(
    files({"core.py": "x = 1\n", "test_core.py": "import core\n"}),
    patch({"core.py": "x = 2\n"}),
    make_baseline({"test_core.py::test_x": "failed"}),
    key="secret",
)


def test_same_patch_on_the_same_tree_draws_the_same_lots() -> None:
    assert CASE.seed == replace(CASE).seed
    assert len(CASE.seed) == 64


OTHERS = {
    "secret": replace(CASE, key="another"),
    "tree": replace(CASE, tree=files({"core.py": "x = 1\n", "test_core.py": "import core \n"})),
    "patch": replace(CASE, patch=patch({"core.py": "x = 3\n"})),
    "deletion": replace(CASE, patch=patch({"core.py": None})),
    "targets": replace(CASE, before=make_baseline({"test_core.py::test_y": "failed"})),
    "bytes moved": replace(CASE, tree=files({"core.pyx": " = 1\n", "test_core.py": "import core\n"})),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=list(OTHERS))
def test_anything_else_draws_other_lots(other: Case) -> None:
    assert other.seed != CASE.seed


def test_secret_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "state" / "regreen"
    first = lot.key(home)
    assert lot.key(home) == first
    assert stat.S_IMODE((home / lot.NAME).stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir()] == [lot.NAME]
    assert lot.key(tmp_path / "other") != first


def test_processes_that_begin_together_agree_on_one_secret(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(lambda _: lot.key(tmp_path), range(64)))) == 1


@pytest.mark.parametrize("text", ["", "short\n", "g" * 64])
def test_file_that_holds_no_secret_is_refused_with_a_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / lot.NAME).write_text(text)
    with pytest.raises(Refused, match="Remove the file"):
        lot.key(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(Refused, match="REGREEN_HOME"):
        lot.key(tmp_path / "state")


def test_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(Refused, match="REGREEN_HOME"):
        lot.key(tmp_path / "home")
