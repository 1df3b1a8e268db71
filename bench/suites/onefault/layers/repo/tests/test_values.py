import pytest

from layers.merge import flat, lookup, merged, nested
from layers.values import BadValue, as_kind, from_environment


@pytest.mark.parametrize(
    "text, like, expected",
    [
        ("yes", False, True),
        ("OFF", True, False),
        ("", True, False),
        (" 8080 ", 1, 8080),
        ("2.5", 1.0, 2.5),
        ("a, b,,c", [], ["a", "b", "c"]),
        (" text ", "", "text"),
    ],
)
def test_kinds(text, like, expected):
    value = as_kind("x", text, like)
    assert value == expected
    assert type(value) is type(expected)


def test_bad_values_name_the_setting():
    with pytest.raises(BadValue, match="port: 'many' is no whole number"):
        as_kind("port", "many", 80)
    with pytest.raises(BadValue, match="debug: 'perhaps' is no yes or no"):
        as_kind("debug", "perhaps", True)


def test_environment():
    environ = {"APP_DB__PORT": "1", "APP_DEBUG": "yes", "PATH": "/bin"}
    assert from_environment(environ, "APP_") == {"db.port": "1", "debug": "yes"}


def test_merged():
    lower = {"a": 1, "b": {"c": 2, "d": 3}, "e": 4}
    assert merged(lower, {"b": {"c": 5}, "e": None, "f": [6]}) == {"a": 1, "b": {"c": 5, "d": 3}, "f": [6]}
    assert merged(lower, {"x": None}) == lower


def test_merged_changes_neither():
    lower, upper = {"b": {"c": [1]}}, {"x": [2]}
    result = merged(lower, upper)
    result["b"]["c"].append(9)
    result["x"].append(9)
    assert (lower, upper) == ({"b": {"c": [1]}}, {"x": [2]})


def test_flat_and_nested():
    assert flat({"a": {"b": {"c": 1}}, "d": 2}) == {"a.b.c": 1, "d": 2}
    assert nested("a.b.c", 1) == {"a": {"b": {"c": 1}}}


def test_lookup():
    tree = {"a": {"b": 0}}
    assert lookup(tree, "a.b") == 0
    assert lookup(tree, "a.x", 5) == 5
    assert lookup(tree, "a.b.c", 6) == 6
