"""Configs and their fields."""

from __future__ import annotations

import copy
import difflib
import typing
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from plinth.convert import convert
from plinth.errors import BadConfig, PlinthError, Problem, Unconvertible

_MISSING: Any = object()
HIDDEN = "******"
Self = TypeVar("Self", bound="Config")


@dataclass(frozen=True)
class Field:
    """What is known of a field besides its name and kind."""

    default: Any = _MISSING
    low: Any = None
    high: Any = None
    help: str = ""
    was: str = ""
    secret: bool = False

    @property
    def required(self) -> bool:
        return self.default is _MISSING

    def checked(self, value: Any) -> Any:
        """Return the value. Raises Unconvertible outside of the bounds."""
        if value is not None and self.low is not None and value < self.low:
            raise Unconvertible(f"{value!r} is less than {self.low!r}")
        if value is not None and self.high is not None and value > self.high:
            raise Unconvertible(f"{value!r} is more than {self.high!r}")
        return value


def field(default: Any = _MISSING, **options: Any) -> Any:
    """A field with more than a default; without one the field is required."""
    return Field(default, **options)


class Config:
    """Base of all configs."""

    fields: ClassVar[dict[str, Field]] = {}
    _kinds: ClassVar[dict[str, Any] | None] = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        fields: dict[str, Field] = {}
        for base in reversed(cls.__mro__):
            for name in base.__dict__.get("__annotations__", {}):
                if name.startswith("_") or base is Config:
                    continue
                given = base.__dict__.get(name, _MISSING)
                fields[name] = given if isinstance(given, Field) else Field(given)
            for name, given in base.__dict__.items():
                if name in fields and name not in base.__dict__.get("__annotations__", {}):
                    fields[name] = given if isinstance(given, Field) else _with_default(fields[name], given)
        cls.fields = fields
        cls._kinds = None

    def __init__(self, **values: Any) -> None:
        found, problems = self._converted(values)
        if problems:
            raise BadConfig(problems)
        self.__dict__.update(found)

    @classmethod
    def kinds(cls) -> dict[str, Any]:
        """Return the annotations, worked out when they are first needed: classes below may stand below in the file."""
        if cls._kinds is None:
            cls._kinds = typing.get_type_hints(cls)
        return cls._kinds

    @classmethod
    def from_dict(cls: type[Self], values: dict[str, Any]) -> Self:
        return cls(**values)

    def to_dict(self, secrets: bool = False) -> dict[str, Any]:
        """Return plain values, nested configs as dicts."""
        return {
            name: HIDDEN if one.secret and not secrets else _plain(getattr(self, name), secrets) for name, one in self.fields.items()
        }

    def with_(self: Self, **changes: Any) -> Self:
        """Return a changed copy, checked as a new one is."""
        return type(self)(**{**{name: getattr(self, name) for name in self.fields}, **changes})

    def __setattr__(self, name: str, value: Any) -> None:
        raise PlinthError(f"a config is frozen; with_({name}=...) gives a changed copy")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *(_hashable(getattr(self, name)) for name in self.fields)))

    def __repr__(self) -> str:
        shown = (f"{name}={HIDDEN if one.secret else repr(getattr(self, name))}" for name, one in self.fields.items())
        return f"{type(self).__name__}({', '.join(shown)})"

    @classmethod
    def _converted(cls, values: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
        given, problems = cls._renamed(values)
        found = {}
        for name, one in cls.fields.items():
            if name not in given and one.required:
                problems.append(Problem(name, "is missing"))
            elif name not in given:
                found[name] = copy.deepcopy(one.default)
            else:
                try:
                    found[name] = one.checked(convert(given[name], cls.kinds()[name]))
                except Unconvertible as error:
                    problems.append(Problem(name, "cannot be read" if one.secret else str(error)))
                except BadConfig as error:
                    problems.extend(problem.below(name) for problem in error.problems)
        return found, problems

    @classmethod
    def _renamed(cls, values: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
        """Return values under the names of today, and a problem for each name that nobody knows."""
        today = {one.was: name for name, one in cls.fields.items() if one.was}
        found, problems = {}, []
        for name, value in values.items():
            if name in cls.fields:
                found[name] = value
            elif name in today:
                warnings.warn(f"{name} is called {today[name]} now", DeprecationWarning, stacklevel=5)
                found.setdefault(today[name], value)
            else:
                problems.append(Problem(name, f"is unknown{_nearest(name, cls.fields)}"))
        return found, problems


def _with_default(one: Field, default: Any) -> Field:
    return Field(default, one.low, one.high, one.help, one.was, one.secret)


def _nearest(name: str, known: dict[str, Field]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; is {near[0]} meant?" if near else ""


def _plain(value: Any, secrets: bool) -> Any:
    if isinstance(value, Config):
        return value.to_dict(secrets)
    if isinstance(value, list):
        return [_plain(one, secrets) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one, secrets) for name, one in value.items()}
    return value


def _hashable(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    if isinstance(value, dict):
        return frozenset((name, _hashable(one)) for name, one in value.items())
    return value
