import pytest

from layers import Stack


@pytest.fixture
def stack():
    return Stack({"debug": False, "db": {"host": "localhost", "port": 5432}, "tags": []})


def test_later_layers_win(stack):
    stack.push("file", {"db": {"port": 1}}).push("options", {"db": {"port": 2}, "debug": True})
    assert stack.settings() == {"debug": True, "db": {"host": "localhost", "port": 2}, "tags": []}
    assert stack.get("db.host") == "localhost"
    assert stack.get("db.user", "nobody") == "nobody"


def test_unknown_setting(stack):
    with pytest.raises(KeyError, match="file: there is no setting db.prot"):
        stack.push("file", {"db": {"prot": 1}})
    assert stack.get("db.prot") is None


def test_environment(stack):
    environ = {"APP_DB__PORT": "99", "APP_TAGS": "a,b", "APP_OTHER": "x", "HOME": "/"}
    assert stack.push_environment(environ) is stack
    assert stack.get("db.port") == 99
    assert stack.get("tags") == ["a", "b"]
    assert stack.get("other") is None


def test_other_prefix(stack):
    stack.push_environment({"APP_DEBUG": "1", "MY_DB__HOST": "h"}, prefix="MY_")
    assert (stack.get("debug"), stack.get("db.host")) == (False, "h")


def test_origin(stack):
    stack.push("file", {"db": {"port": 1}, "debug": True}).push("options", {"db": {"port": 2}})
    assert [stack.origin(path) for path in ("db.port", "debug", "db.host", "x")] == ["options", "file", "defaults", None]


def test_changed(stack):
    stack.push("file", {"db": {"port": 1}, "debug": True}).push("options", {"debug": False})
    assert stack.changed() == ["db.port"]
