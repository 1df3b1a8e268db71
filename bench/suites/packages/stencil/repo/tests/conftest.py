import pytest

from stencil import DictLoader, Environment


@pytest.fixture
def templates():
    return {}


@pytest.fixture
def env(templates):
    return Environment(DictLoader(templates))


@pytest.fixture
def render(env):
    def rendered(source, **values):
        return env.render(source, **values)

    return rendered
