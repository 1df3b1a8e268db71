"""Anthropic Messages, and servers that speak it. The only file that imports anthropic."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import anthropic

from bot.engines.agent.models import wire
from bot.engines.agent.models.protocol import (
    Access,
    Answered,
    Ask,
    Block,
    Broken,
    Busy,
    Call,
    Message,
    ModelFault,
    Stop,
    Text,
    Thought,
    ToolSpec,
    Turn,
    Usage,
    arguments,
    clean,
    fault,
    seconds,
)

_STOPS: dict[str, Stop] = {
    "tool_use": "tools", "end_turn": "end", "stop_sequence": "end", "max_tokens": "length", "refusal": "refusal",
    "pause_turn": "paused", "model_context_window_exceeded": "too-long",
}  # fmt: skip
_CACHED = {"type": "ephemeral"}


class AnthropicModel:
    """Streams one answer at a time. The library's own retries are off: it sleeps as long as a server says."""

    provider = "anthropic"

    def __init__(self, name: str, access: Access) -> None:
        self.name = name
        # The library takes credentials and addresses from these, beside the ones that it is given.
        for variable in [variable for variable in os.environ if variable.startswith("ANTHROPIC_")]:
            del os.environ[variable]
        self._line = wire.Line(access.idle_s)
        self._official = not access.url
        # Older servers want the key under its old name, and a version that they know.
        headers = {} if self._official else {"x-api-key": access.key, "anthropic-version": "2023-06-01"}
        self._client = anthropic.Anthropic(
            api_key=access.key, base_url=access.url or None, max_retries=0, http_client=self._line.client,
            default_headers=headers,
        )  # fmt: skip

    def answer(self, ask: Ask) -> Turn:
        body = self._body(ask)
        if self._official and ask.previous:
            body["diagnostics"] = {"previous_message_id": ask.previous}
        heard = _Heard(ask.max_tokens)
        try:
            for event in self._line.read(lambda: self._client.messages.create(stream=True, **body), translated):
                heard.take(event)
        except ModelFault as error:
            error.usage = heard.usage
            raise
        return heard.turn()

    def close(self) -> None:
        self._line.client.close()

    def count(self, ask: Ask) -> int | None:
        body = self._body(ask)
        del body["max_tokens"]
        try:
            return int(self._client.messages.count_tokens(**body).input_tokens)
        except anthropic.NotFoundError:
            return None
        except Exception as error:
            raise translated(error) from error

    def _body(self, ask: Ask) -> dict[str, Any]:
        tools = {"tools": [_tool(tool) for tool in ask.tools]} if ask.tools else {}
        return {
            "model": self.name,
            "max_tokens": ask.max_tokens,
            "system": [{"type": "text", "text": ask.system, "cache_control": _CACHED}],
            "messages": messages(ask.messages),
            **tools,
        }


def messages(conversation: tuple[Message, ...]) -> list[dict[str, Any]]:
    """The conversation as it goes over the wire, with marks up to which the provider may cache it.

    With the mark on the system prompt there are four, which is the most: the task, and the last two questions.
    """
    written = [
        {"role": message.role, "content": [_block(block) for block in message.blocks]} for message in conversation
    ]
    asked = [number for number, message in enumerate(conversation) if message.role == "user"]
    for number in sorted({*asked[:1], *asked[-2:]}):
        content = written[number]["content"]
        assert isinstance(content, list)
        content[-1] = {**content[-1], "cache_control": _CACHED}
    return written


def _tool(tool: ToolSpec) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.about, "input_schema": tool.schema}


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Text():
            return {"type": "text", "text": block.text}
        case Thought():
            thought: dict[str, Any] = json.loads(block.data)
            return thought
        case Call():
            return {"type": "tool_use", "id": block.id, "name": block.name, "input": block.arguments or {}}
        case Answered():
            answer = {"type": "tool_result", "tool_use_id": block.call_id, "content": block.text}
            return {**answer, "is_error": True} if block.error else answer


@dataclass
class _Heard:
    """What a stream has said so far."""

    max_tokens: int
    usage: Usage = field(default_factory=lambda: Usage(known=False))
    stop: str | None = None
    finished: bool = False
    id: str = ""
    detail: str = ""
    blocks: dict[int, dict[str, Any]] = field(default_factory=dict)
    size: int = 0

    def take(self, event: Any) -> None:
        match event.type:
            case "message_start":
                self.id = str(getattr(event.message, "id", "") or "")
                self._diagnosed(event.message)
                self._used(getattr(event.message, "usage", None))
            case "content_block_start":
                self.blocks[event.index] = {**event.content_block.model_dump(exclude_none=True), "_json": ""}
            case "content_block_delta":
                self._more(
                    self.blocks.setdefault(event.index, {"type": "text", "text": "", "_json": ""}), event.delta
                )
            case "message_delta":
                self.stop = event.delta.stop_reason
                details = getattr(event.delta, "stop_details", None)
                self.detail = str(getattr(details, "category", "") or self.detail)
                self._used(getattr(event, "usage", None))
            case "message_stop":
                self.finished = True

    def turn(self) -> Turn:
        stop = _STOPS.get(self.stop or "")
        if not self.finished or stop is None:
            why = "the stream ended early" if self.stop is None else f"unknown stop reason {self.stop!r}"
            raise Busy("cut", why, usage=self.usage)
        blocks = tuple(block for _, raw in sorted(self.blocks.items()) for block in _read(raw))
        if any(isinstance(block, Call) for block in blocks) and stop == "end":
            stop = "tools"  # some compatible servers do not tell the two apart
        return Turn(blocks, stop, self.usage, self.id, self.detail)

    def _more(self, block: dict[str, Any], delta: Any) -> None:
        match delta.type:
            case "text_delta":
                block["text"] = block.get("text", "") + delta.text
                self.size += len(delta.text)
            case "input_json_delta":
                block["_json"] += delta.partial_json
                self.size += len(delta.partial_json)
            case "thinking_delta":
                block["thinking"] = block.get("thinking", "") + delta.thinking
            case "signature_delta":
                block["signature"] = delta.signature
        if self.size > self.max_tokens * 20:
            raise Broken("runaway", "the answer is longer than was allowed, and does not end", usage=self.usage)

    def _used(self, usage: Any) -> None:
        """The latest numbers; what a later event leaves out stays."""
        if usage is None:
            return
        said = {name: getattr(usage, name, None) for name in _USED}
        known = {ours: said[theirs] for theirs, ours in _USED.items() if isinstance(said[theirs], int)}
        before = {name: getattr(self.usage, name) for name in ("input", "cache_write", "cache_read", "output")}
        self.usage = Usage(**{**before, **known}, known=bool(known) or self.usage.known)

    def _diagnosed(self, message: Any) -> None:
        missed = getattr(getattr(message, "diagnostics", None), "cache_miss_reason", None)
        self.detail = str(missed or "")


_USED = {
    "input_tokens": "input", "cache_creation_input_tokens": "cache_write", "cache_read_input_tokens": "cache_read",
    "output_tokens": "output",
}  # fmt: skip


def _read(raw: dict[str, Any]) -> Iterator[Block]:
    written = raw.pop("_json", "")
    match raw.get("type"):
        case "text":
            if str(raw.get("text") or "").strip():  # sent back, a block of blanks alone is an error
                yield Text(clean(str(raw["text"])))
        case "tool_use":
            yield Call(str(raw.get("id", "")), str(raw.get("name", "")), _arguments(written, raw.get("input")))
        case _:
            yield Thought(json.dumps(raw, sort_keys=True))


def _arguments(written: str, whole: object) -> dict[str, Any] | None:
    """What was streamed as text, else what the block began with."""
    return arguments(written or json.dumps(whole))


def translated(error: Exception) -> ModelFault:
    """Any error of the library, or of the line below it, in our words."""
    if isinstance(error, ModelFault):
        return error
    if isinstance(error, anthropic.APIStatusError):
        code = str(getattr(error, "error_code", "") or "")
        kind = f"{getattr(error, 'type', '') or ''} {code}"
        after = seconds(error.response.headers.get("retry-after"))
        return fault(error.status_code, kind, str(error), after_s=after)
    if isinstance(error, anthropic.APIConnectionError) or wire.is_transport(error):
        return Busy("connection", f"{type(error).__name__}: {error}"[:300])
    if isinstance(error, anthropic.APIResponseValidationError):
        return Broken("not-a-model", "the answer is none of the Messages API")
    if isinstance(error, anthropic.AnthropicError):
        return Broken("request", f"{type(error).__name__}: {error}"[:300])
    return Busy("garbled", f"the answer cannot be read: {type(error).__name__}")
