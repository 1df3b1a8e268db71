"""Reads what the box says: a hostile project may have written every byte of it, so each candidate is checked."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.engines.contract import Workbench
from bot.engines.search.cause import root_cause
from bot.engines.search.pack import editable_paths
from bot.nouns import Candidate, Failure, Patch

LINE_BYTES = 1024 * 1024
MOST_ADDED_BYTES = 8 * 1024

Offset = Annotated[int, Field(ge=0, le=64 * 1024 * 1024)]
Edit = tuple[Offset, Offset, Annotated[str, Field(max_length=MOST_ADDED_BYTES)]]


class FileEdits(BaseModel):
    """Edits of one file."""

    model_config = ConfigDict(strict=False, extra="ignore")

    path: Annotated[str, Field(max_length=4096)]
    edits: Annotated[list[Edit], Field(min_length=1, max_length=200)]


class Claim(FileEdits):
    """One candidate as the box describes it."""

    also: Annotated[list[FileEdits], Field(max_length=4)] = []
    """Further files, when it changes two places that are not in one."""
    operator: Annotated[str, Field(max_length=60, pattern=r"^[a-z-]+$")]
    line: Annotated[int, Field(ge=0, le=10**7)]
    function: Annotated[str, Field(max_length=200)] = ""
    what: Annotated[str, Field(max_length=400)] = ""
    fault: Annotated[str, Field(max_length=400)] = ""


class Messages:
    """Cuts the report into JSON objects; lines that are too long or are no objects are dropped."""

    def __init__(self) -> None:
        self._rest = b""
        self._skipping = False

    def feed(self, chunk: bytes) -> list[dict[str, Any]]:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        found = []
        for line in lines:
            message = None if self._skipping or len(line) > LINE_BYTES else _object(line)
            self._skipping = False
            if message is not None:
                found.append(message)
        if len(self._rest) > LINE_BYTES:
            self._rest, self._skipping = b"", True
        return found


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def candidate_from(raw: object, failure: Failure, workbench: Workbench) -> Candidate | None:
    """The candidate that a claim amounts to, made from the pristine bytes; None when it may not be made."""
    try:
        claim = Claim.model_validate(raw)
    except ValidationError:
        return None
    patch = _patch([claim, *claim.also], workbench)
    if patch is None:
        return None
    return Candidate(
        patch=patch,
        engine="search",
        operator=claim.operator,
        root_cause=root_cause(
            failure,
            what=claim.what,
            fault=claim.fault,
            function=claim.function,
            path=claim.path,
            line=claim.line,
        ),
        path=claim.path,
        line=claim.line,
    )


def _patch(claims: list[FileEdits], workbench: Workbench) -> Patch | None:
    """The files as they would be; None when one may not be touched, or would stay as it is."""
    editable = editable_paths(workbench)
    files: dict[str, bytes | None] = {}
    for claim in claims:
        if claim.path not in editable or claim.path in files:
            return None
        pristine = workbench.tree[claim.path].data
        data = spliced(pristine, claim.edits)
        if data is None or data == pristine:
            return None
        files[claim.path] = data
    return Patch(files)


def spliced(pristine: bytes, edits: list[Edit]) -> bytes | None:
    """The bytes with the edits made; None when they overlap, leave the file, add too much or are no text."""
    pieces: list[bytes] = []
    at = added = 0
    for start, end, text in sorted(edits):
        if start < at or end < start or end > len(pristine):
            return None
        try:
            new = text.encode("utf-8")
        except UnicodeEncodeError:
            return None
        added += len(new)
        pieces += [pristine[at:start], new]
        at = end
    return None if added > MOST_ADDED_BYTES else b"".join([*pieces, pristine[at:]])
