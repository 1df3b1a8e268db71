"""What a tool is: its name, what it takes, what it does; and how a model's arguments are checked before it runs."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["string", "integer", "boolean", "strings"]
_TYPES: dict[Kind, type] = {"string": str, "integer": int, "boolean": bool, "strings": list}


@dataclass(frozen=True)
class Param:
    """One argument of a tool. `example` is shown when it is missing or wrong."""

    name: str
    kind: Kind
    about: str
    example: Any
    required: bool = True


@dataclass(frozen=True)
class Said:
    """A tool's answer: our own words, then text of others that has to be fenced."""

    note: str
    data: str = ""
    source: str = ""
    """What the data is, as the fence names it."""
    error: str = ""
    """Kind of error, empty where there is none."""


@dataclass(frozen=True)
class Tool:
    """A tool. `run` gets checked arguments; it answers, and never raises for what a model can do wrong."""

    name: str
    about: str
    params: tuple[Param, ...]
    run: Callable[[Mapping[str, Any]], Said] = field(compare=False)

    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments, in an order that never changes."""
        kinds: dict[Kind, dict[str, Any]] = {
            "string": {"type": "string"}, "integer": {"type": "integer"}, "boolean": {"type": "boolean"},
            "strings": {"type": "array", "items": {"type": "string"}},
        }  # fmt: skip
        return {
            "type": "object",
            "properties": {param.name: {**kinds[param.kind], "description": param.about} for param in self.params},
            "required": [param.name for param in self.params if param.required],
            "additionalProperties": False,
        }

    def call(self, arguments: object) -> Said:
        """Check the arguments, then run."""
        wrong = self._wrong(arguments)
        if wrong:
            return Said(f"{wrong} Example: {self._example()}. Nothing was done.", error="arguments")
        assert isinstance(arguments, dict)
        return self.run(arguments)

    def _wrong(self, arguments: object) -> str:
        """What is wrong with the arguments, empty where nothing is."""
        if not isinstance(arguments, dict):
            return f"The arguments of {self.name} are no JSON object."
        names = {param.name: param for param in self.params}
        for name in arguments:
            if name not in names:
                near = difflib.get_close_matches(str(name), names, n=1)
                return f"{self.name} has no argument {str(name)[:40]!r}." + (
                    f" Did you mean {near[0]!r}?" if near else ""
                )
        for param in self.params:
            if param.name not in arguments:
                if param.required:
                    return f"The argument {param.name!r} of {self.name} is missing."
                continue
            if not _fits(arguments[param.name], param.kind):
                kind = (
                    "a list of strings"
                    if param.kind == "strings"
                    else f"{'an' if param.kind == 'integer' else 'a'} {param.kind}"
                )
                return f"The argument {param.name!r} of {self.name} has to be {kind}."
        return ""

    def _example(self) -> str:
        return json.dumps({param.name: param.example for param in self.params if param.required})


def _fits(value: object, kind: Kind) -> bool:
    if kind == "integer" and isinstance(value, bool):
        return False
    if not isinstance(value, _TYPES[kind]):
        return False
    return kind != "strings" or (isinstance(value, list) and all(isinstance(part, str) for part in value))
