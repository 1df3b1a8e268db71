"""Which images go: decided by a table, and carried out on a real engine for an image that nobody else knows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bot import upkeep
from bot.errors import Refused
from bot.settings import Settings
from handlers.demo import Place
from handlers.images import seconds, size_bytes
from localhub.hub import Hub
from sandbox import Command, File, Image, Limits, Recipe, Step, lastuse, prune
from sandbox.docker import DockerSandbox, engine
from sandbox.prune import Made, Rules, leaving
from sandbox.roots import NOTE
from sandbox.shelf import FolderStock
from sandbox.stock import EngineStock

NOW = 1_800_000_000.0
DAY_S = 86400.0
ENGINE = [EngineStock()]
DECADES_D = 7300
"""Older than any image of other tests or users on this engine."""


def made(name: str, *, idle_d: float = 1, own_gb: float = 1, below: str = "base", **more: object) -> Made:
    values: dict[str, object] = {
        "id": name, "kind": "dependencies", "key": name, "created": NOW - 400 * DAY_S,
        "last_used": NOW - idle_d * DAY_S, "size_bytes": int(own_gb * 1e9), "own_bytes": int(own_gb * 1e9), "layers": 3,
        "made_from": below,
    }  # fmt: skip
    return Made(**{**values, **more})  # type: ignore[arg-type]


BASE = made("base", idle_d=0, below="raw", kind="base")
RAW = made("raw", idle_d=90, below="", kind="raw")
OLD_BASE = made("old-base", idle_d=90, below="", kind="base")


@pytest.mark.parametrize(
    ("images", "rules", "expected"),
    [
        ([], Rules(max_age_s=DAY_S, max_bytes=0), []),
        ([RAW, BASE, made("a", idle_d=29), made("b", idle_d=31)], Rules(max_age_s=30 * DAY_S), ["b"]),
        ([RAW, BASE, made("a", idle_d=31), made("b", idle_d=32)], Rules(max_age_s=30 * DAY_S), ["b", "a"]),
        ([made("a", idle_d=99, in_use=True)], Rules(max_age_s=DAY_S, max_bytes=0), []),
        ([made("a", idle_d=99, in_use=True), BASE, RAW], Rules(everything=True), []),
        ([RAW, BASE, made("a", idle_d=1), made("b", idle_d=3), made("c", idle_d=2)], Rules(max_bytes=4 * 10**9), ["b"]),
        ([RAW, BASE, made("a", idle_d=1), made("b", idle_d=3), made("c", idle_d=2)], Rules(max_bytes=3 * 10**9), ["b", "c"]),
        ([RAW, BASE, made("a")], Rules(max_bytes=3 * 10**9), []),
        ([RAW, BASE, made("a", idle_d=0.01)], Rules(max_bytes=0), []),
        ([RAW, BASE, made("a", idle_d=0.01)], Rules(everything=True), ["a", "base", "raw"]),
        ([OLD_BASE, made("a", below="old-base", idle_d=2)], Rules(max_age_s=30 * DAY_S), []),
        ([OLD_BASE, made("a", below="old-base", idle_d=60)], Rules(max_age_s=30 * DAY_S), ["a", "old-base"]),
        ([OLD_BASE], Rules(max_age_s=30 * DAY_S), ["old-base"]),
        ([RAW, BASE, made("a")], Rules(), []),
    ],
    ids=[
        "none", "by age", "oldest first", "held by a container", "all but held and what that needs", "by size",
        "by size until under", "exactly at the limit", "used just now", "all, from the top down", "a base that is needed",
        "a base that was needed by what goes", "a base that nobody needs", "no rule",
    ],
)  # fmt: skip
def test_what_goes(images: list[Made], rules: Rules, expected: list[str]) -> None:
    for order in (images, images[::-1]):
        assert [gone.image.id for gone in leaving(order, rules, now=NOW)] == expected


def test_each_removal_has_its_reason() -> None:
    images = [BASE, made("a", idle_d=40), made("b", idle_d=2)]
    gone = leaving(images, Rules(max_age_s=30 * DAY_S, max_bytes=10**9), now=NOW)
    assert [one.reason for one in gone] == ["not used for 40.0 days", "all images together take 2.0 GB"]


@pytest.mark.parametrize(
    ("text", "value"), [("30d", 2_592_000), ("12h", 43_200), ("2w", 1_209_600), ("1.5 d", 129_600)]
)
def test_ages_are_read(text: str, value: float) -> None:
    assert seconds(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("10GB", 10**10), ("500mb", 5 * 10**8), ("1.5GiB", 1_610_612_736), ("0 GB", 0), ("1TB", 10**12)],
)
def test_sizes_are_read(text: str, value: int) -> None:
    assert size_bytes(text) == value


@pytest.mark.parametrize("text", ["", "30", "d", "-1d", "30 days", "1e3d", "10XB", "10 G", "nanGB", "1KB"])
def test_neither_an_age_nor_a_size_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        seconds(text)
    with pytest.raises(Refused):
        size_bytes(text)


def test_the_server_keeps_the_limits_that_are_set() -> None:
    rules = upkeep.rules(Settings(images_max_age_days=3, images_max_gb=1.5))
    assert rules == Rules(max_age_s=3 * DAY_S, max_bytes=1_500_000_000)


def test_marks_are_this_users_and_cost_no_more_than_accuracy(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert lastuse.last_use("sha256:a") is None
    before = time.time()
    lastuse.mark("sha256:a")
    assert (lastuse.last_use("sha256:a") or 0) >= before - 1
    lastuse.forget("sha256:a")
    lastuse.forget("sha256:a")
    assert lastuse.last_use("sha256:a") is None
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    lastuse.mark("sha256:a")


def on_shelf(state: Path, name: str, *, base: str | None = None, idle_d: float, size: int = 100_000) -> str:
    """An image as the bubblewrap backend keeps it; its id."""
    folder = state / "images" / name
    (folder / "root/sub").mkdir(parents=True)
    (folder / "root/sub/file").write_bytes(os.urandom(size))
    note = folder / NOTE
    note.write_text(json.dumps({"digest": f"digest-{name}", "base": base, "notes": []}))
    when = time.time() - idle_d * DAY_S
    os.utime(note, (when, when))
    return f"{name}@digest-{name}"


def test_images_kept_as_folders_go_by_the_same_rules(tmp_path: Path) -> None:
    shelf = FolderStock(tmp_path)
    assert shelf.made() == []
    base = on_shelf(tmp_path, "base", idle_d=90)
    old = on_shelf(tmp_path, "old", base=base, idle_d=40)
    new = on_shelf(tmp_path, "new", base=base, idle_d=2)
    for name in (".half-made", "empty"):
        (tmp_path / "images" / name).mkdir()
    (tmp_path / "images/.half-made" / NOTE).write_text("{}")
    found = {image.id: image for image in shelf.made()}
    assert set(found) == {base, old, new}
    assert found[old].size_bytes > found[old].own_bytes >= 100_000
    done = prune.prune([shelf], Rules(max_age_s=30 * DAY_S))
    assert [gone.image.id for gone in done.removed] == [old]
    assert not (tmp_path / "images/old").exists()
    done = prune.prune([shelf], Rules(max_bytes=0))
    assert [gone.image.id for gone in done.removed] == [new, base]
    assert done.kept_bytes == 0


def test_a_folder_that_is_used_between_choice_and_removal_stays(tmp_path: Path) -> None:
    shelf = FolderStock(tmp_path)
    on_shelf(tmp_path, "a", idle_d=40)
    (image,) = shelf.made()
    (tmp_path / "images/a" / NOTE).touch()
    assert shelf.remove(image, though_used=False) == "it was used just now"
    assert (tmp_path / "images/a/root/sub/file").exists()
    assert shelf.remove(image, though_used=True) == ""
    assert shelf.remove(image, though_used=True) == "it was gone already"


def test_a_folder_that_a_box_has_mounted_is_in_use(tmp_path: Path) -> None:
    shelf = FolderStock(tmp_path)
    on_shelf(tmp_path, "a", idle_d=40)
    on_shelf(tmp_path, "b", idle_d=40)
    root = str(tmp_path / "images/a/root")
    argv = [
        "bwrap",
        "--ro-bind",
        "/",
        "/",
        "--ro-bind",
        root,
        "/mnt",
        "--die-with-parent",
        "sh",
        "-c",
        "echo on; sleep 60",
    ]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as box:
        assert box.stdout is not None
        assert box.stdout.readline() == b"on\n"
        assert {image.key: image.in_use for image in shelf.made()} == {"a": True, "b": False}
        box.kill()


docker = pytest.mark.docker


def regreen(*args: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "handlers.cli", "images", *args]
    return subprocess.run(argv, capture_output=True, text=True, timeout=120, env={**os.environ, **(env or {})})


@pytest.fixture
def recipe() -> Recipe:
    """One that no one else has."""
    return Recipe({"mark": File(os.urandom(16))}, (Step("write", ("cp", "mark", "/opt/deps/mark")),))


@pytest.fixture
def image(docker_sandbox: DockerSandbox, base_image: Image, recipe: Recipe) -> Iterator[Image]:
    image = docker_sandbox.prepare(recipe)
    yield image
    if known(image):
        with engine() as api:
            api.remove_image(image.id, force=True)
    lastuse.forget(image.id)


def known(image: Image) -> Made | None:
    return next((one for one in prune.images(ENGINE) if one.id == image.id), None)


def let_it_age(image: Image) -> None:
    """As if it had last been used decades ago."""
    lastuse.mark(image.id)
    long_ago = time.time() - DECADES_D * DAY_S
    os.utime(lastuse._folder() / lastuse._name(image.id), (long_ago, long_ago))


OLD = Rules(max_age_s=(DECADES_D - 1) * DAY_S)


@docker
def test_an_image_is_listed_with_what_it_is_made_from(image: Image, base_image: Image) -> None:
    record = json.loads(regreen("list", "--json").stdout)
    (one,) = [found for found in record["images"] if found["id"] == image.id]
    assert (one["kind"], one["made_from"], one["in_use"]) == ("dependencies", base_image.id, False)
    assert 0 < one["own_bytes"] < one["size_bytes"]
    assert one["layers"] == next(found["layers"] for found in record["images"] if found["id"] == base_image.id) + 1
    assert record["total_bytes"] == sum(found["own_bytes"] for found in record["images"])
    row = next(line for line in regreen("list").stdout.splitlines() if line.startswith(image.id[7:19]))
    assert one["key"][:12] in row


@docker
def test_a_run_and_a_second_preparation_are_uses(docker_sandbox: DockerSandbox, recipe: Recipe, image: Image) -> None:
    for use in (
        lambda: docker_sandbox.verify_fresh(image, Command(("true",)), Limits(timeout_s=60)),
        lambda: docker_sandbox.prepare(recipe),
    ):
        let_it_age(image)
        before = time.time()
        use()
        found = known(image)
        assert found is not None
        assert found.last_used >= before - 0.1


@docker
def test_an_image_that_is_too_old_goes_and_its_base_stays(image: Image, base_image: Image) -> None:
    let_it_age(image)
    tried = prune.prune(ENGINE, OLD, dry_run=True)
    assert [gone.image.id for gone in tried.removed] == [image.id]
    assert known(image) is not None
    done = prune.prune(ENGINE, OLD)
    assert [gone.image.id for gone in done.removed] == [image.id]
    assert done.freed_bytes == tried.freed_bytes > 0
    assert known(image) is None
    assert known(base_image) is not None
    assert lastuse.last_use(image.id) is None


@docker
def test_an_image_that_a_box_holds_stays(docker_sandbox: DockerSandbox, image: Image) -> None:
    """Whatever is asked for: --all does not take it either."""
    let_it_age(image)
    running, over = threading.Event(), threading.Event()

    def run() -> None:
        docker_sandbox.session(image).run(
            Command(("sh", "-c", "echo on; sleep 60")), Limits(timeout_s=90),
            on_report=lambda data: running.set(), cancelled=over.is_set,
        )  # fmt: skip

    box = threading.Thread(target=run)
    box.start()
    try:
        assert running.wait(60)
        assert [gone.image.id for gone in prune.prune(ENGINE, OLD).removed] == []
        everything = prune.prune(ENGINE, Rules(everything=True), dry_run=True)
        assert image.id not in {gone.image.id for gone in everything.removed}
    finally:
        over.set()
        box.join()
    assert known(image) is not None


@docker
def test_an_image_that_is_used_between_choice_and_removal_stays(
    image: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_it_age(image)
    original = prune.leaving

    def chosen_and_then_used(*args, **more):
        found = original(*args, **more)
        lastuse.mark(image.id)
        return found

    monkeypatch.setattr(prune, "leaving", chosen_and_then_used)
    done = prune.prune(ENGINE, OLD)
    assert [(one.image.id, one.reason) for one in done.refused] == [(image.id, "it was used just now")]
    assert done.freed_bytes == 0


@docker
def test_an_image_that_somebody_tagged_is_theirs(image: Image) -> None:
    with engine() as api:
        api.tag(image.id, "regreen-test-theirs", "1")
        try:
            assert known(image) is None
        finally:
            api.remove_image("regreen-test-theirs:1")
    assert known(image) is not None


@docker
def test_the_command_says_what_it_would_free(image: Image) -> None:
    done = regreen("prune", "--all", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert f"would remove {image.id[7:19]} (dependencies, " in done.stdout
    assert "would be freed" in done.stdout


@docker
def test_the_command_says_what_it_has_freed(image: Image) -> None:
    let_it_age(image)
    record = json.loads(regreen("prune", "--older-than", f"{DECADES_D - 1}d", "--json").stdout)
    assert [gone["id"] for gone in record["removed"]] == [image.id]
    assert (record["dry_run"], record["refused"]) == (False, [])
    assert record["freed_bytes"] > 0
    assert known(image) is None


@docker
def test_without_an_option_the_settings_count(image: Image) -> None:
    limits = {"REGREEN_IMAGES_MAX_AGE_DAYS": "36500", "REGREEN_IMAGES_MAX_GB": "1e6"}
    record = json.loads(regreen("prune", "--json", env=limits).stdout)
    assert record["removed"] == []
    assert record["kept_bytes"] > 0


def test_an_engine_that_does_not_answer_ends_with_four_and_does_not_end_the_upkeep(
    monkeypatch: pytest.MonkeyPatch, tmp_path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    assert regreen("list").returncode == 4
    assert upkeep.once(Settings()) is None
    assert "images were not pruned" in caplog.text


def test_a_wrong_age_ends_with_two() -> None:
    done = regreen("prune", "--older-than", "soon")
    assert (done.returncode, done.stdout) == (2, "")
    assert "12h, 30d or 2w" in done.stderr


@docker
def test_a_server_prunes_at_its_start(image: Image, tmp_path: Path) -> None:
    let_it_age(image)
    with Hub() as hub, hub.serve():
        place = Place.make(hub, tmp_path, hub.create_repo("ada", "shop", {"README": b""}))
        limits = {"REGREEN_IMAGES_MAX_AGE_DAYS": str(DECADES_D - 1), "REGREEN_IMAGES_MAX_GB": "1e6"}
        server = replace(place, environment={**place.environment, **limits}).start()
        try:
            deadline = time.monotonic() + 60
            while known(image):
                server.check()
                assert time.monotonic() < deadline, server.log.read_text()
                time.sleep(0.2)
        finally:
            server.stop()
    assert f"image {image.id} is removed: not used for " in server.log.read_text()
