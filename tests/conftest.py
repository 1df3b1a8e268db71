"""What many test files share: the backends that make boxes, and the images that the boxes come from."""

from __future__ import annotations

import os
from dataclasses import dataclass

import pytest

from sandbox import Image, Recipe, Sandbox, SandboxError
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.docker import DockerSandbox, engine


@pytest.fixture(scope="session")
def docker_engine():
    """A test that needs an engine fails without one: a mark selects, it never excuses."""
    try:
        with engine() as api:
            api.ping()
    except SandboxError as error:
        pytest.fail(f"this test needs a Docker engine, and {error}", pytrace=False)


@pytest.fixture(scope="session")
def docker_sandbox(docker_engine) -> DockerSandbox:
    """Its owner is this process: test runs side by side do not count each other's boxes."""
    return DockerSandbox(owner=f"regreen-tests-{os.getpid()}")


@pytest.fixture(scope="session")
def base_image(docker_sandbox) -> Image:
    """The Python base, without any dependencies; built by the first test that asks on a fresh machine."""
    return docker_sandbox.prepare(Recipe(files={}, steps=()))


@pytest.fixture(scope="session")
def bubblewrap_sandbox() -> BubblewrapSandbox:
    return BubblewrapSandbox(owner=f"regreen-tests-{os.getpid()}")


@dataclass(frozen=True)
class Backend:
    """One way to make boxes, with its Python base."""

    name: str
    sandbox: Sandbox
    image: Image


@pytest.fixture(scope="session", params=[pytest.param("docker", marks=pytest.mark.docker), "bubblewrap"])
def backend(request) -> Backend:
    """Each test that asks for it runs on every backend."""
    sandbox: Sandbox = request.getfixturevalue(f"{request.param}_sandbox")
    return Backend(request.param, sandbox, sandbox.prepare(Recipe(files={}, steps=())))
