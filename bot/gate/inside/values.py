"""Values as tagged lists that JSON can carry: described exactly in the box, built again in another one.

    ["none"] ["bool", true] ["int", "0x2a"] ["float", "0x1.8p+1"] ["str", "text"] ["bytes", "00ff"]
    ["list" | "tuple" | "set" | "frozenset", [items]]   ["dict", [[key, value], ...]]
    ["std", "datetime:date", [arguments]]     a value of the standard library that its arguments say all about
    ["ref", "module:name"]                    a class or function that can be imported
    ["enum", type, name, plain value where it is a number or a text too, otherwise ["ref", ""]]
    ["sub", type, plain value, {comparison method: class that defines it}, {attribute: value}]
    ["object", type, {attribute: value}, how it was made, {comparison method: class that defines it}]
    ["iter", type, [items]]                   what an iterator gave
    ["code", name, marshalled code, [defaults], {variable around it: value}]   a function that was made on the spot
                                              iterators and open files as arguments: see given.py
    ["opaque", type, text]  ["cut"]           cannot be built again

An exact builtin and one of its subclasses never look the same; the plain value of a subclass is read with the
methods of the builtin, whatever the subclass makes of them.
"""

from __future__ import annotations

import builtins
import collections
import dataclasses
import datetime
import decimal
import dis
import enum
import fractions
import importlib
import itertools
import marshal
import re
import sys
import types
import uuid
from collections.abc import Callable
from typing import Any

Tagged = Any

COMPARISONS = (
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__bool__", "__len__",
    "__sub__", "__rsub__", "__abs__", "__iter__",
)  # fmt: skip
BUILTINS = (int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict)
MAX_NODES = 3000
MAX_DEPTH = 12
MAX_TEXT = 20_000
MAX_ITEMS = 60  # of an iterator, which may have no end
HELPERS: dict[str, Callable[[], Any]] = {}
"""Modules of tests that are not there, by what makes their helpers again."""
GIVEN: Any = None
"""What tells iterators and open files apart and makes them again, see given.py; None on the gate's own side."""
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def type_name(kind: type) -> str:
    return "%s:%s" % (kind.__module__, kind.__qualname__)


class Describer:
    """Describes one value after another. `made(value)` may say how an object was made; None where it cannot."""

    def __init__(self, made: Callable[[Any], Any] | None = None, exhaust: bool = True) -> None:
        self._made = made
        self._exhaust = exhaust
        self._left = MAX_NODES
        self._open: list[int] = []

    def __call__(self, value: Any) -> Tagged:
        self._left = MAX_NODES
        self._open = []
        return self._any(value)

    def _any(self, value: Any) -> Tagged:
        self._left -= 1
        if self._left < 0 or len(self._open) > MAX_DEPTH or id(value) in self._open:
            return ["cut"]
        scalar = _scalar(value)
        if scalar is not None:
            return scalar
        self._open.append(id(value))
        try:
            return self._compound(value)
        finally:
            self._open.pop()

    def _compound(self, value: Any) -> Tagged:
        kind = type(value)
        if kind in (list, tuple):
            return [kind.__name__, [self._any(item) for item in value]]
        if kind in (set, frozenset):
            return [kind.__name__, sorted((self._any(item) for item in value), key=repr)]
        if kind is dict:
            return ["dict", [[self._any(key), self._any(item)] for key, item in value.items()]]
        arguments = _arguments(value, kind)
        if arguments is not None:
            return ["std", type_name(kind), [self._any(argument) for argument in arguments]]
        if isinstance(value, enum.Enum) and value._name_:
            base = next((base for base in BUILTINS if issubclass(kind, base)), None)
            return ["enum", type_name(kind), value._name_, self._any(_plain(value, base)) if base else ["ref", ""]]
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
            found = _reference(value)
            here = found[0] == "opaque" and not self._exhaust and isinstance(value, types.FunctionType)
            return self._function(value) if here and _stands_alone(getattr(value, "__code__", None)) else found
        base = next((base for base in BUILTINS if issubclass(kind, base)), None)
        if base is not None:
            return ["sub", type_name(kind), self._any(_plain(value, base)), _own(kind, base), self._fields(value)]
        return self._other(value, kind)

    def _function(self, value: Any) -> Tagged:
        """A function that nobody can import, by its code and what it holds."""
        defaults = [self._any(item) for item in value.__defaults__ or ()]
        cells = zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
        around = {name: self._any(cell.cell_contents) for name, cell in cells}
        return ["code", value.__name__, marshal.dumps(value.__code__).hex(), defaults, around]

    def _other(self, value: Any, kind: type) -> Tagged:
        if isinstance(value, BaseException):
            again = [[self._any(item) for item in value.args], {}, {}]
            return ["object", type_name(kind), self._fields(value), again, _own(kind, object)]
        if kind.__module__ == "numpy" and getattr(value, "ndim", 1) == 0:
            return ["sub", type_name(kind), self._any(value.item()), {}, {}]
        given = GIVEN.told(value, self._any, self._exhaust) if GIVEN else None
        if given is not None:
            return given
        if hasattr(kind, "__next__") and hasattr(kind, "__iter__"):
            if not self._exhaust:
                return ["opaque", type_name(kind), ""]
            return ["iter", type_name(kind), [self._any(item) for item in itertools.islice(value, MAX_ITEMS)]]
        fields = self._fields(value)
        if fields or (getattr(kind, "__module__", "") in sys.modules and _is_plain_class(kind)):
            made = self._made(value) if self._made else None
            return ["object", type_name(kind), fields, made, _own(kind, object)]
        told = "" if "__repr__" not in _defined(kind) else _ADDRESS.sub("", repr(value))[:MAX_TEXT]
        return ["opaque", type_name(kind), told]

    def _fields(self, value: Any) -> dict[str, Tagged]:
        return {name: self._any(item) for name, item in sorted(fields_of(value).items())}


def fields_of(value: Any) -> dict[str, Any]:
    """Attributes of an instance: its dictionary and its slots."""
    found: dict[str, Any] = {}
    for cls in type(value).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else tuple(slots):
            name = "_%s%s" % (cls.__name__.lstrip("_"), slot) if slot[:2] == "__" != slot[-2:] else slot
            if name not in ("__dict__", "__weakref__"):
                try:
                    found[name] = object.__getattribute__(value, name)
                except AttributeError:
                    pass
    try:
        inner = object.__getattribute__(value, "__dict__")
    except AttributeError:
        inner = {}
    found.update((name, item) for name, item in inner.items() if isinstance(name, str))
    return found


def _stands_alone(code: Any) -> bool:
    """Whether code uses no names but its own, those around it, and built-in ones."""
    names = {
        one.argval for one in dis.get_instructions(code) if one.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL")
    }
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return names <= set(vars(builtins)) and all(_stands_alone(one) for one in inner)


def _defined(kind: type) -> list[str]:
    return [name for cls in kind.__mro__ if cls is not object for name in cls.__dict__]


def _is_plain_class(kind: type) -> bool:
    """A class written in Python, so that no fields means no state."""
    return kind.__flags__ & (1 << 9) != 0 and kind.__basicsize__ <= object.__basicsize__ + 16


def _scalar(value: Any) -> Tagged | None:
    kind = type(value)
    if value is None:
        return ["none"]
    if kind is bool:
        return ["bool", value]
    if kind is int:
        return ["int", hex(value)] if value.bit_length() < 100_000 else ["cut"]
    if kind is float:
        return ["float", value.hex()]
    if kind is complex:
        return ["complex", value.real.hex(), value.imag.hex()]
    if kind is str:
        return ["str", value] if len(value) <= MAX_TEXT else ["cut"]
    if kind in (bytes, bytearray):
        return [kind.__name__, value.hex()] if len(value) <= MAX_TEXT else ["cut"]
    return ["ellipsis"] if value is Ellipsis else None


def _arguments(value: Any, kind: type) -> list[Any] | None:
    """What makes a value of the standard library again."""
    if kind.__module__ == "datetime":
        return _moment(value, kind)
    if kind is fractions.Fraction:
        return [value.numerator, value.denominator]
    if kind in (range, slice):
        return [value.start, value.stop, value.step]
    if kind in (decimal.Decimal, uuid.UUID) or kind.__module__.split(".")[0] in ("pathlib", "zoneinfo"):
        return [str(value)]
    if kind is types.TracebackType:
        return []
    if kind is re.Pattern:
        return [value.pattern, int(value.flags)]
    return [list(value), value.maxlen] if kind is collections.deque else None


def _moment(value: Any, kind: type) -> list[Any] | None:
    if kind is datetime.date:
        return [value.year, value.month, value.day]
    if kind is datetime.datetime:
        clock = [value.hour, value.minute, value.second, value.microsecond, value.tzinfo]
        return [value.year, value.month, value.day] + clock
    if kind is datetime.time:
        return [value.hour, value.minute, value.second, value.microsecond, value.tzinfo]
    if kind is datetime.timedelta:
        return [value.days, value.seconds, value.microseconds]
    return [value.utcoffset(None)] if kind is datetime.timezone else None


def _plain(value: Any, base: type) -> Any:
    """The builtin inside a subclass, read with the builtin's own methods."""
    if base in (int, float):
        return base.__int__(value) if base is int else float.__float__(value)
    if base is complex:
        return complex.__add__(value, 0j)
    if base is str:
        return str.__str__(value)
    if base is dict:
        return dict(_methods_of(type(value), dict).items(value))
    return base(base.__iter__(value))  # type: ignore[attr-defined]


def _methods_of(kind: Any, base: type) -> Any:
    """Whose methods read and fill a container: an OrderedDict keeps its order beside the dictionary in it."""
    return collections.OrderedDict if issubclass(kind, collections.OrderedDict) else base


def _own(kind: type, base: type) -> dict[str, str]:
    """Comparison methods that are not the builtin's, and the class that has them."""
    own = {}
    for name in COMPARISONS:
        owner = next((cls for cls in kind.__mro__ if name in cls.__dict__), object)
        if owner not in (base, object):
            own[name] = type_name(owner)
    return own


def _reference(value: Any) -> Tagged:
    name = "%s:%s" % (getattr(value, "__module__", None) or "builtins", value.__qualname__)
    try:
        found = find(name)
    except Exception:
        found = None
    return ["ref", name] if found is value else ["opaque", type_name(type(value)), name]


def find(name: str) -> Any:
    """The class or function `module:qualified.name`."""
    module, _, path = name.partition(":")
    found: Any = HELPERS[module]() if module in HELPERS else importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


class CannotBuild(Exception):
    """A description that no value can be made of."""


_UNBUILT = frozenset(("opaque", "cut", "iter"))
_CONTAINERS: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


def build(tagged: Tagged, resolve: Callable[[str], Any] = find) -> Any:
    """The value of a description. Raises CannotBuild, and whatever constructors of the project raise."""
    tag = tagged[0]
    if tag in _UNBUILT:
        raise CannotBuild(tag)
    if tag in ("none", "ellipsis"):
        return None if tag == "none" else Ellipsis
    if tag in ("bool", "str"):
        return tagged[1]
    if tag == "int":
        return int(tagged[1], 16)
    if tag == "float":
        return float.fromhex(tagged[1])
    if tag == "complex":
        return complex(float.fromhex(tagged[1]), float.fromhex(tagged[2]))
    if tag in ("bytes", "bytearray"):
        return bytes.fromhex(tagged[1]) if tag == "bytes" else bytearray.fromhex(tagged[1])
    if tag in _CONTAINERS:
        return _CONTAINERS[tag](build(item, resolve) for item in tagged[1])
    if tag == "dict":
        return {build(key, resolve): build(item, resolve) for key, item in tagged[1]}
    return _build_typed(tagged, resolve)


def _build_code(tagged: Tagged, resolve: Callable[[str], Any]) -> Any:
    """Only where code of the project runs anyway: the gate itself never loads any."""
    if resolve is not find:
        raise CannotBuild("code")
    code = marshal.loads(bytes.fromhex(tagged[2]))
    cells = tuple(types.CellType(build(item, resolve)) for item in tagged[4].values())
    defaults = tuple(build(item, resolve) for item in tagged[3])
    return types.FunctionType(code, {"__builtins__": builtins}, tagged[1], defaults, cells)


def _traceback() -> Any:
    try:
        raise LookupError
    except LookupError as error:
        return error.__traceback__


def _build_typed(tagged: Tagged, resolve: Callable[[str], Any]) -> Any:
    if tagged[0] == "code":
        return _build_code(tagged, resolve)
    if tagged[1] == "builtins:traceback":
        return _traceback()
    tag, kind = tagged[0], resolve("re:compile" if tagged[1] == "re:Pattern" else tagged[1])
    if tag == "ref":
        return kind
    if tag == "std":
        return kind(*[build(argument, resolve) for argument in tagged[2]])
    if tag == "enum":
        return kind[tagged[2]]
    if tag == "sub":
        return _build_sub(kind, build(tagged[2], resolve), tagged[4], resolve)
    if tag == "object":
        return _build_object(kind, tagged[2], tagged[3], resolve)
    raise CannotBuild(str(tag))


def _build_sub(kind: Any, plain: Any, fields: dict[str, Tagged], resolve: Callable[[str], Any]) -> Any:
    base: Any = type(plain)
    if kind.__module__ == "numpy":
        return kind(plain)
    if base in (list, set, dict):
        value = kind.__new__(kind)
        (base.extend if base is list else _methods_of(kind, base).update)(value, plain)
    else:
        value = base.__new__(kind, plain)
    _set(value, fields, resolve)
    return value


def _build_object(kind: Any, fields: dict[str, Tagged], made: Any, resolve: Callable[[str], Any]) -> Any:
    """By its constructor where that was seen, so that a patched constructor counts; otherwise by its fields."""
    if made is not None:
        arguments, named, later = made
        value = kind(
            *[build(argument, resolve) for argument in arguments],
            **{name: build(item, resolve) for name, item in named.items()},
        )
        _set(value, later, resolve)
        return value
    if "__dataclass_fields__" in vars(kind):
        starts = {field.name for field in dataclasses.fields(kind) if field.init}
        if starts <= set(fields):
            value = kind(**{name: build(fields[name], resolve) for name in starts})
            _set(value, {name: item for name, item in fields.items() if name not in starts}, resolve)
            return value
    value = kind.__new__(kind)
    _set(value, fields, resolve)
    return value


def _set(value: Any, fields: dict[str, Tagged], resolve: Callable[[str], Any]) -> None:
    for name, item in fields.items():
        object.__setattr__(value, name, build(item, resolve))
