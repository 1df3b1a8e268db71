"""Dependency images: built once, failing in words, and without a trace of this machine's credentials."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from sandbox import BuildFailed, Command, File, Limits, Recipe, SandboxUnavailable, Step, debian
from sandbox.docker import DockerSandbox, engine
from sandbox.egress import egress
from sandbox.owner import Claim
from sandbox.recipes import recipe_key

pytestmark = pytest.mark.docker

UV = "/opt/regreen/tools/bin/uv"
QUICK = Limits(timeout_s=120)
TOKEN = "tok-7f3b9c1d"
_numbers = count()


def shell(script: str, *, name: str = "step", optional: bool = False) -> Step:
    return Step(name, ("sh", "-euc", script), optional=optional)


def recipe(*steps: Step, files=None) -> Recipe:
    """A recipe that no earlier run has built."""
    mark = {f"mark-{os.getpid()}-{next(_numbers)}": File(os.urandom(8))}
    return Recipe(files={**mark, **(files or {})}, steps=steps)


class Tidy(DockerSandbox):
    """Remembers which images it has built, so that a test can take them away."""

    def __init__(self, **settings):
        super().__init__(owner=f"regreen-tests-images-{os.getpid()}", **settings)
        self.made: list[str] = []

    def prepare(self, recipe, *, progress=None):
        image = super().prepare(recipe, progress=progress)
        self.made += [image.id] if image.built else []
        return image


@pytest.fixture
def sandbox(base_image):
    sandbox = Tidy()
    yield sandbox
    sandbox.settle()  # a box of a run that is over is removed behind its result
    with engine() as api:
        for image in sandbox.made:
            api.remove_image(image, force=True)


def leftovers(sandbox: DockerSandbox) -> list[str]:
    sandbox.settle()
    with engine() as api:
        found = api.containers(all=True, filters={"label": Claim(sandbox.owner).filter})
        return [one["Id"] for one in found]


def output(sandbox, image, script: str) -> str:
    ran = sandbox.verify_fresh(image, Command(("sh", "-c", script)), QUICK)
    assert ran.code == 0, ran
    return ran.report.decode()


def test_a_recipe_is_built_once(sandbox):
    wanted = recipe(shell("cat data.txt > /opt/deps/copy; id -u >> /opt/deps/copy; pwd >> /opt/deps/copy"),
                    files={"data.txt": File(b"content\n")})  # fmt: skip
    lines: list[str] = []
    first = sandbox.prepare(wanted, progress=lines.append)
    again = sandbox.prepare(wanted, progress=lines.append)
    assert (first.built, again.built) == (True, False)
    assert first.id == again.id
    assert lines == ["image: step"]
    assert output(sandbox, first, "cat /opt/deps/copy") == "content\n10001\n/sbx/w\n"
    assert leftovers(sandbox) == []


def test_two_builders_of_one_recipe_build_it_once(sandbox):
    wanted, barrier = recipe(shell("sleep 1")), threading.Barrier(2)

    def build(_: int):
        barrier.wait()
        return sandbox.prepare(wanted)

    with ThreadPoolExecutor(2) as pool:
        images = list(pool.map(build, range(2)))
    assert sorted(image.built for image in images) == [False, True]
    assert images[0].id == images[1].id


def test_packages_are_installed_and_can_be_imported_without_network(sandbox):
    install = Step("install", (UV, "pip", "install", "--python", "/opt/venv/bin/python", "-r", "r.txt"))
    venv = Step("venv", (UV, "venv", "/opt/venv"))
    image = sandbox.prepare(recipe(venv, install, files={"r.txt": File(b"iniconfig\n")}))
    code = "import iniconfig, sys; print(sys.prefix, iniconfig.__file__.startswith('/opt/venv/'))"
    ran = sandbox.verify_fresh(image, Command(("python", "-c", code)), QUICK)
    assert ran.report == b"/opt/venv True\n"


def test_a_failing_step_is_told_by_name_and_log(sandbox):
    wanted = recipe(shell("echo fine", name="first"), shell("echo no such package >&2; exit 3", name="second"))
    with pytest.raises(BuildFailed) as caught:
        sandbox.prepare(wanted)
    assert caught.value.step == "second"
    assert caught.value.log == "no such package\n"
    assert leftovers(sandbox) == []


def test_a_failing_optional_step_becomes_a_note_that_stays(sandbox):
    wanted = recipe(shell("echo 'no $compiler \"here\"'; exit 1", name="extras", optional=True), shell("true"))
    first, again = sandbox.prepare(wanted), sandbox.prepare(wanted)
    assert first.notes == again.notes == ('extras failed: no $compiler "here"',)


def test_a_step_that_cannot_be_started_is_a_failed_step(sandbox):
    with pytest.raises(BuildFailed) as caught:
        sandbox.prepare(recipe(Step("tool", ("no-such-tool",))))
    assert "no-such-tool" in caught.value.log


def test_what_a_step_leaves_running_ends_with_the_build(sandbox):
    script = "(while true; do date > /opt/deps/clock; sleep 0.1; done) > /dev/null 2>&1 & sleep 0.5"
    image = sandbox.prepare(recipe(shell(script)))
    assert "python3" in output(sandbox, image, "cat /proc/[0-9]*/cmdline | tr '\\0' ' '")
    assert "clock" not in output(sandbox, image, "cat /proc/[0-9]*/cmdline | tr '\\0' ' '")
    assert leftovers(sandbox) == []


def test_a_step_has_no_rights_but_its_own(sandbox):
    image = sandbox.prepare(
        recipe(shell("for d in / /etc /usr/bin /opt /opt/regreen/tools/bin; do ! touch $d/x 2>/dev/null; done"))
    )
    assert output(sandbox, image, "ls /x /etc/x /opt/x 2>/dev/null; true") == ""


def test_the_image_is_plain(sandbox):
    """No owner's labels that would be handed down to a stranger's container, no entry point, no files of ours."""
    image = sandbox.prepare(recipe(shell("touch here /tmp/there /var/tmp/there")))
    with engine() as api:
        config = api.inspect_image(image.id)["Config"]
    assert config["User"] == "10001:10001"
    assert not config["Entrypoint"]
    assert config["Cmd"] == ["python3"]
    assert not config["Env"]
    assert not Claim(sandbox.owner).is_orphan(config["Labels"])
    assert config["Labels"]["regreen.image"] == "dependencies"
    assert output(sandbox, image, "ls -A /sbx/w /tmp /var/tmp | grep there; true") == ""


CONTROLLER = """
import sys
from sandbox import Recipe, Step
from sandbox.docker import DockerSandbox
recipe = Recipe({}, (Step("wait", ("sleep", "600")),))
DockerSandbox(owner=sys.argv[1]).prepare(recipe, progress=lambda line: print(line, flush=True))
"""


def test_a_builder_of_a_killed_controller_is_reaped(sandbox):
    controller = subprocess.Popen(
        [sys.executable, "-c", CONTROLLER, sandbox.owner], stdout=subprocess.PIPE, text=True
    )
    with controller:
        assert controller.stdout.readline() == "image: wait\n"
        controller.kill()
    assert sandbox.reap() == 1
    assert leftovers(sandbox) == []


@pytest.fixture
def planted(monkeypatch, tmp_path):
    """A token in every place that a build may read: indexes that are never asked, a CA bundle, and a stranger."""
    host = os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt")
    bundle = tmp_path / "ca.pem"
    bundle.write_bytes(Path(host).read_bytes() + f"\n# {TOKEN}-ca\n".encode())
    for name in ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.setenv(name, str(bundle))
    monkeypatch.setenv("PIP_INDEX_URL", f"https://user:{TOKEN}@packages.invalid/simple")
    monkeypatch.setenv("all_proxy", f"http://user:{TOKEN}@proxy.invalid:1")
    monkeypatch.setenv("GITHUB_TOKEN", f"{TOKEN}-github")


def export(image_id: str) -> bytes:
    """The whole file system of an image, as one tar."""
    with engine() as api:
        made = api.create_container(image_id, ["true"])
        try:
            return b"".join(api.export(made["Id"]))
        finally:
            api.remove_container(made["Id"], v=True)


def test_no_credential_ends_in_the_image(sandbox, planted):
    """The step sees the index and the CA; the image holds neither, in its files, settings or history."""
    seen = 'echo "$PIP_INDEX_URL" | grep -q tok-; grep -q tok- "$SSL_CERT_FILE"; test -z "${GITHUB_TOKEN-}"'
    image = sandbox.prepare(recipe(shell(seen)))
    with engine() as api:
        settings = json.dumps([api.inspect_image(image.id), api.history(image.id)])
    assert TOKEN not in settings
    assert TOKEN.encode() not in export(image.id)


def test_a_credential_that_a_step_writes_down_fails_the_build(sandbox, planted):
    with pytest.raises(BuildFailed, match="look for credentials") as caught:
        sandbox.prepare(recipe(shell("env > /opt/deps/settings")))
    assert "/opt/deps/settings" in caught.value.log
    assert TOKEN not in caught.value.log


def test_a_credential_is_not_in_the_log_of_a_failed_step(sandbox, planted):
    with pytest.raises(BuildFailed) as caught:
        sandbox.prepare(recipe(shell("echo asking $PIP_INDEX_URL; exit 1")))
    assert caught.value.log == "asking https://user:[secret]@packages.invalid/simple\n"


BASE = Recipe(files={"a": File(b"1")}, steps=(Step("s", ("true",)),))


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(Recipe({"a": File(b"2")}, BASE.steps), id="content"),
        pytest.param(Recipe({"b": File(b"1")}, BASE.steps), id="name"),
        pytest.param(Recipe({"a": File(b"1", executable=True)}, BASE.steps), id="mode"),
        pytest.param(Recipe({"a": File(b"1", link=True)}, BASE.steps), id="link"),
        pytest.param(Recipe(BASE.files, (Step("s", ("true", "x")),)), id="argv"),
        pytest.param(Recipe(BASE.files, (Step("s", ("true",), optional=True),)), id="optional"),
    ],
)
def test_recipes_that_differ_have_different_keys(other):
    here = egress({})
    assert recipe_key(BASE, "base", here) != recipe_key(other, "base", here)


def test_the_index_counts_and_its_credentials_do_not():
    def key(index: str) -> str:
        return recipe_key(BASE, "base", egress({"PIP_INDEX_URL": index}))

    assert key("https://u:one@a.example/simple") == key("https://u:two@a.example/simple")
    assert key("https://a.example/simple") != key("https://b.example/simple")


def test_a_base_that_cannot_be_had_is_said(sandbox):
    with pytest.raises(SandboxUnavailable, match=r"registry\.invalid/none"):
        sandbox.prepare(Recipe({}, (), base="registry.invalid/none:1"))


def test_an_image_without_python_cannot_be_a_base(docker_engine):
    empty = io.BytesIO()
    with tarfile.open(fileobj=empty, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("readme"))
    with engine() as api:
        api.import_image_from_data(empty.getvalue(), repository="regreen-test-empty", tag="1")
    sandbox = Tidy(base_image="regreen-test-empty:1")
    try:
        with pytest.raises(SandboxUnavailable, match="REGREEN_BASE_IMAGE"):
            sandbox.prepare(Recipe({}, ()))
    finally:
        with engine() as api:
            api.remove_image("regreen-test-empty:1", force=True)
    assert leftovers(sandbox) == []


@pytest.mark.skipif(not debian.can_build(), reason="only Debian and Ubuntu can make a base out of packages")
def test_a_base_is_made_from_debian_packages_without_a_registry():
    with debian.root_tar(lambda line: None) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
        found = {member.name: member for member in archive}
    for path in ("./usr/bin/python3", "./usr/bin/git", "./usr/bin/env", "./etc/passwd"):
        assert path in found
    assert any("libstdc++.so" in path for path in found), "compiled wheels need it"
    assert found["./bin"].linkname == "usr/bin"
    assert found["./etc/ssl/certs/ca-certificates.crt"].size > 100_000
    assert {(member.uid, member.gid) for member in found.values()} == {(0, 0)}
