"""What small conditions say of values that were seen, without running any code of the project for it."""

from __future__ import annotations

from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence, Tuple

from ..kinds import Raw
from .terms import Unknown, held_by_class

LONG = 10_000
"""Containers with more in them are not looked through."""
SIZED = (str, bytes, list, tuple, dict, set, frozenset, range)
PLAIN = (int, float, complex, bool, type(None), str, bytes)
PLAIN_MODULES = ("datetime", "decimal", "fractions", "uuid", "pathlib")

Seen = Callable[[Sequence[Any]], Optional[bool]]
"""What a condition says of the values of its terms; None where it would raise, or cannot be asked."""


class Form(NamedTuple):
    """A condition with places for its terms, its opposite, what it costs, and what it says."""

    text: str
    opposite: str
    cost: float
    holds: Seen


def _is_plain(value: Raw) -> bool:
    return type(value) in PLAIN or type(value).__module__ in PLAIN_MODULES


def _is_number(value: Raw) -> bool:
    return type(value) in (int, float) or type(value).__module__ in ("decimal", "fractions")


def _none(values: Sequence[Any]) -> Optional[bool]:
    return values[0] is None


def _nothing(values: Sequence[Any]) -> Optional[bool]:
    """Of what has a truth of its own: anything else is always true, and nobody asks."""
    value = values[0]
    if _is_plain(value) or type(value) in SIZED or _has(value, "__bool__") or _has(value, "__len__"):
        return not value
    return None


def _has(value: Raw, name: str) -> bool:
    try:
        held_by_class(value, name)
    except Unknown:
        return False
    return True


def _number(test: Callable[[Raw], bool]) -> Seen:
    return lambda values: bool(test(values[0])) if _is_number(values[0]) else None


def _size(test: Callable[[int], bool]) -> Seen:
    return lambda values: test(len(values[0])) if type(values[0]) in SIZED else None


def _text(test: Callable[[str], bool]) -> Seen:
    return lambda values: test(values[0]) if type(values[0]) is str else None


UNARY: Tuple[Form, ...] = (
    Form("{0} is None", "{0} is not None", 0.0, _none),
    Form("not {0}", "{0}", 0.05, _nothing),
    Form("{0} == 0", "{0} != 0", 0.6, _number(lambda value: value == 0)),
    Form("{0} < 0", "{0} >= 0", 0.5, _number(lambda value: value < 0)),
    Form("{0} <= 0", "{0} > 0", 0.55, _number(lambda value: value <= 0)),
    Form("len({0}) == 1", "len({0}) != 1", 0.9, _size(lambda size: size == 1)),
    Form("len({0}) < 2", "len({0}) >= 2", 0.9, _size(lambda size: size < 2)),
    Form("not {0}.strip()", "{0}.strip()", 0.7, _text(lambda text: not text.strip())),
)


def _equal(values: Sequence[Any]) -> Optional[bool]:
    one, two = values
    if type(one) is not type(two) or type(one) in (bool, type(None)):
        return None
    if _is_plain(one) or (type(one) in SIZED and len(one) < LONG and _holds_plain(one)):
        return bool(one == two)
    return None


def _holds_plain(many: Raw) -> bool:
    """Whether comparing it asks nobody's own `__eq__`."""
    values = many.values() if type(many) is dict else many
    return all(_is_plain(value) for value in values)


def _same(values: Sequence[Any]) -> Optional[bool]:
    """Only of what is no plain value: of those nobody asks for identity."""
    one, two = values
    return None if _is_plain(one) or _is_plain(two) else one is two


def _order(test: Callable[[Raw, Raw], bool]) -> Seen:
    """Of numbers, dates and the like: who compares two texts sorts them."""

    def holds(values: Sequence[Any]) -> Optional[bool]:
        one, two = values
        alike = type(one) is type(two) and type(one).__module__ in PLAIN_MODULES
        if not alike and not (_is_number(one) and _is_number(two)):
            return None
        try:
            return bool(test(one, two))
        except TypeError:
            return None

    return holds


def _inside(values: Sequence[Any]) -> Optional[bool]:
    one, many = values
    if type(many) not in (list, tuple, dict, set, frozenset) or len(many) > LONG or not _is_plain(one):
        return None
    return one in many if _holds_plain(list(many)) else None


def _texts(test: Callable[[str, str], bool]) -> Seen:
    return lambda values: test(values[0], values[1]) if type(values[0]) is type(values[1]) is str else None


def _sizes(test: Callable[[int, int], bool]) -> Seen:
    """Of the length of the first, no text, and the second, a number."""
    return lambda values: (
        test(len(values[0]), values[1]) if type(values[0]) in SIZED[2:] and type(values[1]) is int else None
    )


EITHER_WAY: Tuple[Form, ...] = (
    Form("{0} == {1}", "{0} != {1}", 0.5, _equal),
    Form("{0} is {1}", "{0} is not {1}", 0.6, _same),
)
"""The same with its terms exchanged."""
PAIRED: Tuple[Form, ...] = (
    Form("{0} < {1}", "{0} >= {1}", 0.6, _order(lambda one, two: one < two)),
    Form("{0} <= {1}", "{0} > {1}", 0.65, _order(lambda one, two: one <= two)),
    Form("{0} in {1}", "{0} not in {1}", 0.4, _inside),
    Form("len({0}) < {1}", "len({0}) >= {1}", 0.5, _sizes(lambda one, two: one < two)),
    Form("len({0}) <= {1}", "len({0}) > {1}", 0.55, _sizes(lambda one, two: one <= two)),
    Form("len({0}) == {1}", "len({0}) != {1}", 1.5, _sizes(lambda one, two: one == two)),
    Form("{0}.startswith({1})", "not {0}.startswith({1})", 0.6, _texts(str.startswith)),
    Form("{0}.endswith({1})", "not {0}.endswith({1})", 0.8, _texts(str.endswith)),
    Form("{1} in {0}", "{1} not in {0}", 1.0, _texts(lambda text, part: part in text)),
)


def of_kind(values: Sequence[Any]) -> Optional[bool]:
    """`isinstance` of the first; the others are the kinds."""
    kinds = tuple(values[1:])
    return isinstance(values[0], kinds) if all(isinstance(kind, type) for kind in kinds) else None


def with_constant(value: Raw) -> Iterator[Form]:
    """Conditions about a value that the code names. The second place is the value."""
    yield Form("{0} == {1}", "{0} != {1}", 0.8, _equal_to(value))
    if isinstance(value, str):
        yield Form("{0}.startswith({1})", "not {0}.startswith({1})", 0.9, _text(lambda text: text.startswith(value)))
        yield Form("{0}.endswith({1})", "not {0}.endswith({1})", 0.95, _text(lambda text: text.endswith(value)))
        yield Form("{1} in {0}", "{1} not in {0}", 0.9, _text(lambda text: value in text))
    else:
        yield Form("{0} < {1}", "{0} >= {1}", 0.9, _number(lambda other: other < value))
        yield Form("{0} > {1}", "{0} <= {1}", 0.9, _number(lambda other: other > value))


def _equal_to(value: Raw) -> Seen:
    return lambda values: values[0] == value if type(values[0]) is type(value) else None


def is_able(name: str) -> Seen:
    """`hasattr` of the object's own store and of its class, where nothing makes attributes up."""

    def holds(values: Sequence[Any]) -> Optional[bool]:
        if _has(values[0], "__getattr__"):
            return None
        return _has(values[0], name) or name in getattr(values[0], "__dict__", {})

    return holds
