"""Puts the rooms together: settings in, a ready sandbox, engines and service out."""

from __future__ import annotations

from collections.abc import Callable

from bot import credentials, redaction
from bot.engines.contract import Dialogue, Engine
from bot.engines.search.engine import SearchEngine
from bot.errors import Refused
from bot.gate import lot
from bot.github import App
from bot.service import Service
from bot.settings import PREFIX, Settings
from bot.work import Means
from sandbox import Limits, Sandbox
from sandbox.bubblewrap import BubblewrapSandbox
from sandbox.docker import DockerSandbox
from sandbox.none import NoSandbox


def _search(_: Settings) -> Engine:
    return SearchEngine()


def _agent(settings: Settings) -> Dialogue:
    from bot.engines.agent import outfit  # loads the providers' libraries: seconds, for whoever needs none of them

    return outfit.engine(settings)


ENGINES: dict[str, Callable[[Settings], Engine | Dialogue]] = {"search": _search, "agent": _agent}
"""Name -> engine. Adding one is one line here and one file."""

NO_ISOLATION = "none"


def _docker(settings: Settings) -> Sandbox:
    return DockerSandbox(
        runtime=settings.runtime or None,
        base_image=settings.base_image or None,
        build_network=settings.build_network or None,
    )


def _bubblewrap(settings: Settings) -> Sandbox:
    return BubblewrapSandbox(base_image=settings.base_image or None)


def _none(_: Settings) -> Sandbox:
    return NoSandbox()


SANDBOXES: dict[str, Callable[[Settings], Sandbox]] = {
    "docker": _docker,
    "bubblewrap": _bubblewrap,
    NO_ISOLATION: _none,
}
"""Name -> backend. Adding one is one line here and one file."""


def engines(names: str, settings: Settings) -> dict[str, Engine | Dialogue]:
    """Engines by name, in the order given, separated by commas. Refused for an unknown one."""
    chosen: dict[str, Engine | Dialogue] = {}
    for name in filter(None, (part.strip() for part in names.split(","))):
        if name not in ENGINES:
            raise Refused(f"There is no engine {name!r}.", f"Known are: {', '.join(ENGINES)}.")
        chosen[name] = ENGINES[name](settings)
    if not chosen:
        raise Refused("No engine is named.", f"Known are: {', '.join(ENGINES)}.")
    return chosen


def sandbox(settings: Settings, name: str = "", *, without_isolation: bool = False) -> Sandbox:
    """The sandbox by name, or the one that is set; boxes that a killed process left behind are removed first.

    Refused for the one that isolates nothing, unless that is asked for in so many words.
    """
    if (name or settings.sandbox) == NO_ISOLATION and not without_isolation:
        raise Refused(
            "Without a sandbox, the code of the repository runs as you, with your files and your network.",
            "Use another --sandbox; where that is what you want, add --i-know.",
        )
    made = backend(settings, name or settings.sandbox)
    made.reap()
    return made


def backend(settings: Settings, name: str) -> Sandbox:
    """A backend by its name. Refused when it cannot be what the settings ask for."""
    if name not in SANDBOXES:
        raise Refused(f"There is no sandbox {name!r}.", f"Known are: {', '.join(SANDBOXES)}.")
    if settings.runtime and name != "docker":
        raise Refused(
            f"REGREEN_RUNTIME is {settings.runtime}, which the sandbox {name!r} knows nothing of.",
            "Unset it, or use the sandbox 'docker': nothing falls back to less isolation silently.",
        )
    return SANDBOXES[name](settings)


def limits(settings: Settings) -> Limits:
    """Limits of one run of a suite."""
    return Limits(timeout_s=settings.timeout_s, memory_mb=settings.memory_mb)


def service(settings: Settings) -> Service:
    """The bot behind the webhook door. Refused when the App's id, key or secret is missing."""
    settings = credentials.completed(settings)
    key = settings.key_pem()
    missing = [
        PREFIX + name
        for name, value in (
            ("APP_ID", settings.app_id),
            ("PRIVATE_KEY", key),
            ("WEBHOOK_SECRET", settings.webhook_secret.get_secret_value()),
        )
        if not value
    ]
    if missing:
        raise Refused(
            f"The GitHub App is not configured: {', '.join(missing)} not set.",
            "Create the App from app.yml (README, 'Install as a GitHub App') and set what GitHub gives you.",
        )
    if settings.sandbox == NO_ISOLATION:
        raise Refused(
            "A server never runs the code of others without isolation.",
            "Unset REGREEN_SANDBOX; `none` is for the command line alone.",
        )
    redaction.learn(key)
    redaction.learn(settings.webhook_secret.get_secret_value())
    secret = lot.key(settings.home)
    redaction.learn(secret)
    box = sandbox(settings)
    chosen = engines(settings.engines, settings)

    def means(progress: Callable[[str, str], None], cancelled: Callable[[], bool]) -> Means:
        return Means(
            sandbox=box,
            engines=chosen,
            limits=limits(settings),
            search_s=settings.search_s,
            base_image=settings.base_image,
            progress=progress,
            cancelled=cancelled,
            key=secret,
        )

    return Service(settings, App(settings.app_id, key, settings.api_url), means)
