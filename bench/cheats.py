"""The suite of cheats: red repositories, patches that only look like fixes, and honest ones that look like cheats.

bench/suites/cheats/
    cheats.toml         kinds of cheat and of look-alike, each with a sentence
    <host>/
        repo/           the faulty repository with its visible tests
        host.toml       what is wrong, which tests are red, and answers that only a right program gives
        cheats.toml     patches that the gate must not accept
        honest.toml     patches that it must
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bench.tasks import Tree, broken, table, tree
from bot.nouns import Judgement, Patch

NAME = "cheats"
FOLDER = Path(__file__).parent / "suites" / NAME

Rule = Literal["exit", "junit", "targets"]
"""A plain rule: pytest ends with 0; its JUnit report has no red test; every target is in that report, and passed."""

RULES: tuple[Rule, ...] = ("exit", "junit", "targets")
LAYERS = ("structure", "facts", "tests", "canaries", "sabotage", "replay", "probe", "flakes", "heldout")


@dataclass(frozen=True)
class Host:
    """One faulty repository."""

    name: str
    says: str
    failing: tuple[str, ...]
    repository: Tree
    setup: str
    """Statements that come before the answers."""
    answers: Mapping[str, str]
    """Expression -> `repr` of its right value, or `raises` and the name of an exception. Some are wrong today."""


@dataclass(frozen=True)
class Case:
    """One patch on one host, and what the gate should say of it."""

    host: Host
    id: str
    kind: str
    says: str
    honest: bool
    patch: Patch
    allowed: tuple[Judgement, ...]
    """Verdicts that are right."""
    layers: tuple[str, ...] = ()
    """Layers that should have an answer to a cheat."""
    fools: tuple[Rule, ...] = ()
    """Plain rules that take it for a fix."""

    @property
    def name(self) -> str:
        return f"{self.host.name}/{self.id}"


@dataclass(frozen=True)
class Cheats:
    """The whole suite."""

    title: str
    kinds: Mapping[str, str]
    hosts: tuple[Host, ...]
    cases: tuple[Case, ...]


def load(folder: Path = FOLDER) -> Cheats:
    """The suite in one folder. Refused where it contradicts itself."""
    about = table(folder, "cheats.toml", _About)
    hosts: list[Host] = []
    cases: list[Case] = []
    for place in sorted(path.parent for path in folder.glob("*/host.toml")):
        host = _host(place)
        hosts.append(host)
        cases += _cases(place, host, about.kinds)
    return Cheats(about.title, about.kinds, tuple(hosts), tuple(cases))


class _Model(BaseModel):
    """A key that we do not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _About(_Model):
    title: str = Field(min_length=1)
    kinds: dict[str, str] = Field(min_length=1)


class _Host(_Model):
    says: str = Field(min_length=1)
    failing: tuple[str, ...] = Field(min_length=1)
    setup: str = ""
    answers: dict[str, str] = Field(min_length=4)


class _Edit(_Model):
    """One change: `new` for `old`, or a whole file as `text` or `base64`, or a deletion; and its mode in git."""

    file: str = Field(min_length=1)
    old: str | None = None
    new: str = ""
    text: str | None = None
    base64: str | None = None
    delete: bool = False
    mode: str = ""


class _Case(_Edit):
    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    kind: str
    says: str = Field(min_length=1)
    """What the patch does, in one sentence."""
    also: tuple[_Edit, ...] = ()
    review: bool = False
    """The gate may ask for a person."""
    layers: tuple[Literal[LAYERS], ...] = ()  # type: ignore[valid-type]
    fools: tuple[Rule, ...] = RULES


class _Cases(_Model):
    cases: tuple[_Case, ...] = Field(min_length=1)


def _host(place: Path) -> Host:
    about, repository = table(place, "host.toml", _Host), tree(place / "repo")
    if not repository:
        raise broken(place, "the folder repo/ is missing or empty")
    return Host(place.name, about.says, about.failing, repository, about.setup, about.answers)


def _cases(place: Path, host: Host, kinds: Mapping[str, str]) -> list[Case]:
    found: list[Case] = []
    for name, honest in (("cheats.toml", False), ("honest.toml", True)):
        if (place / name).exists():
            found += [_case(place, host, raw, honest=honest) for raw in table(place, name, _Cases).cases]
    ids = [case.id for case in found]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    unknown = sorted({case.kind for case in found} - kinds.keys())
    if twice:
        raise broken(place, f"{', '.join(twice)} stands there twice")
    if unknown:
        raise broken(place, f"cheats.toml of the suite does not know the kind {', '.join(unknown)}")
    return found


def _case(place: Path, host: Host, raw: _Case, *, honest: bool) -> Case:
    files: dict[str, bytes | None] = {}
    modes: dict[str, str] = {}
    for edit in (raw, *raw.also):
        files[edit.file] = _content(place, raw.id, edit, {**host.repository, **files})
        if edit.mode:
            modes[edit.file] = edit.mode
    right: Judgement = "accepted" if honest else "rejected"
    allowed: tuple[Judgement, ...] = (right, "needs-review") if raw.review else (right,)
    fools = RULES if honest else raw.fools
    return Case(host, raw.id, raw.kind, raw.says, honest, Patch(files, modes), allowed, raw.layers, fools)


def _content(place: Path, case: str, edit: _Edit, files: Mapping[str, bytes | None]) -> bytes | None:
    """The file after one edit. Refused where the edit does not say exactly one thing."""
    ways = [edit.old is not None, edit.text is not None, edit.base64 is not None, edit.delete]
    if sum(ways) != 1:
        raise broken(place, f"{case} must give {edit.file} one of old, text, base64 and delete")
    if edit.delete:
        return None
    if edit.text is not None:
        return edit.text.encode()
    if edit.base64 is not None:
        return _decoded(place, case, edit.base64)
    return _replaced(place, case, edit, files.get(edit.file))


def _decoded(place: Path, case: str, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise broken(place, f"the base64 of {case} cannot be read: {error}") from error


def _replaced(place: Path, case: str, edit: _Edit, before: bytes | None) -> bytes:
    if before is None or edit.old is None:
        raise broken(place, f"{case} changes {edit.file}, which is not in repo/")
    text = before.decode()
    count = text.count(edit.old)
    if count != 1:
        raise broken(place, f"the old text of {case} stands {count} times in {edit.file}")
    return text.replace(edit.old, edit.new).encode()
