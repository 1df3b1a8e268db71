"""What a language model is to this engine: one question with tools in, one complete answer out, or a named fault."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class Text:
    """Words."""

    text: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True)
class Thought:
    """A block that only its provider understands; it goes back unchanged. `data` is its JSON."""

    data: str
    kind: Literal["thought"] = "thought"


@dataclass(frozen=True)
class Call:
    """A tool that the model wants to be run. `arguments` is None where what it wrote is not a JSON object."""

    id: str
    name: str
    arguments: dict[str, Any] | None
    signature: str = ""
    """What a provider wants to have back with the call."""
    kind: Literal["call"] = "call"


@dataclass(frozen=True)
class Answered:
    """What a tool answered to one call."""

    call_id: str
    name: str
    text: str
    error: bool = False
    kind: Literal["answered"] = "answered"


Block = Text | Thought | Call | Answered


@dataclass(frozen=True)
class Message:
    """One turn of the conversation. Answers to calls stand first in a user's message."""

    role: Literal["user", "assistant"]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Usage:
    """Tokens of one request. `known` is False where the provider did not say: then they are estimated."""

    input: int = 0
    """Input that was neither read from nor written to a cache."""
    cache_write: int = 0
    cache_read: int = 0
    output: int = 0
    known: bool = True

    @property
    def all_input(self) -> int:
        return self.input + self.cache_write + self.cache_read

    @property
    def total(self) -> int:
        return self.all_input + self.output


@dataclass(frozen=True)
class ToolSpec:
    """A tool as a model is told of it."""

    name: str
    about: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Ask:
    """One request. Equal parts of two requests are equal bytes on the wire, so that a cache can be used."""

    system: str
    tools: tuple[ToolSpec, ...]
    messages: tuple[Message, ...]
    max_tokens: int
    previous: str = ""
    """Id of the answer before this one, for a provider that explains why its cache was missed."""


Stop = Literal["tools", "end", "length", "refusal", "too-long", "paused"]


@dataclass(frozen=True)
class Turn:
    """A complete answer. A stream that ended early is never a Turn."""

    blocks: tuple[Block, ...]
    stop: Stop
    usage: Usage
    id: str = ""
    detail: str = ""
    """Why it was refused, or why the cache was missed, where the provider says so."""

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Call))


class ModelFault(Exception):
    """There is no answer. `kind` is one word; `usage` is what was paid for all the same."""

    retryable = False

    def __init__(self, kind: str, text: str, *, after_s: float | None = None, usage: Usage | None = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.after_s = after_s
        self.usage = usage or Usage()


class Busy(ModelFault):
    """Overload, limits, cut or silent streams: the same request may succeed later."""

    retryable = True


class Broken(ModelFault):
    """The same request will never succeed: key, money, name of the model, address, form of the request."""


class TooLong(ModelFault):
    """The conversation does not fit into the model's context."""


class Model(Protocol):
    """A language model. `name` is what the provider calls it; `provider` is the name of the library's file."""

    name: str
    provider: str

    def answer(self, ask: Ask) -> Turn:
        """One complete answer, by one request. Raises Busy, Broken or TooLong, and nothing else."""
        ...

    def count(self, ask: Ask) -> int | None:
        """Input tokens of a request as the provider counts them, None where it does not. Raises as `answer`."""
        ...

    def close(self) -> None:
        """Close the connections that are kept."""
        ...


@dataclass(frozen=True)
class Access:
    """How a provider is reached."""

    key: str = field(repr=False)
    url: str = ""
    """Base address of a compatible server; empty means the provider's own."""
    idle_s: float = 240.0
    """A stream without an event for so long is given up; pings do not count."""


def fault(status: int, kind: str, text: str, *, after_s: float | None = None) -> ModelFault:
    """An HTTP error in our words: `status` as it came, `kind` and `text` as the body named them."""
    said = text[:500]
    lower = f"{kind} {text}".lower()
    if status == 413 or any(words in lower for words in _TOO_LONG):
        return TooLong("too-long", said)
    if "spend_limit" in lower or "insufficient_quota" in lower or status == 402:
        return Broken("spend-limit", said)
    if status in (401, 403) or "authentication_error" in lower or "api key not valid" in lower:
        return Broken("key", said)
    if status == 404:
        return Broken("not-found", said)
    if status in (408, 409, 425, 429) or status >= 500 or (status < 400 and any(words in lower for words in _BUSY)):
        return Busy("busy", said, after_s=after_s)
    return Broken("request", said)


_DEEPEST = 20
_TOO_LONG = (
    "prompt is too long", "context_length_exceeded", "context length", "context window", "exceed_context_size",
    "maximum number of tokens", "request_too_large", "maximum context",
)  # fmt: skip
_BUSY = ("overloaded", "rate_limit", "api_error", "server_error", "timeout", "unavailable", "resource_exhausted")


def arguments(written: str) -> dict[str, Any] | None:
    """Arguments of a call by strict JSON, None where they are no object: lenient readers take half of one for all."""
    try:
        value = clean(json.loads(written))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def clean(value: Any, depth: int = 0) -> Any:
    """JSON data that can be sent back: without lone surrogates. Raises ValueError for absurd nesting."""
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {str(clean(key)): clean(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [clean(inner, depth + 1) for inner in value]
    return value


def seconds(header: str | None) -> float | None:
    """The value of a `retry-after` header, None where there is none that is a number."""
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None
