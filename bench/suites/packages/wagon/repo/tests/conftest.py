import pytest

from wagon.index import MemoryIndex
from wagon.requirement import Requirement
from wagon.resolver import Resolver


@pytest.fixture
def index():
    """app needs web and log; web 2 needs a newer log than web 1."""
    return (
        MemoryIndex()
        .add("app", "1.0", "web", "log>=1")
        .add("web", "1.0", "log<2")
        .add("web", "2.0", "log>=2", "json[fast]>=1")
        .add("log", "1.0")
        .add("log", "1.5")
        .add("log", "2.0")
        .add("log", "3.0a1")
        .add("json", "1.0", 'speed>=1 ; extra == "fast"')
        .add("json", "1.1", 'speed>=1 ; extra == "fast"', 'old ; python_version < "3.8"')
        .add("speed", "1.0")
        .add("old", "1.0")
    )


@pytest.fixture
def resolve(index):
    def resolved(*requirements, **options):
        resolution = Resolver(index, **options).resolve([Requirement.parse(one) for one in requirements])
        return {name: str(version) for name, version in resolution.versions.items()}

    return resolved
