"""What many test files share: a Docker engine that answers, and the images that the boxes come from."""

from __future__ import annotations

import os

import pytest

from sandbox import Image, Recipe, SandboxError
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
