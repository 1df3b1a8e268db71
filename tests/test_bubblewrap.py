"""The backend without an engine: its images, its control groups, its user, and how it says that it cannot work."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
from hoststate import left_behind

from sandbox import BuildFailed, Command, File, Image, Limits, Recipe, SandboxError, SandboxUnavailable, Step, cgroups
from sandbox.bubblewrap import BubblewrapSandbox, usual_state
from sandbox.builder import UID
from sandbox.recipes import hash_of
from sandbox.roots import sealed
from sandbox.syscalls import deny_program
from sandbox.traces import discard
from sandbox.trial import remedy

TOKEN = "tok-7f3b9c1d"
QUICK = Limits(timeout_s=120)
_numbers = count()


def shell(script: str, *, name: str = "step", optional: bool = False) -> Step:
    return Step(name, ("sh", "-euc", script), optional=optional)


def recipe(*steps: Step, **files: bytes) -> Recipe:
    """A recipe that no earlier run has built."""
    mark = {f"mark-{os.getpid()}-{next(_numbers)}": File(os.urandom(8))}
    return Recipe(files={**mark, **{name: File(data) for name, data in files.items()}}, steps=steps)


def folder_of(image: Image) -> Path:
    return usual_state() / "images" / image.id.partition("@")[0]


@pytest.fixture
def sandbox(bubblewrap_sandbox):
    """Takes away the images that a test has built."""
    bubblewrap_sandbox.prepare(Recipe({}, ()))
    made: list[Image] = []

    class Tidy:
        def __getattr__(self, name):
            return getattr(bubblewrap_sandbox, name)

        def prepare(self, recipe, *, progress=None):
            image = bubblewrap_sandbox.prepare(recipe, progress=progress)
            made.extend([image] if image.built else [])
            return image

    yield Tidy()
    for image in made:
        discard(folder_of(image))
    assert left_behind(bubblewrap_sandbox) == []


def output(sandbox, image: Image, script: str) -> str:
    ran = sandbox.verify_fresh(image, Command(("sh", "-c", script)), QUICK)
    assert ran.code == 0, ran
    return ran.report.decode()


def test_a_recipe_is_built_once(sandbox):
    wanted = recipe(
        shell("cat data > /opt/deps/copy; id -u >> /opt/deps/copy; pwd >> /opt/deps/copy"), data=b"content\n"
    )
    lines: list[str] = []
    first = sandbox.prepare(wanted, progress=lines.append)
    again = sandbox.prepare(wanted, progress=lines.append)
    assert (first.built, again.built) == (True, False)
    assert first.id == again.id
    assert lines == ["image: step"]
    assert output(sandbox, first, "cat /opt/deps/copy") == "content\n10001\n/sbx/w\n"


def test_packages_are_installed_and_can_be_imported_without_network(sandbox):
    uv = "/opt/regreen/tools/bin/uv"
    install = Step("install", (uv, "pip", "install", "--python", "/opt/venv/bin/python", "-r", "r"))
    image = sandbox.prepare(recipe(Step("venv", (uv, "venv", "/opt/venv")), install, r=b"iniconfig\n"))
    code = "import iniconfig, sys; print(sys.prefix, iniconfig.__file__.startswith('/opt/venv/'))"
    assert sandbox.verify_fresh(image, Command(("python", "-c", code)), QUICK).report == b"/opt/venv True\n"


def test_a_failing_step_is_told_by_name_and_log(sandbox):
    with pytest.raises(BuildFailed) as caught:
        sandbox.prepare(recipe(shell("true", name="first"), shell("echo no package >&2; exit 3", name="second")))
    assert (caught.value.step, caught.value.log) == ("second", "no package\n")


def test_a_failing_optional_step_becomes_a_note_that_stays(sandbox):
    wanted = recipe(shell("echo no compiler; exit 1", name="extras", optional=True), shell("true"))
    assert sandbox.prepare(wanted).notes == sandbox.prepare(wanted).notes == ("extras failed: no compiler",)


def test_what_a_step_leaves_running_ends_with_it(sandbox):
    linger = "(while true; do date > /opt/deps/clock; sleep 0.1; done) > /dev/null 2>&1 & sleep 0.3"
    look = "for p in /proc/[0-9]*/cmdline; do if tr '\\0' ' ' < $p | grep clock | grep -v look; then exit 1; fi; done # look"
    sandbox.prepare(recipe(shell(linger), shell(look)))


def test_a_step_can_write_only_to_its_own_places(sandbox):
    script = "for d in / /etc /usr/bin /opt /opt/regreen/tools/bin /root; do ! touch $d/x 2>/dev/null; done"
    image = sandbox.prepare(recipe(shell(script + "; touch /opt/venv/x /opt/deps/x /tmp/x /var/tmp/x /sbx/w/x")))
    assert output(sandbox, image, "ls -A /opt/venv /opt/deps /tmp /var/tmp /sbx/w").count("x\n") == 2


@pytest.fixture
def planted(monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", f"https://user:{TOKEN}@packages.invalid/simple")
    monkeypatch.setenv("GITHUB_TOKEN", f"{TOKEN}-github")


def test_no_credential_ends_in_the_image(sandbox, planted):
    image = sandbox.prepare(recipe(shell('echo "$PIP_INDEX_URL" | grep -q tok-; test -z "${GITHUB_TOKEN-}"')))
    found = subprocess.run(["grep", "-rlF", TOKEN, folder_of(image)], capture_output=True, text=True)
    assert found.stdout == ""


def test_a_credential_that_a_step_writes_down_fails_the_build(sandbox, planted):
    with pytest.raises(BuildFailed, match="look for credentials") as caught:
        sandbox.prepare(recipe(shell("env > /opt/deps/settings")))
    assert "/deps/settings" in caught.value.log
    assert TOKEN not in caught.value.log


def test_an_image_holds_nothing_that_could_harm_this_machine(sandbox):
    """What a step leaves is root's afterwards: without setuid, FIFOs, sockets, and whatever hides behind links."""
    script = """
    cp /bin/sh /opt/deps/sh; chmod 6777 /opt/deps/sh; mkfifo /opt/deps/fifo; ln -s /etc/shadow /opt/deps/link
    python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("/opt/deps/socket")'
    mkdir /opt/deps/shut; echo x > /opt/deps/shut/x; chmod 0 /opt/deps/shut /opt/deps/shut/x 2>/dev/null || true
    """
    before = Path("/etc/shadow").stat()
    image = sandbox.prepare(recipe(shell(script)))
    deps = folder_of(image) / "deps"
    assert sorted(one.name for one in deps.iterdir()) == ["link", "sh", "shut"]
    assert (deps / "sh").stat().st_mode & 0o7000 == 0
    for one in (deps, deps / "sh", deps / "link", deps / "shut"):
        assert one.lstat().st_uid == os.geteuid()
    assert Path("/etc/shadow").stat() == before
    assert output(sandbox, image, "cat /opt/deps/shut/x") == "x\n"


def test_an_image_is_byte_for_byte_what_was_built_after_boxes_ran_in_it(sandbox):
    image = sandbox.prepare(recipe(shell("echo x > /opt/deps/x")))
    code = "rm -rf /opt/deps/* /opt/venv /usr/bin/python3; echo y > /opt/deps/x; chmod 777 /opt/deps/x; exit 0"
    sandbox.verify_fresh(image, Command(("sh", "-c", code)), QUICK)
    base, folder = sandbox.prepare(Recipe({}, ())), folder_of(image)
    digest = hash_of(base.id, sealed(folder / "venv", ()), sealed(folder / "deps", ()))
    assert image.id.endswith("@" + digest)
    assert base.id.endswith("@" + hash_of("", sealed(folder_of(base) / "root", ())))


def test_a_path_that_is_too_deep_fails_the_build_and_goes(sandbox):
    deep = "import os\nos.chdir('/opt/deps')\nfor _ in range(1500):\n os.mkdir('d' * 50); os.chdir('d' * 50)"
    with pytest.raises(BuildFailed, match="keep what was built"):
        sandbox.prepare(recipe(Step("deep", ("python3", "-c", deep))))


def test_a_base_from_a_tar_must_hold_python(sandbox, tmp_path):
    import tarfile

    with tarfile.open(tmp_path / "base.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("etc/readme"))
    with pytest.raises(SandboxUnavailable, match="no base can be made from"):
        sandbox.prepare(Recipe({}, (), base=str(tmp_path / "base.tar")))


def test_a_state_folder_that_boxes_cannot_reach_is_said(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root's boxes run as another user")
    tmp_path.chmod(0o700)
    with pytest.raises(SandboxUnavailable, match="shut to other users"):
        BubblewrapSandbox(state=tmp_path / "state").prepare(Recipe({}, ()))


UNPRIVILEGED = """
import sys
from sandbox import Command, Image, Limits
from sandbox.bubblewrap import BubblewrapSandbox
from pathlib import Path
from sandbox import bubblewrap, contract, attacks
bubblewrap._make_state = lambda state: None
box = BubblewrapSandbox(owner="somebody", state=Path(sys.argv[1]))
box._traces._folder = Path(sys.argv[3])
image = Image(sys.argv[2])
found = box.probe()
assert not found.of("memory").enforced and "root" in found.of("memory").detail, found
held = {"a_memory_hog_is_stopped_by_name", "a_command_whose_child_was_killed_for_memory_is_not_believed",
        "a_flood_of_files_stops_at_a_limit", "abstract_sockets_of_the_host_are_out_of_reach"}
for check in contract.CHECKS:
    if check.__name__ not in held:
        check(box, image)
hog = "hog = [bytearray(1 << 20) for _ in range(4096)]"
assert b"MemoryError" in attacks.run(box, image, hog, Limits(memory_mb=512)).output
print("all held")
"""


def test_somebody_without_rights_has_boxes_as_well(bubblewrap_sandbox, tmp_path_factory):
    """User namespaces; what no control group holds is said, and each process is held alone."""
    if os.geteuid() != 0:
        pytest.skip("the other tests run without rights already")
    image = bubblewrap_sandbox.prepare(Recipe({}, ()))
    work = Path("/var/tmp") / f"regreen-test-{os.getpid()}"
    code = Path(__file__).parents[1]
    work.mkdir()
    subprocess.run(["cp", "-r", str(code / "sandbox"), str(work / "sandbox")], check=True)
    (work / "boxes").mkdir()
    subprocess.run(["chown", "-R", "12345:12345", str(work)], check=True)
    argv = ["setpriv", "--reuid", "12345", "--regid", str(UID), "--clear-groups", "--no-new-privs"]
    argv += [python_for_all(), "-B", "-c", UNPRIVILEGED, str(usual_state()), image.id, str(work / "boxes")]
    try:
        done = subprocess.run(
            argv, cwd=work, env={"PATH": os.environ["PATH"], "HOME": str(work)}, capture_output=True
        )
        assert done.stdout == b"all held\n", done.stderr.decode()
        assert list((work / "boxes").iterdir()) == []
    finally:
        discard(work)


def python_for_all() -> str:
    """A Python that other users can start too."""
    return next((one for one in ("/usr/bin/python3", "/usr/local/bin/python3") if Path(one).exists()), sys.executable)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        pytest.param({"kernel/apparmor_restrict_unprivileged_userns": "1"}, "AppArmor", id="Ubuntu"),
        pytest.param({"kernel/unprivileged_userns_clone": "0"}, "unprivileged_userns_clone=1", id="old Debian"),
        pytest.param({"user/max_user_namespaces": "0"}, "max_user_namespaces=10000", id="hardened"),
        pytest.param({}, "systempaths=unconfined", id="container"),
    ],
)
def test_why_no_box_can_be_made_is_said_with_its_remedy(tmp_path, settings, words):
    for name, value in settings.items():
        (tmp_path / "sys" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "sys" / name).write_text(value)
    said = remedy("bwrap: setting up uid map: Permission denied", tmp_path)
    assert words in said
    assert "uid map" in said


def test_a_missing_bwrap_is_said_with_its_remedy(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
        BubblewrapSandbox().probe()


def test_a_box_that_could_see_more_than_it_should_is_refused(monkeypatch, tmp_path):
    """A bwrap that leaves out a namespace: nothing falls back to less isolation silently."""
    false = tmp_path / "bwrap"
    false.write_text(
        '#!/bin/sh\nfor one; do shift; [ "$one" = --unshare-net ] || set -- "$@" "$one"; done\nexec /usr/bin/bwrap "$@"\n'
    )
    false.chmod(0o755)
    tmp_path.chmod(0o755)
    place = Path("/var/tmp") / f"regreen-test-bwrap-{os.getpid()}"
    place.mkdir()
    try:
        place.chmod(0o755)
        false.rename(place / "bwrap")
        monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
        with pytest.raises(SandboxUnavailable, match="other network cards"):
            BubblewrapSandbox().probe()
    finally:
        discard(place)


MOUNTS_2 = "30 23 0:26 / {root} rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"


def version_2(tmp_path: Path, own: str, **handed: str) -> cgroups.Groups:
    """A tree as systemd makes it: folder -> what it hands down to its children."""
    root = tmp_path / "cgroup"
    for folder, controllers in {"": "cpu memory pids", **handed}.items():
        place = root / folder.replace("__", "/")
        place.mkdir(parents=True, exist_ok=True)
        (place / "cgroup.controllers").write_text("cpu memory pids")
        (place / "cgroup.subtree_control").write_text(controllers)
        (place / "cgroup.procs").touch()
        if not controllers:
            (place / "cgroup.subtree_control").unlink()
            (place / "cgroup.subtree_control").mkdir()  # cannot be written, as where processes live
    proc = tmp_path / "proc"
    proc.mkdir()
    (proc / "mountinfo").write_text(MOUNTS_2.format(root=root))
    (proc / "cgroup").write_text(f"0::{own}\n")
    return cgroups.find(proc)


def test_in_version_2_a_service_makes_groups_beside_its_own(tmp_path):
    found = version_2(tmp_path, "/system.slice/regreen.service", **{
        "system.slice": "cpu memory pids", "system.slice__regreen.service": "",
    })  # fmt: skip
    assert found.version == "v2"
    assert set(found.parents.values()) == {tmp_path / "cgroup/system.slice"}
    assert set(found.parents) == {"cpu", "memory", "pids"}


def test_in_version_2_a_group_has_its_limits_in_the_new_files(tmp_path):
    found = version_2(tmp_path, "/a.slice/b", **{"a.slice": "cpu memory pids", "a.slice__b": ""})
    settings = cgroups._settings(found.version, Limits(memory_mb=64, cpus=0.5))
    written = {file: value for _, file, value in settings}
    assert written == {
        "memory.max": str(64 << 20), "memory.swap.max": "0", "pids.max": "256", "cpu.max": "50000 100000",
    }  # fmt: skip


def test_without_groups_the_reason_is_said(tmp_path):
    proc = tmp_path / "proc"
    proc.mkdir()
    (proc / "mountinfo").write_text("22 1 8:1 / / rw - ext4 /dev/sda rw\n")
    (proc / "cgroup").write_text("0::/\n")
    found = cgroups.find(proc)
    assert (found.version, found.parents) == ("none", {})
    assert found.reason


def test_a_group_that_cannot_be_made_is_a_broken_box(tmp_path):
    with pytest.raises(SandboxError, match="cannot be made"):
        cgroups.make({"memory": tmp_path / "none/x"}, "v1", Limits())


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_whole_on_every_known_machine(machine):
    program = deny_program(machine)
    assert program
    assert len(program) % 8 == 0
    assert len(program) // 8 < 4096
    assert deny_program("vax") is None


def test_the_base_holds_no_program_that_gives_rights(bubblewrap_sandbox):
    root = folder_of(bubblewrap_sandbox.prepare(Recipe({}, ()))) / "root"
    modes = [Path(place, name).lstat().st_mode for place, _, names in os.walk(root) for name in names]
    assert not [mode for mode in modes if stat.S_ISREG(mode) and mode & 0o6000]
