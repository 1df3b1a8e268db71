"""What a repository asks of Regreen, in `.github/regreen.yml` on its default branch. It can tighten, never loosen
what protects it: the shape of a patch and the two test runs are always judged.

The file is data of strangers: it is read without constructors, aliases or repeated keys, and at most 64 KiB of it.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
)

from bot.errors import Refused
from bot.gate.judge import LAYERS, REQUIRED
from bot.gate.layer import Options
from bot.gate.protected import covers, spec

PATH = ".github/regreen.yml"
MAX_BYTES = 64 * 1024
MAX_DEPTH = 8

OPTIONAL = tuple(layer.LAYER for layer in LAYERS if layer.LAYER not in REQUIRED)
"""Layers of the gate that a repository may switch off or make advisory."""


_USUAL = Options()


def _word(value: object) -> object:
    """YAML 1.1 reads `off` and `on` as booleans; here they are words."""
    return {False: "off", True: "on"}.get(value, value) if isinstance(value, bool) else value


def _readable(patterns: tuple[str, ...]) -> tuple[str, ...]:
    spec(patterns)
    return patterns


Patterns = Annotated[
    tuple[Annotated[str, StringConstraints(max_length=300)], ...], Field(max_length=200), AfterValidator(_readable)
]
"""Patterns in the manner of .gitignore."""

Mode = Annotated[Literal["on", "advisory", "off"], BeforeValidator(_word)]


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class _Section(BaseModel):
    """A part of the file: keys are written-with-dashes, and an unknown one is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=_kebab)


class GatePolicy(_Section):
    """How patches to this repository are judged."""

    protect: Patterns = ()
    """More files that no repair may touch, as patterns in the manner of .gitignore."""
    dependencies: bool = False
    """A repair may change requirements and dependency tables; the patch is then judged with what it asks for
    installed, and needs a person's review."""
    max_files: int = Field(default=_USUAL.max_files, ge=1, le=50)
    """A patch that changes more files is refused."""
    max_lines: int = Field(default=_USUAL.max_changed_lines, ge=1, le=2000)
    """A patch that changes more lines is refused."""
    repeats: int = Field(default=_USUAL.repeats, ge=2, le=10)
    """How often the suite must give the same green result."""
    layers: Mapping[str, Mode] = Field(default_factory=dict)
    """Layer -> on, advisory (what it finds asks for a review) or off."""

    @field_validator("protect")
    @classmethod
    def _only_more(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(pattern.startswith("!") for pattern in value):
            raise ValueError("a pattern cannot begin with '!': what is protected stays protected")
        return value

    @field_validator("layers")
    @classmethod
    def _known(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        for name in value:
            if name in REQUIRED:
                raise ValueError(f"the layer {name!r} cannot be switched: without it nothing is proven")
            if name not in OPTIONAL:
                raise ValueError(f"there is no layer {name!r}. {_nearest(name, OPTIONAL)}")
        return value

    def options(self) -> Options:
        """The same for the gate."""
        return Options(
            off=frozenset(name for name, mode in self.layers.items() if mode == "off"),
            advisory=frozenset(name for name, mode in self.layers.items() if mode == "advisory"),
            protected=self.protect,
            dependencies=self.dependencies,
            max_files=self.max_files,
            max_changed_lines=self.max_lines,
            repeats=self.repeats,
        )


class TriggerPolicy(_Section):
    """What starts a repair in this repository."""

    checks: bool = True
    """A red check starts one by itself."""
    branches: Patterns = ()
    """Branches whose red checks do, as patterns in the manner of .gitignore; empty means all."""
    drafts: bool = False
    """Red checks of draft pull requests do, too."""
    bots: bool = True
    """Red checks of pull requests that a bot opened do, too."""
    attempts: int = Field(default=3, ge=1, le=20)
    """How often one pull request is tried without a person asking."""
    label: str = Field(default="regreen", min_length=1, max_length=50)
    """The label on an issue that asks for a repair of the default branch."""
    labels: bool = True
    """The label does."""
    commands: bool = True
    """`/regreen` comments and buttons do."""

    def covers(self, branch: str) -> bool:
        """Whether red checks on this branch start a repair."""
        return not self.branches or covers(self.branches, branch)


class PublishPolicy(_Section):
    """What becomes of a verified patch."""

    mode: Literal["pull-request", "commit", "suggestions"] = "pull-request"
    """Where the fix of a pull request goes: into one against its branch, onto that branch, or into suggestions on its
    lines. Where the latter two cannot be, the first is; forks get suggestions, or the patch in a comment."""
    draft: bool = False
    """Pull requests of Regreen are drafts, where the repository may have any."""


class Policy(_Section):
    """The whole file. An absent or empty file is the default of everything."""

    gate: GatePolicy = GatePolicy()
    triggers: TriggerPolicy = TriggerPolicy()
    publish: PublishPolicy = PublishPolicy()


def read(data: bytes | None) -> Policy:
    """The policy in the bytes of the file; None where there is none. Refused with line or key, and a remedy."""
    if data is None:
        return Policy()
    document = _document(data)
    if document is None:
        return Policy()
    if not isinstance(document, dict):
        raise _refused("it holds no mapping", "Begin with a section, such as `gate:`.")
    try:
        return Policy.model_validate(document)
    except ValidationError as error:
        raise _explained(error) from error


def _document(data: bytes) -> Any:
    if len(data) > MAX_BYTES:
        raise _refused(f"it has {len(data)} bytes", f"Keep it below {MAX_BYTES}.")
    try:
        return yaml.load(data.decode(), _Loader)  # noqa: S506 - _Loader is the safe one, and stricter
    except UnicodeDecodeError as error:
        raise _refused("it is not UTF-8 text", "Save it as UTF-8.") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}: " if mark else ""
        raise _refused(f"{where}{error.problem}", "Correct that line.") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _refused(f"it cannot be read as YAML ({type(error).__name__})", "Correct it.") from error


class _Loader(yaml.SafeLoader):
    """Plain YAML data; no aliases (they can grow without bound), no repeated keys (the last would win unseen)."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise self._mistake("aliases are not read here")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._mistake("it is nested too deeply")
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def _mistake(self, problem: str) -> yaml.MarkedYAMLError:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        return yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key must be a word", problem_mark=key.start_mark)
            if key.value in seen:
                problem = f"the key {key.value!r} stands there twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _explained(error: ValidationError) -> Refused:
    """The first mistake, by its place in the file."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        *sections, key = (str(part) for part in first["loc"])
        return _refused(f"there is no key {key!r}{_under(sections)}", _nearest(key, _keys(sections)))
    said = str(first["msg"]).removeprefix("Value error, ")
    return _refused(f"{place}: {said[:1].lower()}{said[1:]}", "Correct or remove it.")


def _under(sections: list[str]) -> str:
    return f" under {'.'.join(sections)!r}" if sections else ""


def _keys(sections: list[str]) -> list[str]:
    """Keys that are known at one place of the file."""
    model: Any = Policy
    for section in sections:
        model = model.model_fields[section.replace("-", "_")].annotation
    return [_kebab(name) for name in model.model_fields]


def _nearest(word: str, known: tuple[str, ...] | list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(known)}."


def _refused(cause: str, remedy: str) -> Refused:
    return Refused(f"{PATH} cannot be used: {cause.rstrip('.')}.", remedy)
