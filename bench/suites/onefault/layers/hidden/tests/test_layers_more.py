import pytest

from layers import Stack, as_kind
from layers.merge import flat, lookup, merged, nested
from layers.values import BadValue, from_environment


def test_kinds():
    for word in ("1", "Yes", "TRUE", "on "):
        assert as_kind("n", word, False) is True
    for word in ("0", "No", "false", "oFF", "  "):
        assert as_kind("n", word, True) is False
    assert as_kind("n", "-3", 0) == -3
    assert as_kind("n", "3", 0.5) == 3.0
    assert isinstance(as_kind("n", "3", 0.5), float)
    assert as_kind("n", " ,x , y z", ["q"]) == ["x", "y z"]
    assert as_kind("n", "007", "text") == "007"
    for text, like, message in (("1.5", 1, "n: '1.5' is no whole number"), ("x", 1.5, "n: 'x' is no number"), ("2", True, "n: '2' is no yes or no")):
        with pytest.raises(BadValue) as caught:
            as_kind("n", text, like)
        assert str(caught.value) == message


def test_environment():
    environ = {"XA_B__C__D": "1", "XA_": "e", "XB_C": "2", "A_XA_": "3", "XA_one_two": "4"}
    assert from_environment(environ, "XA_") == {"b.c.d": "1", "": "e", "one_two": "4"}


def test_merged():
    assert merged({}, {}) == {}
    assert merged({"a": {"b": 1}}, {"a": 2}) == {"a": 2}
    assert merged({"a": 1}, {"a": {"b": 2}}) == {"a": {"b": 2}}
    assert merged({"a": {"b": {"c": 1, "d": 2}}}, {"a": {"b": {"c": None}}}) == {"a": {"b": {"d": 2}}}
    assert merged({}, {"x": None}) == {}
    assert merged({"a": 5}, {"a": 0}) == {"a": 0}
    inner = {"p": {"q": []}}
    result = merged({}, inner)
    result["p"]["q"].append(1)
    assert inner == {"p": {"q": []}}
    low = {"p": {"q": [1]}}
    merged(low, {"p": {"r": 2}})["p"]["q"].append(2)
    assert low == {"p": {"q": [1]}}


def test_paths():
    assert flat({}) == {}
    assert flat({"a": {"b": 1, "c": {"d": []}}, "e": None}) == {"a.b": 1, "a.c.d": [], "e": None}
    assert nested("x", 3) == {"x": 3}
    assert nested("x.y", {"z": 1}) == {"x": {"y": {"z": 1}}}
    tree = {"a": {"b": None, "c": {"d": "e"}}}
    assert lookup(tree, "a.b", 1) is None
    assert lookup(tree, "a.c.d") == "e"
    assert lookup(tree, "a.c.d.e", 2) == 2
    assert lookup(tree, "z.a") is None
    assert lookup(tree, "a.c") == {"d": "e"}


def make():
    return Stack({"n": 1, "s": {"t": "x", "u": {"v": 1.5}}, "on": True})


def test_stack():
    stack = make()
    assert stack.push("one", {"s": {"u": {"v": 2.5}}}) is stack
    assert stack.get("s.u.v") == 2.5
    assert stack.get("s.t") == "x"
    assert stack.origin("s.u.v") == "one"
    assert stack.origin("s") is None
    stack.push("two", {"n": 2}).push("three", {"n": 3})
    assert (stack.get("n"), stack.origin("n")) == (3, "three")
    assert stack.changed() == ["n", "s.u.v"]
    with pytest.raises(KeyError, match="four: there is no setting s.u.w"):
        stack.push("four", {"s": {"u": {"w": 1}}})
    assert stack.origin("n") == "three"
    assert make().changed() == []
    assert make().settings() == {"n": 1, "s": {"t": "x", "u": {"v": 1.5}}, "on": True}


def test_stack_environment():
    stack = make()
    assert stack.push_environment({"APP_S__U__V": "7", "APP_ON": "no", "APP_S": "z", "app_n": "5", "N": "6"}) is stack
    assert stack.settings() == {"n": 1, "s": {"t": "x", "u": {"v": 7.0}}, "on": False}
    assert stack.origin("on") == "environment"
    stack.push_environment({"Q_N": "9"}, "Q_")
    assert stack.get("n") == 9
    with pytest.raises(BadValue, match="^n: 'x' is no whole"):
        stack.push_environment({"APP_N": "x"})
