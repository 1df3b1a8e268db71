"""Gemini through google-genai. The only file that imports it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from google import genai
from google.genai import errors, types

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
    Turn,
    Usage,
    arguments,
    clean,
    fault,
    seconds,
)

_STOPS: dict[str, Stop] = {
    "STOP": "end", "MAX_TOKENS": "length", "SAFETY": "refusal", "RECITATION": "refusal", "BLOCKLIST": "refusal",
    "PROHIBITED_CONTENT": "refusal", "SPII": "refusal",
}  # fmt: skip


class GeminiModel:
    """Streams one answer at a time; the library's own retries are off."""

    provider = "gemini"

    def __init__(self, name: str, access: Access) -> None:
        self.name = name
        self._line = wire.Line(access.idle_s)
        options = types.HttpOptions(
            base_url=access.url or None, httpx_client=self._line.client, timeout=int(access.idle_s * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
        )  # fmt: skip
        self._client = genai.Client(api_key=access.key or "none", http_options=options, vertexai=False)

    def answer(self, ask: Ask) -> Turn:
        heard = _Heard(ask.max_tokens)
        contents, config = _contents(ask.messages), _config(ask)
        try:
            start = lambda: self._client.models.generate_content_stream(  # noqa: E731
                model=self.name, contents=contents, config=config
            )
            for chunk in self._line.read(start, translated):
                heard.take(chunk)
        except ModelFault as error:
            error.usage = heard.usage
            raise
        return heard.turn()

    def close(self) -> None:
        self._line.client.close()

    def count(self, ask: Ask) -> int | None:
        try:
            counted = self._client.models.count_tokens(model=self.name, contents=_contents(ask.messages))
        except Exception as error:
            found = translated(error)
            if found.kind == "not-found":
                return None
            raise found from error
        return counted.total_tokens


def _config(ask: Ask) -> types.GenerateContentConfig:
    declared = [
        types.FunctionDeclaration(name=tool.name, description=tool.about, parameters_json_schema=dict(tool.schema))
        for tool in ask.tools
    ]
    return types.GenerateContentConfig(
        system_instruction=ask.system,
        max_output_tokens=ask.max_tokens,
        tools=[types.Tool(function_declarations=declared)] if declared else None,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )


def _contents(conversation: tuple[Message, ...]) -> list[Any]:
    return [
        types.Content(
            role="model" if message.role == "assistant" else "user", parts=[_part(block) for block in message.blocks]
        )
        for message in conversation
    ]


def _part(block: Block) -> types.Part:
    match block:
        case Text():
            return types.Part(text=block.text)
        case Thought():
            return types.Part.model_validate_json(block.data)
        case Call():
            call = types.FunctionCall(id=block.id or None, name=block.name, args=block.arguments or {})
            signature = base64.b64decode(block.signature) if block.signature else None
            return types.Part(function_call=call, thought_signature=signature)
        case Answered():
            said = {"error" if block.error else "output": block.text}
            return types.Part(
                function_response=types.FunctionResponse(id=block.call_id, name=block.name, response=said)
            )


@dataclass
class _Heard:
    """What a stream has said so far."""

    max_tokens: int
    usage: Usage = field(default_factory=lambda: Usage(known=False))
    stop: str | None = None
    blocks: list[Block] = field(default_factory=list)
    id: str = ""
    size: int = 0
    blocked: str = ""

    def take(self, chunk: Any) -> None:
        self.id = self.id or str(chunk.response_id or "")
        self._used(chunk.usage_metadata)
        if chunk.prompt_feedback is not None and chunk.prompt_feedback.block_reason is not None:
            self.blocked = str(chunk.prompt_feedback.block_reason.value)
        for candidate in chunk.candidates or ():
            if candidate.finish_reason is not None:
                self.stop = str(getattr(candidate.finish_reason, "value", candidate.finish_reason))
            for part in (candidate.content.parts if candidate.content else None) or ():
                self._more(part)

    def turn(self) -> Turn:
        if self.blocked and not self.blocks:
            return Turn((), "refusal", self.usage, self.id, self.blocked)
        if self.stop == "MALFORMED_FUNCTION_CALL":
            return Turn((*self.blocks, Call("call-bad", "unknown", None)), "tools", self.usage, self.id)
        stop = _STOPS.get(self.stop or "")
        if stop is None:
            why = "the stream ended early" if self.stop is None else f"unknown finish reason {self.stop!r}"
            raise Busy("cut", why, usage=self.usage)
        if stop == "end" and any(isinstance(block, Call) for block in self.blocks):
            stop = "tools"
        return Turn(tuple(self._merged()), stop, self.usage, self.id, self.stop or "")

    def _more(self, part: types.Part) -> None:
        if part.function_call is not None:
            call = part.function_call
            signature = base64.b64encode(part.thought_signature).decode() if part.thought_signature else ""
            name = call.id or f"call-{len(self.blocks)}"
            self.blocks.append(Call(name, call.name or "", arguments(json.dumps(call.args or {})), signature))
        elif part.thought:
            self.blocks.append(Thought(part.model_dump_json(exclude_none=True)))
        elif part.text:
            self.blocks.append(Text(clean(part.text)))
            self.size += len(part.text)
        if self.size > self.max_tokens * 20:
            raise Broken("runaway", "the answer is longer than was allowed, and does not end", usage=self.usage)

    def _merged(self) -> Iterator[Block]:
        """Pieces of text that follow one another as one."""
        text = ""
        for block in self.blocks:
            if isinstance(block, Text):
                text += block.text
                continue
            if text:
                yield Text(text)
                text = ""
            yield block
        if text:
            yield Text(text)

    def _used(self, usage: Any) -> None:
        if usage is None or usage.prompt_token_count is None:
            return
        cached = usage.cached_content_token_count or 0
        output = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
        self.usage = Usage(max(0, usage.prompt_token_count - cached), 0, cached, output)


def translated(error: Exception) -> ModelFault:
    """Any error of the library, or of the line below it, in our words."""
    if isinstance(error, ModelFault):
        return error
    if isinstance(error, errors.APIError):
        headers = getattr(error.response, "headers", None) or {}
        said = f"{error.message or ''} {json.dumps(error.details)[:300] if isinstance(error.details, dict) else ''}"
        code = error.code if isinstance(error.code, int) else 200
        return fault(code, str(error.status or ""), said, after_s=seconds(headers.get("retry-after")))
    if wire.is_transport(error):
        return Busy("connection", f"{type(error).__name__}: {error}"[:300])
    return Busy("garbled", f"the answer cannot be read: {type(error).__name__}")
