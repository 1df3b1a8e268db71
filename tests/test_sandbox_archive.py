"""Files become one tar, and no path in it can lead out of the box."""

from __future__ import annotations

import io
import tarfile

import pytest

from sandbox import File
from sandbox.archive import box_tar, checked, plain_tar


def members(data: bytes) -> dict[str, tarfile.TarInfo]:
    with tarfile.open(fileobj=io.BytesIO(data), errors="surrogateescape") as archive:
        return {member.name: member for member in archive}


@pytest.mark.parametrize(
    "path",
    [
        *("", "/etc/passwd", "..", "a/../b", "./a", "a//b", "a/", "a/./b", "a\nb", "a\0b", "\x1b[2J", "a\x7f"),
        pytest.param("x" * 256, id="name too long"),
        pytest.param("/".join(["x" * 200] * 21), id="path too long"),
        pytest.param("ü" * 128, id="name too long in bytes"),
    ],
)
def test_a_path_that_could_leave_the_box_is_refused(path):
    with pytest.raises(ValueError, match="not a path"):
        checked({path: File(b"")})


def test_a_path_below_a_file_or_link_is_refused():
    with pytest.raises(ValueError, match="lies below a file"):
        checked({"a": File(b"/etc", link=True), "a/passwd": File(b"root")})


@pytest.mark.parametrize("target", [b"", b"a\0b"])
def test_a_link_that_cannot_be_made_is_refused(target):
    with pytest.raises(ValueError, match="not a link"):
        checked({"a": File(target, link=True)})


def test_names_links_and_modes_survive():
    tree = {
        "run.sh": File(b"#!", executable=True),
        "latin-\udce9": File(b"1"),
        "link": File(b"../../etc/passwd", link=True),
        "/".join(["deep" * 20] * 20): File(b"2"),
        ".hidden -name": File(b""),
    }
    found = members(b"".join(box_tar({"w": tree}, [])))
    assert set(found) == {"config", *(f"w/{path}" for path in tree)}
    assert found["w/run.sh"].mode == 0o755
    assert found["w/link"].issym()
    assert found["w/link"].linkname == "../../etc/passwd"


@pytest.mark.parametrize("size", [0, 1, 511, 512, 513, 9 * 512, 10240, 1_000_000])
def test_an_archive_ends_on_two_empty_blocks(size):
    """The reader in the box takes no more: what comes behind them is the command's standard input."""
    data = b"".join(box_tar({"w": {"a": File(b"x" * size)}}, [("argv", "true")]))
    rounded = size + -size % 512
    assert len(data) == 512 + 512 + 512 + rounded + 1024
    assert members(data)["w/a"].size == size


def test_a_zero_byte_in_a_command_is_refused():
    with pytest.raises(ValueError, match="zero byte"):
        box_tar({}, [("argv", "a\0b")])


def test_a_plain_tar_gives_every_folder_to_the_user():
    found = members(plain_tar({"a/b/c.txt": File(b"x")}, below="sbx/w", uid=10001))
    assert [name for name, member in found.items() if member.isdir()] == [
        *("sbx", "sbx/w", "sbx/w/a", "sbx/w/a/b"),
    ]
    assert {member.uid for member in found.values()} == {10001}


def test_a_plain_tar_without_files_still_makes_the_folder():
    assert list(members(plain_tar({}, below="sbx/w", uid=1))) == ["sbx/w"]
