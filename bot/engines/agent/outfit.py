"""Puts the model-driven engine together from the operator's settings."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator

from pydantic import SecretStr

from bot import redaction
from bot.engines.agent import prices
from bot.engines.agent.asker import Choice
from bot.engines.agent.budget import Caps
from bot.engines.agent.engine import AgentEngine, Options
from bot.engines.agent.models.patience import Patience, Patient
from bot.engines.agent.models.protocol import Access, Model
from bot.errors import Refused
from bot.settings import PREFIX, Settings

PROVIDERS = {"anthropic": "AnthropicModel", "openai": "OpenAIModel", "gemini": "GeminiModel"}
"""Provider -> the class in its file under models/. Adding one is one line here, one file, and three settings."""
ROLES = ("planner", "reviewer", "explorer")


def engine(settings: Settings) -> AgentEngine:
    """The engine. Refused when no model is configured, or one that cannot be used."""
    roles = tuple(part.strip() for part in settings.agent_roles.split(",") if part.strip())
    for role in roles:
        if role not in ROLES:
            raise Refused(f"There is no role {role!r}.", f"{PREFIX}AGENT_ROLES knows: {', '.join(ROLES)}.")
    choices = tuple(
        Choice(Patient(model, Patience()), prices.price(model.name, settings.prices)) for model in models(settings)
    )
    return AgentEngine(
        Options(
            choices,
            Caps(calls=settings.budget_calls, usd=settings.budget_usd, wall_s=settings.agent_s),
            planner="planner" in roles,
            reviewer="reviewer" in roles,
            explorers="explorer" in roles,
            transcripts=settings.transcripts(),
        )
    )


def models(settings: Settings) -> Iterator[Model]:
    """The models that are configured, in order. Refused when there is none."""
    names = [part.strip() for part in settings.models.split(",") if part.strip()]
    if not names:
        raise Refused(
            "The engine 'agent' needs a language model, and none is configured.",
            f"Set {PREFIX}MODELS, such as anthropic:claude-sonnet-5-5, and the key of its provider. "
            "The engine 'search' needs none.",
        )
    for name in names:
        yield _model(name, settings)


def _model(text: str, settings: Settings) -> Model:
    provider, colon, name = text.partition(":")
    if not colon or provider not in PROVIDERS or not name:
        raise Refused(
            f"{PREFIX}MODELS names {text!r}, which is no model.",
            f"Write provider:name; providers are: {', '.join(PROVIDERS)}.",
        )
    key: SecretStr = getattr(settings, f"{provider}_key")
    url: str = getattr(settings, f"{provider}_url")
    if not key.get_secret_value() and not url:
        raise Refused(f"There is no key for {text}.", f"Set {PREFIX}{provider.upper()}_KEY.")
    redaction.learn(key.get_secret_value())
    make = _maker(provider)
    return make(name, Access(key.get_secret_value(), url, settings.model_idle_s))


def _maker(provider: str) -> Callable[[str, Access], Model]:
    """The class of a provider. Refused when its library is not installed."""
    try:
        file = importlib.import_module(f"bot.engines.agent.models.{provider}")
    except ImportError as error:
        raise Refused(
            f"The library for models {provider}:… is not installed.", f"Run: pip install 'regreen[{provider}]'"
        ) from error
    made: Callable[[str, Access], Model] = getattr(file, PROVIDERS[provider])
    return made
