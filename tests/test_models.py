"""One contract for every provider's library, against real HTTP: what an answer is, and what each fault becomes."""

from __future__ import annotations

import inspect
from contextlib import closing
from typing import Any

import anthropic
import openai
import pytest
from google.genai import errors as gemini_errors
from modelserver import PROVIDERS, ModelServer, Reply, Status, call

from bot.engines.agent.models import anthropic as anthropic_file
from bot.engines.agent.models import gemini as gemini_file
from bot.engines.agent.models import openai as openai_file
from bot.engines.agent.models.anthropic import AnthropicModel
from bot.engines.agent.models.gemini import GeminiModel
from bot.engines.agent.models.openai import OpenAIModel
from bot.engines.agent.models.protocol import (
    Access,
    Answered,
    Ask,
    Broken,
    Busy,
    Call,
    Message,
    ModelFault,
    Text,
    Thought,
    TooLong,
    ToolSpec,
    Turn,
)

MODELS = {"anthropic": AnthropicModel, "openai": OpenAIModel, "gemini": GeminiModel}
TOOL = ToolSpec(
    "look", "Look at a file.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
)
ASK = Ask("You repair code.", (TOOL,), (Message("user", (Text("Repair it."),)),), 1000)


@pytest.fixture(params=PROVIDERS)
def provider(request) -> str:
    return request.param


def make(provider: str, server: ModelServer, idle_s: float = 5.0) -> Any:
    return MODELS[provider]("scripted", Access("key-1", server.url(provider), idle_s))


def answers(provider: str, *script: Reply | Status, ask: Ask = ASK, idle_s: float = 5.0) -> tuple[Turn, ModelServer]:
    with ModelServer(script) as server, closing(make(provider, server, idle_s)) as model:
        return model.answer(ask), server


def faults(provider: str, reply: Reply | Status, *, idle_s: float = 5.0) -> ModelFault:
    with pytest.raises(ModelFault) as caught:
        answers(provider, reply, idle_s=idle_s)
    return caught.value


def test_answer_with_words_and_calls_is_whole(provider: str) -> None:
    reply = Reply("I will look. " * 10, calls=(("look", {"path": "a.py"}), ("look", {"path": 'é\n"b".py'})))
    turn, server = answers(provider, reply)
    assert turn.stop == "tools"
    assert turn.blocks[0] == Text("I will look. " * 10)
    assert [found.arguments for found in turn.calls] == [{"path": "a.py"}, {"path": 'é\n"b".py'}]
    assert len({found.id for found in turn.calls}) == 2
    assert turn.usage.known
    assert turn.usage.output > 1
    assert turn.usage.all_input == len(server.requests[0].raw) // 4


def test_answer_without_calls_ends(provider: str) -> None:
    turn, server = answers(provider, Reply("Done."))
    assert (turn.stop, turn.blocks) == ("end", (Text("Done."),))
    assert server.requests[0].tools == ["look"]
    assert "You repair code." in server.requests[0].text


def test_conversation_goes_back_whole(provider: str) -> None:
    """Calls and their answers stay paired, in order; broken arguments go back as an empty object."""
    history = (
        *ASK.messages,
        Message("assistant", (Text("Looking."), Call("c1", "look", {"path": "a"}), Call("c2", "look", None))),
        Message(
            "user",
            (
                Answered("c1", "look", "text of a"),
                Answered("c2", "look", "wrong arguments", error=True),
                Text("Go on."),
            ),
        ),
    )
    _, server = answers(provider, Reply("ok"), ask=Ask(ASK.system, ASK.tools, history, 1000))
    text = server.requests[0].text
    assert text.index("Looking.") < text.index("text of a") < text.index("wrong arguments") < text.index("Go on.")


def test_key_goes_out_and_nowhere_else(provider: str) -> None:
    _, server = answers(provider, Reply("ok"))
    (seen,) = server.requests
    assert any("key-1" in value for value in seen.headers.values())
    assert "key-1" not in seen.text + seen.path
    assert "key-1" not in repr(Access("key-1"))


def test_tokens_are_counted_where_the_server_can(provider: str) -> None:
    with ModelServer([]) as server, closing(make(provider, server)) as model:
        assert (model.count(ASK) is None) == (provider == "openai")
        server.counts = False
        assert model.count(ASK) is None


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (Status(429, kind="rate_limit_error"), Busy),
        (Status(529, kind="overloaded_error"), Busy),
        (Status(500), Busy),
        (Status(503), Busy),
        (Status(408), Busy),
        (Status(401, "invalid x-api-key", "authentication_error"), Broken),
        (Status(403, kind="permission_error"), Broken),
        (Status(404, kind="not_found_error"), Broken),
        (Status(400, "bad schema", "invalid_request_error"), Broken),
        (Status(400, "prompt is too long: 300000 tokens > 200000 maximum", "invalid_request_error"), TooLong),
        (Status(400, "This model's maximum context length is 8192 tokens", "context_length_exceeded"), TooLong),
        (Status(413, kind="request_too_large"), TooLong),
        (Status(402, kind="billing_error"), Broken),
        (Status(200, html=True), Broken),
        (Status(302, headers=(("location", "/elsewhere"),)), Broken),
    ],
    ids=lambda value: str(getattr(value, "code", "")) + getattr(value, "body", "")[:12],
)  # fmt: skip
def test_each_status_is_told_apart(provider: str, status: Status, kind: type[ModelFault]) -> None:
    assert type(faults(provider, status)) is kind


@pytest.mark.parametrize(("header", "after"), [("7", 7.0), ("3600", 3600.0), ("soon", None)])
def test_time_to_wait_is_told_and_not_slept(provider: str, header: str, after: float | None) -> None:
    fault = faults(provider, Status(429, kind="rate_limit_error", headers=(("retry-after", header),)))
    assert fault.after_s == after


@pytest.mark.parametrize("how", ["cut", "overload"])
def test_stream_that_breaks_is_no_answer(provider: str, how: str) -> None:
    fault = faults(provider, Reply("Some words. " * 20, calls=(("look", {"path": "a.py"}),), fault=how))
    assert isinstance(fault, Busy)
    if provider == "anthropic":
        assert fault.usage.input > 0  # what was paid for a broken stream is known


@pytest.mark.parametrize("how", ["silent", "pings"])
def test_silent_stream_is_given_up_whether_it_pings_or_not(provider: str, how: str) -> None:
    fault = faults(provider, Reply("Some words. " * 20, fault=how), idle_s=0.5)
    # google-genai takes a comment in a stream for broken JSON, which ends the answer at once.
    kinds = ("silent", "connection", "garbled") if provider == "gemini" else ("silent", "connection")
    assert (type(fault), fault.kind in kinds) == (Busy, True)


def test_answer_that_does_not_end_is_stopped(provider: str) -> None:
    assert faults(provider, Reply("again " * 50, fault="endless")).kind == "runaway"


def test_answer_without_usage_says_so(provider: str) -> None:
    turn, _ = answers(provider, Reply("ok", usage=False))
    assert not turn.usage.known


def test_unknown_reason_to_stop_is_a_cut_stream(provider: str) -> None:
    assert isinstance(faults(provider, Reply(calls=(("look", {"path": "a"}),), stop="odd")), Busy)


def test_call_that_was_cut_at_the_limit_keeps_no_half_arguments(provider: str) -> None:
    turn, _ = answers(
        provider, Reply(calls=(("look", {"path": "a.py"}),), raw_arguments='{"path": "a.p', stop="length")
    )
    assert turn.stop == "length"
    assert all(found.arguments is None for found in turn.calls) or provider == "gemini"


def test_what_cannot_be_sent_back_is_mended(provider: str) -> None:
    """A lone surrogate would break every further request."""
    turn, _ = answers(provider, Reply("a \ud800 b", calls=(("look", {"path": "\udfff.py"}),)))
    assert turn.calls[0].arguments == {"path": "?.py"}
    history = (
        *ASK.messages,
        Message("assistant", turn.blocks),
        Message("user", (Answered(turn.calls[0].id, "look", "x"),)),
    )
    answers(provider, Reply("ok"), ask=Ask("s", (TOOL,), history, 100))


@pytest.mark.parametrize(
    "raw", ["{'path': 1}", '{"a": ' * 50 + "1" + "}" * 50, '{"path": "a"} trailing', "[1]", "nonsense"]
)
def test_malformed_arguments_are_no_arguments(provider: str, raw: str) -> None:
    turn, _ = answers(provider, Reply(calls=(("look", {}),), raw_arguments=raw))
    assert turn.stop == "tools"
    assert [found.arguments for found in turn.calls] == [None]


def test_refusal_is_told(provider: str) -> None:
    assert answers(provider, Reply("", stop="refusal"))[0].stop == "refusal"


def test_context_exceeded_is_told() -> None:
    assert answers("anthropic", Reply("", stop="too-long"))[0].stop == "too-long"


def test_thoughts_go_back_unchanged() -> None:
    turn, _ = answers("anthropic", Reply("ok", thought="hm"))
    thought = turn.blocks[0]
    assert isinstance(thought, Thought)
    history = (*ASK.messages, Message("assistant", turn.blocks), Message("user", (Text("Go on."),)))
    _, server = answers("anthropic", Reply("ok"), ask=Ask("s", (), history, 100))
    assert server.requests[0].body["messages"][1]["content"][0] == {
        "type": "thinking",
        "thinking": "hm",
        "signature": "c2ln",
    }


def test_blanks_before_a_call_are_not_sent_back() -> None:
    """The interface refuses a text of blanks alone, for ever after."""
    turn, _ = answers("anthropic", Reply("\n\n", calls=(("look", {"path": "a"}),)))
    assert [type(block) for block in turn.blocks] == [Call]


def test_nobody_listening_is_busy(provider: str) -> None:
    with ModelServer([]) as server:
        url = server.url(provider)
    with closing(MODELS[provider]("scripted", Access("k", url))) as model, pytest.raises(Busy):
        model.answer(ASK)


def test_compatible_server_gets_the_key_under_both_names() -> None:
    _, server = answers("anthropic", Reply("ok"))
    headers = server.requests[0].headers
    assert (headers["x-api-key"], headers["anthropic-version"]) == ("key-1", "2023-06-01")
    assert "diagnostics" not in server.requests[0].body


def test_marks_for_the_cache_are_at_most_four_and_roll() -> None:
    history = [Message("user", (Text("task"),))]
    for number in range(5):
        history += [
            Message("assistant", (Call(f"c{number}", "look", {"path": "a"}),)),
            Message("user", (Answered(f"c{number}", "look", "text"),)),
        ]
    _, server = answers("anthropic", call("look", path="a"), ask=Ask("s", (TOOL,), tuple(history), 100))
    body = server.requests[0].body
    assert server.requests[0].text.count("cache_control") == 4
    marked = [number for number, message in enumerate(body["messages"]) if "cache_control" in message["content"][-1]]
    assert marked == [0, 8, 10]


def exceptions(module) -> list[type[Exception]]:
    found = [getattr(module, name) for name in dir(module)]
    return [kind for kind in found if inspect.isclass(kind) and issubclass(kind, Exception)]


@pytest.mark.parametrize(
    ("file", "library"),
    [(anthropic_file, anthropic), (openai_file, openai), (gemini_file, gemini_errors)],
    ids=["anthropic", "openai", "gemini"],
)
def test_every_exception_of_a_library_has_a_name_of_ours(file, library) -> None:
    assert len(exceptions(library)) > 3
    for kind in exceptions(library):
        made = kind.__new__(kind)
        Exception.__init__(made, "said")
        for name, value in {
            "status_code": 500,
            "code": 500,
            "status": "",
            "message": "said",
            "type": None,
            "details": None,
            "request_id": None,
        }.items():
            try:
                setattr(made, name, value)
            except AttributeError:
                continue
        made.response = type("Response", (), {"headers": {}})()
        assert isinstance(file.translated(made), ModelFault)
