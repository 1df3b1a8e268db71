"""Nested dictionaries laid over each other."""

import copy


def merged(lower, upper):
    """A new dictionary: values of the upper one win, dictionaries are merged; None takes a key away."""
    result = copy.deepcopy(lower)
    for key, value in upper.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def flat(tree, prefix=""):
    """{"a": {"b": 1}} -> {"a.b": 1}"""
    found = {}
    for key, value in tree.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            found.update(flat(value, path + "."))
        else:
            found[path] = value
    return found


def lookup(tree, path, default=None):
    """The value at "a.b.c", the default where some part is missing."""
    for part in path.split("."):
        if not isinstance(tree, dict) or part not in tree:
            return default
        tree = tree[part]
    return tree


def nested(path, value):
    """("a.b", 1) -> {"a": {"b": 1}}"""
    for part in reversed(path.split(".")):
        value = {part: value}
    return value
