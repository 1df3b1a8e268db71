"""A language model in a box: real HTTP, the protocols of three providers, answers by script, and faults on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PROVIDERS = ("anthropic", "openai", "gemini")


@dataclass(frozen=True)
class Reply:
    """An answer: words, calls of tools as (name, arguments), and what goes wrong with it, if anything."""

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    stop: str = ""
    """tools | end | length | refusal | too-long | odd; empty: whatever fits."""
    fault: str = ""
    """cut | silent | pings | overload | endless: what becomes of the stream after its first words."""
    usage: bool = True
    raw_arguments: str = ""
    """What stands in place of the last call's arguments, however broken."""
    thought: str = ""

    @property
    def reason(self) -> str:
        return self.stop or ("tools" if self.calls else "end")


@dataclass(frozen=True)
class Status:
    """An answer that is an error, or a web page."""

    code: int
    body: str = ""
    kind: str = "api_error"
    headers: tuple[tuple[str, str], ...] = ()
    html: bool = False


def call(name: str, /, **arguments: Any) -> Reply:
    return Reply(calls=((name, arguments),))


def finish(cause: str = "The cents are dropped.", **more: Any) -> Reply:
    return call("finish", conclusion="fixed", root_cause=cause, explanation="It rounds to two digits now.", **more)


@dataclass(frozen=True)
class Seen:
    """A request as it came in."""

    provider: str
    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    raw: bytes = b""

    @property
    def text(self) -> str:
        """Everything that the model is given to read."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def last(self) -> str:
        """The last message, as JSON text."""
        turns = self.body.get("messages") or self.body.get("contents") or [{}]
        return json.dumps(turns[-1], ensure_ascii=False)

    @property
    def tools(self) -> list[str]:
        return sorted(_names(self.body.get("tools") or []))


def _names(tools: list[dict[str, Any]]) -> Iterator[str]:
    for tool in tools:
        inner = tool.get("functionDeclarations") or [tool.get("function", tool)]
        yield from (each["name"] for each in inner)


Script = Callable[[Seen], "Reply | Status"]


@dataclass
class ModelServer:
    """`with ModelServer(script) as server`: `server.url(provider)` is where a model answers."""

    script: Script | Sequence[Reply | Status]
    requests: list[Seen] = field(default_factory=list)
    counts: bool = True
    """Whether it knows how to count tokens."""

    def __enter__(self) -> ModelServer:
        handler = type("Handler", (_Handler,), {"owner": self})
        self._stopping = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._lock = threading.Lock()
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()

    def url(self, provider: str = "anthropic") -> str:
        base = f"http://127.0.0.1:{self._http.server_address[1]}"
        return f"{base}/v1" if provider == "openai" else base

    def answer(self, seen: Seen) -> Reply | Status:
        with self._lock:
            self.requests.append(seen)
            number = len(self.requests) - 1
        if callable(self.script):
            return self.script(seen)
        with self._lock:
            return self.script[number] if number < len(self.script) else Reply("There is nothing more to say.")


class _Handler(BaseHTTPRequestHandler):
    owner: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.loads(raw)
        path = self.path.split("?")[0]
        if path.endswith(("/count_tokens", ":countTokens")):
            self._count(body, path)
            return
        provider = "gemini" if ":streamGenerateContent" in path else "openai" if "chat" in path else "anthropic"
        seen = Seen(provider, path, body, {k.lower(): v for k, v in self.headers.items()}, raw)
        answer = self.owner.answer(seen)
        try:
            if isinstance(answer, Status):
                self._status(answer, provider)
            else:
                self._stream(answer, provider, seen)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _count(self, body: dict[str, Any], path: str) -> None:
        if not self.owner.counts:
            self._plain(
                404, json.dumps({"error": {"type": "not_found_error", "message": "no such page", "code": 404}})
            )
            return
        count = len(json.dumps(body)) // 4
        self._plain(200, json.dumps({"totalTokens": count} if path.endswith("Tokens") else {"input_tokens": count}))

    def _status(self, answer: Status, provider: str) -> None:
        if answer.html:
            self._plain(answer.code, "<html><body>Sign in</body></html>", kind="text/html")
            return
        error: dict[str, Any] = {"type": answer.kind, "message": answer.body or answer.kind, "code": answer.kind}
        if provider == "gemini":
            error = {"code": answer.code, "message": answer.body or answer.kind, "status": answer.kind.upper()}
        self._plain(answer.code, json.dumps({"type": "error", "error": error}), headers=answer.headers)

    def _plain(
        self, code: int, text: str, *, kind: str = "application/json", headers: Sequence[tuple[str, str]] = ()
    ) -> None:
        data = text.encode()
        self.send_response(code)
        for name, value in (("content-type", kind), ("content-length", str(len(data))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, answer: Reply, provider: str, seen: Seen) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        events = {"anthropic": anthropic_events, "openai": openai_events, "gemini": gemini_events}[provider]
        usage = len(json.dumps(answer.calls)) // 4 + len(answer.text) // 4 + 1
        pieces = list(events(answer, seen, usage))
        for number, piece in enumerate(pieces):
            if answer.fault and number == max(1, len(pieces) // 2):
                self._broken(answer, provider)
                return
            self.wfile.write(piece)
            self.wfile.flush()

    def _broken(self, answer: Reply, provider: str) -> None:
        if answer.fault == "overload":
            error = {"type": "overloaded_error", "message": "Overloaded", "code": "overloaded_error"}
            if provider == "gemini":
                error = {"code": 503, "message": "Overloaded", "status": "UNAVAILABLE"}
            head = b"event: error\n" if provider == "anthropic" else b""
            self.wfile.write(
                head
                + f"data: {json.dumps({'error': error} if provider != 'anthropic' else {'type': 'error', 'error': error})}\n\n".encode()
            )
        if answer.fault in ("silent", "pings"):
            until = time.monotonic() + 60
            while time.monotonic() < until and not self.owner._stopping.wait(0.1):
                if answer.fault == "pings":
                    self.wfile.write(
                        b'event: ping\ndata: {"type": "ping"}\n\n' if provider == "anthropic" else b": ping\n\n"
                    )
                    self.wfile.flush()
        if answer.fault == "endless":
            for piece in {"anthropic": _endless_anthropic, "openai": _endless_openai, "gemini": _endless_gemini}[
                provider
            ]():
                if self.owner._stopping.is_set():
                    return
                self.wfile.write(piece)


def _sse(data: dict[str, Any], event: str = "") -> bytes:
    head = f"event: {event}\n" if event else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def _arguments(answer: Reply) -> list[tuple[str, str]]:
    written = [(name, json.dumps(arguments)) for name, arguments in answer.calls]
    if answer.raw_arguments and written:
        written[-1] = (written[-1][0], answer.raw_arguments)
    return written


def anthropic_events(answer: Reply, seen: Seen, size: int) -> Iterator[bytes]:
    used = {
        "input_tokens": len(seen.raw) // 4,
        "output_tokens": 1,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
    }
    message: dict[str, Any] = {
        "id": f"msg_{len(seen.raw)}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }
    if answer.usage:
        message["usage"] = used
    yield _sse({"type": "message_start", "message": message}, "message_start")
    number = 0
    if answer.thought:
        yield _sse(
            {
                "type": "content_block_start",
                "index": number,
                "content_block": {"type": "thinking", "thinking": "", "signature": ""},
            },
            "content_block_start",
        )
        yield _sse(
            {
                "type": "content_block_delta",
                "index": number,
                "delta": {"type": "thinking_delta", "thinking": answer.thought},
            },
            "content_block_delta",
        )
        yield _sse(
            {
                "type": "content_block_delta",
                "index": number,
                "delta": {"type": "signature_delta", "signature": "c2ln"},
            },
            "content_block_delta",
        )
        yield _sse({"type": "content_block_stop", "index": number}, "content_block_stop")
        number += 1
    if answer.text:
        yield _sse(
            {"type": "content_block_start", "index": number, "content_block": {"type": "text", "text": ""}},
            "content_block_start",
        )
        for start in range(0, len(answer.text), 40):
            yield _sse(
                {
                    "type": "content_block_delta",
                    "index": number,
                    "delta": {"type": "text_delta", "text": answer.text[start : start + 40]},
                },
                "content_block_delta",
            )
        yield _sse({"type": "content_block_stop", "index": number}, "content_block_stop")
        number += 1
    for name, arguments in _arguments(answer):
        block = {"type": "tool_use", "id": f"toolu_{len(seen.raw)}_{number}", "name": name, "input": {}}
        yield _sse({"type": "content_block_start", "index": number, "content_block": block}, "content_block_start")
        for start in range(0, len(arguments), 30):
            yield _sse(
                {
                    "type": "content_block_delta",
                    "index": number,
                    "delta": {"type": "input_json_delta", "partial_json": arguments[start : start + 30]},
                },
                "content_block_delta",
            )
        yield _sse({"type": "content_block_stop", "index": number}, "content_block_stop")
        number += 1
    stops = {
        "tools": "tool_use",
        "end": "end_turn",
        "length": "max_tokens",
        "refusal": "refusal",
        "too-long": "model_context_window_exceeded",
        "odd": "solar_flare",
    }
    delta = {"type": "message_delta", "delta": {"stop_reason": stops[answer.reason], "stop_sequence": None}}
    if answer.usage:
        delta["usage"] = {"output_tokens": size}
    yield _sse(delta, "message_delta")
    yield _sse({"type": "message_stop"}, "message_stop")


def openai_events(answer: Reply, seen: Seen, size: int) -> Iterator[bytes]:
    base = {"id": f"chatcmpl-{len(seen.raw)}", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}

    def chunk(delta: dict[str, Any], reason: str | None = None) -> bytes:
        return _sse({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})

    yield chunk({"role": "assistant", "content": ""})
    for start in range(0, len(answer.text), 40):
        yield chunk({"content": answer.text[start : start + 40]})
    for number, (name, arguments) in enumerate(_arguments(answer)):
        yield chunk(
            {
                "tool_calls": [
                    {
                        "index": number,
                        "id": f"call_{len(seen.raw)}_{number}",
                        "type": "function",
                        "function": {"name": name, "arguments": ""},
                    }
                ]
            }
        )
        for start in range(0, len(arguments), 30):
            yield chunk({"tool_calls": [{"index": number, "function": {"arguments": arguments[start : start + 30]}}]})
    stops = {
        "tools": "tool_calls",
        "end": "stop",
        "length": "length",
        "refusal": "content_filter",
        "too-long": "length",
        "odd": "solar_flare",
    }
    yield chunk({}, stops[answer.reason])
    if answer.usage:
        yield _sse(
            {
                **base,
                "choices": [],
                "usage": {"prompt_tokens": len(seen.raw) // 4, "completion_tokens": size, "total_tokens": size},
            }
        )
    yield b"data: [DONE]\n\n"


def gemini_events(answer: Reply, seen: Seen, size: int) -> Iterator[bytes]:
    def chunk(parts: list[dict[str, Any]], reason: str | None = None) -> bytes:
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
        if reason:
            candidate["finishReason"] = reason
        data: dict[str, Any] = {"candidates": [candidate], "responseId": f"r{len(seen.raw)}"}
        if answer.usage and reason:
            data["usageMetadata"] = {
                "promptTokenCount": len(seen.raw) // 4,
                "candidatesTokenCount": size,
                "totalTokenCount": size,
            }
        return _sse(data)

    yield chunk([{"text": ""}])
    for start in range(0, len(answer.text), 40):
        yield chunk([{"text": answer.text[start : start + 40]}])
    malformed = bool(answer.raw_arguments) and answer.reason == "tools"
    for name, arguments in answer.calls if not malformed else ():
        yield chunk([{"functionCall": {"name": name, "args": arguments}}])
    stops = {
        "tools": "STOP",
        "end": "STOP",
        "length": "MAX_TOKENS",
        "refusal": "SAFETY",
        "too-long": "MAX_TOKENS",
        "odd": "OTHER",
    }
    yield chunk([{"text": ""}], "MALFORMED_FUNCTION_CALL" if malformed else stops[answer.reason])


def _endless_anthropic() -> Iterator[bytes]:
    while True:
        yield _sse(
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "text_delta", "text": "again and again " * 50},
            },
            "content_block_delta",
        )


def _endless_openai() -> Iterator[bytes]:
    while True:
        yield _sse(
            {
                "id": "c",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": "scripted",
                "choices": [{"index": 0, "delta": {"content": "again and again " * 50}, "finish_reason": None}],
            }
        )


def _endless_gemini() -> Iterator[bytes]:
    while True:
        yield _sse(
            {"candidates": [{"content": {"role": "model", "parts": [{"text": "again and again " * 50}]}, "index": 0}]}
        )


def without_usage(reply: Reply) -> Reply:
    return replace(reply, usage=False)
