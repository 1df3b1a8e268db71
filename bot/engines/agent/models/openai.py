"""Chat completions of OpenAI, and of the many servers that speak them. The only file that imports openai."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import openai

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
    Turn,
    Usage,
    arguments,
    clean,
    fault,
    seconds,
)

_STOPS: dict[str, Stop] = {
    "tool_calls": "tools", "function_call": "tools", "stop": "end", "length": "length", "content_filter": "refusal",
}  # fmt: skip


class OpenAIModel:
    """Streams one answer at a time; the library's own retries are off."""

    provider = "openai"

    def __init__(self, name: str, access: Access) -> None:
        self.name = name
        self._line = wire.Line(access.idle_s)
        self._official = not access.url
        self._client = openai.OpenAI(
            api_key=access.key or "none", base_url=access.url or "https://api.openai.com/v1", max_retries=0,
            http_client=self._line.client,
        )  # fmt: skip

    def answer(self, ask: Ask) -> Turn:
        heard = _Heard(ask.max_tokens)
        limit = "max_completion_tokens" if self._official else "max_tokens"
        body: dict[str, Any] = {
            "model": self.name,
            limit: ask.max_tokens,
            "messages": messages(ask),
            "stream_options": {"include_usage": True},
        }
        if ask.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.about, "parameters": tool.schema},
                }
                for tool in ask.tools
            ]
        try:
            start = lambda: self._client.chat.completions.create(stream=True, **body)  # noqa: E731
            for chunk in self._line.read(start, translated):
                heard.take(chunk)
        except ModelFault as error:
            error.usage = heard.usage
            raise
        return heard.turn()

    def close(self) -> None:
        self._line.client.close()

    def count(self, ask: Ask) -> int | None:  # noqa: ARG002 - this protocol has no such question
        return None


def messages(ask: Ask) -> list[dict[str, Any]]:
    """The conversation as it goes over the wire."""
    written: list[dict[str, Any]] = [{"role": "system", "content": ask.system}]
    for message in ask.messages:
        written += _written(message)
    return written


def _written(message: Message) -> Iterator[dict[str, Any]]:
    """One of our messages; each answer of a tool is a message of its own here."""
    text = "\n\n".join(block.text for block in message.blocks if isinstance(block, Text))
    calls = [block for block in message.blocks if isinstance(block, Call)]
    for block in message.blocks:
        if isinstance(block, Answered):
            yield {"role": "tool", "tool_call_id": block.call_id, "content": block.text}
    if message.role == "user":
        if text:
            yield {"role": "user", "content": text}
        return
    said: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        said["tool_calls"] = [
            {"id": call.id, "type": "function",
             "function": {"name": call.name, "arguments": json.dumps(call.arguments or {}, sort_keys=True)}}
            for call in calls
        ]  # fmt: skip
    if text or calls:
        yield said


@dataclass
class _Heard:
    """What a stream has said so far."""

    max_tokens: int
    usage: Usage = field(default_factory=lambda: Usage(known=False))
    stop: str | None = None
    id: str = ""
    text: str = ""
    refusal: str = ""
    calls: dict[int, dict[str, str]] = field(default_factory=dict)
    size: int = 0

    def take(self, chunk: Any) -> None:
        if not hasattr(chunk, "choices"):
            raise Busy("garbled", "the answer is no chat completion", usage=self.usage)
        self.id = self.id or str(getattr(chunk, "id", "") or "")
        self._used(getattr(chunk, "usage", None))
        for choice in chunk.choices or ():
            self.stop = choice.finish_reason or self.stop
            if choice.delta is not None:
                self._more(choice.delta)

    def turn(self) -> Turn:
        stop = _STOPS.get(self.stop or "")
        if stop is None:
            why = "the stream ended early" if self.stop is None else f"unknown finish reason {self.stop!r}"
            raise Busy("cut", why, usage=self.usage)
        text: list[Block] = [Text(clean(self.text))] if self.text else []
        calls: list[Block] = [
            Call(raw["id"] or f"call-{number}", raw["name"], arguments(raw["arguments"] or "{}"))
            for number, raw in sorted(self.calls.items())
        ]
        if calls and stop == "end":
            stop = "tools"
        if self.refusal and not text and not calls:
            stop = "refusal"
        return Turn((*text, *calls), stop, self.usage, self.id, self.refusal[:200])

    def _more(self, delta: Any) -> None:
        self.text += delta.content or ""
        self.refusal += getattr(delta, "refusal", None) or ""
        self.size += len(delta.content or "")
        for part in delta.tool_calls or ():
            known = self.calls.setdefault(part.index or 0, {"id": "", "name": "", "arguments": ""})
            known["id"] = known["id"] or part.id or ""
            if part.function is not None:
                known["name"] += part.function.name or ""
                known["arguments"] += part.function.arguments or ""
                self.size += len(part.function.arguments or "")
        if self.size > self.max_tokens * 20:
            raise Broken("runaway", "the answer is longer than was allowed, and does not end", usage=self.usage)

    def _used(self, usage: Any) -> None:
        if usage is None:
            return
        cached = getattr(getattr(usage, "prompt_tokens_details", None), "cached_tokens", None) or 0
        prompt = usage.prompt_tokens or 0
        self.usage = Usage(max(0, prompt - cached), 0, cached, usage.completion_tokens or 0)


def translated(error: Exception) -> ModelFault:
    """Any error of the library, or of the line below it, in our words."""
    if isinstance(error, ModelFault):
        return error
    if isinstance(error, openai.APIStatusError):
        kind = f"{getattr(error, 'type', '') or ''} {getattr(error, 'code', '') or ''}"
        return fault(error.status_code, kind, str(error), after_s=seconds(error.response.headers.get("retry-after")))
    if isinstance(error, openai.APIConnectionError) or wire.is_transport(error):
        return Busy("connection", f"{type(error).__name__}: {error}"[:300])
    if isinstance(error, openai.APIResponseValidationError):
        return Broken("not-a-model", "the answer is none of the chat completions API")
    if isinstance(error, openai.APIError):  # an error in the middle of a stream has no status
        return fault(200, f"{getattr(error, 'type', '')} {getattr(error, 'code', '')}", str(error))
    if isinstance(error, openai.OpenAIError):
        return Broken("request", f"{type(error).__name__}: {error}"[:300])
    return Busy("garbled", f"the answer cannot be read: {type(error).__name__}")
