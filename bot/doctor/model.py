"""The language models: whether each one answers, calls tools, streams, and says what it used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.doctor.finding import Finding
from bot.settings import PREFIX, Settings

if TYPE_CHECKING:
    from bot.engines.agent.models.protocol import Ask, Model

_SUBJECT = "models"
_REMEDIES = {
    "key": "See that the key is right and may use this model.",
    "not-found": "See that the model's name is right, and the address that of its provider.",
    "not-a-model": "See that the base address is that of a model's interface, not of a web page.",
    "spend-limit": "Raise the limit at the provider.",
    "connection": "See that the address can be reached from here.",
}


def models(settings: Settings) -> Finding:
    """Ask each configured model one short question, which costs a fraction of a cent."""
    if not settings.models:
        used = "agent" in settings.engines.split(",")
        text = f"Not configured: {PREFIX}MODELS is empty; only the engine `agent` needs it."
        return Finding(_SUBJECT, "problem" if used else "ok", text, f"Set {PREFIX}MODELS." if used else "")
    from bot.engines.agent import outfit, prices

    worst, details, remedies = "ok", list[str](), list[str]()
    for model in outfit.models(settings):
        state, text, remedy = _probed(model)
        if not prices.price(model.name, settings.prices).known:
            text += "; its price is not known, and the dearest one is counted"
            state, remedy = ("warning" if state == "ok" else state), remedy or f"Set {PREFIX}PRICES."
        details.append(f"{model.provider}:{model.name}: {text}")
        remedies += [remedy] if remedy else []
        worst = max(worst, state, key=["ok", "warning", "problem"].index)
        model.close()
    summary = f"{len(details)} configured" + ("" if worst == "ok" else "; not all is well")
    return Finding(_SUBJECT, "ok" if worst == "ok" else "problem" if worst == "problem" else "warning", summary,
                   " ".join(dict.fromkeys(remedies)), tuple(details))  # fmt: skip


def _probed(model: Model) -> tuple[str, str, str]:
    """State, what was found, and the remedy."""
    from bot.engines.agent.models.protocol import ModelFault

    try:
        turn = model.answer(_question())
    except ModelFault as error:
        return (
            "problem",
            f"no answer ({error.kind}): {str(error)[:200]}",
            _REMEDIES.get(error.kind, "See the message."),
        )
    called = [call for call in turn.calls if call.name == "ready" and call.arguments == {"word": "green"}]
    found = ["it streams", "calls tools" if called else "does not call tools"]
    found.append("says what it used" if turn.usage.known else "does not say what it used, so that is estimated")
    try:
        counted = model.count(_question())
        found.append("counts tokens" if counted is not None else "does not count tokens beforehand")
    except ModelFault as error:
        found.append(f"cannot count tokens ({error.kind})")
    remedy = "" if called else "The engine `agent` needs a model that can call tools."
    return "ok" if called else "problem", ", ".join(found), remedy


def _question() -> Ask:
    from bot.engines.agent.models.protocol import Ask, Message, Text, ToolSpec

    schema = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
    tool = ToolSpec("ready", "Say that you are ready.", schema)
    words = "Call the tool `ready` with the word green. Say nothing else."
    return Ask("You test a connection.", (tool,), (Message("user", (Text(words),)),), 1024)
