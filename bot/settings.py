"""What the operator can set, each by an environment variable `REGREEN_…`; unknown ones are refused."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import Refused
from sandbox.disk import BUILD_BYTES

PREFIX = "REGREEN_"


class Settings(BaseSettings):
    """The operator's choices. Repositories cannot change any of them."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid")

    home: Path = Field(default_factory=lambda: Path.home() / ".local" / "share" / "regreen")
    """Folder for the job database, fetched commits, evidence records and logs."""
    sandbox: str = "docker"
    """Where code is run: `docker` or `bubblewrap`."""
    runtime: str = ""
    """Runtime of the Docker engine for boxes and builds, such as `runsc`; empty means the engine's default."""
    images_max_age_days: int = Field(default=30, ge=1)
    """`regreen serve` removes images that were not used for this long, in days."""
    images_max_gb: float = Field(default=20.0, gt=0)
    """`regreen serve` removes the longest unused images while all together take more than this, in GB."""
    base_image: str = ""
    """Image to build dependency images from; empty means `python:3.11-slim-bookworm` or one built locally."""
    build_network: str = ""
    """Docker network for image builds; empty means `bridge` where the engine has one, else `host`."""
    build_disk_mb: int = Field(default=BUILD_BYTES >> 20, ge=512)
    """Disk that one image build may take, in MiB; the sandbox reads it from the environment itself."""
    timeout_s: float = Field(default=600.0, gt=0)
    """Longest time for one run of a test suite, in seconds."""
    search_s: float = Field(default=120.0, gt=0)
    """Longest time that the offline search may take for one repair, in seconds."""
    memory_mb: int = Field(default=2048, ge=128)
    """Memory of one box, in MiB."""
    settle_s: float = Field(default=30.0, ge=0)
    """How long one red check waits for the rest of its suite, in seconds; the suite's own end starts at once."""
    engines: str = "search"
    """Engines in the order in which they are tried, separated by commas: `search`, `agent`."""
    models: str = ""
    """Language models of the engine `agent` as `provider:name`, the cheap one first, separated by commas."""
    anthropic_key: SecretStr = SecretStr("")
    """Key for models `anthropic:…`."""
    anthropic_url: str = ""
    """Base address of a server that speaks Anthropic Messages; empty means Anthropic's own."""
    openai_key: SecretStr = SecretStr("")
    """Key for models `openai:…`."""
    openai_url: str = ""
    """Base address of a server that speaks chat completions, `/v1` included; empty means OpenAI's own."""
    gemini_key: SecretStr = SecretStr("")
    """Key for models `gemini:…`."""
    gemini_url: str = ""
    """Base address for `gemini:…`; empty means Google's own."""
    prices: Path | None = None
    """File with prices of models, read before the table that comes with Regreen (docs/agent.md, 'Money')."""
    budget_usd: float = Field(default=3.0, gt=0)
    """Most that the models may cost for one repair, in US dollars."""
    pull_budget_usd: float = Field(default=10.0, gt=0)
    """Once the models have cost so much for one pull request, in US dollars, red checks start no repair of it."""
    budget_calls: int = Field(default=150, ge=1)
    """Most model calls for one repair, failed ones included."""
    agent_s: float = Field(default=1800.0, gt=0)
    """Longest time that the engine `agent` may take for one repair, in seconds."""
    model_idle_s: float = Field(default=240.0, gt=0)
    """An answer that brings nothing new for this long is given up and asked for again, in seconds."""
    agent_roles: str = ""
    """Further parts that a model plays, separated by commas: `planner`, `reviewer`, `explorer`."""
    host: str = "127.0.0.1"
    """Address that `regreen serve` listens on."""
    port: int = Field(default=8000, ge=0, le=65535)
    """Port that `regreen serve` listens on; 0 takes a free one."""
    mcp_token: SecretStr = SecretStr("")
    """What clients of `regreen mcp --http` send as a bearer token; without one it listens on this machine alone."""
    app_id: int = 0
    """Id of the GitHub App."""
    private_key: SecretStr = SecretStr("")
    """Private key of the App (PEM text)."""
    private_key_file: Path | None = None
    """File that holds the private key, in place of `private_key`."""
    webhook_secret: SecretStr = SecretStr("")
    """Secret that webhooks are signed with. `serve` does not start without it."""
    api_url: str = "https://api.github.com"
    """REST API of GitHub; `https://HOST/api/v3` for GitHub Enterprise Server."""
    git_url: str = "https://github.com"
    """Where repositories are fetched from."""

    @field_validator("api_url", "git_url", "anthropic_url", "openai_url", "gemini_url")
    @classmethod
    def _no_slash(cls, value: str) -> str:
        return value.rstrip("/")

    @field_validator("anthropic_url", "openai_url", "gemini_url")
    @classmethod
    def _plain_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc):
            raise ValueError("it has to be an address http(s)://host, without a login in it")
        return value

    def key_pem(self) -> str:
        """The App's private key. Refused when none is set or the file cannot be read."""
        if self.private_key_file is None:
            return self.private_key.get_secret_value()
        try:
            return self.private_key_file.read_text()
        except OSError as error:
            raise Refused(
                f"Cannot read the App's private key at {self.private_key_file}: {error.strerror}.",
                f"Set {PREFIX}PRIVATE_KEY_FILE to the .pem file that GitHub gave you.",
            ) from error

    def transcripts(self) -> Path:
        """Folder of what models said and did."""
        return self.home / "transcripts"

    def database(self) -> Path:
        """SQLite file of the job queue."""
        return self.home / "jobs.sqlite"


def secret_names() -> set[str]:
    """Environment variables that hold secrets."""
    fields = Settings.model_fields.items()
    return {PREFIX + name.upper() for name, field in fields if field.annotation is SecretStr}


def take() -> Settings:
    """Read the settings, and take the secrets out of the environment: no program that is started inherits them."""
    found = load()
    for name in secret_names():
        os.environ.pop(name, None)
    return found


def load() -> Settings:
    """Read the settings from the environment. Refused with the nearest right name or the wrong value."""
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    for name in os.environ:
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
            hint = f"Did you mean {near[0]}?" if near else f"Known are: {', '.join(sorted(known))}."
            raise Refused(f"There is no setting {name}.", hint)
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = PREFIX + str(first["loc"][0]).upper()
        raise Refused(f"The setting {name} is wrong: {first['msg']}.", "Correct or unset it.") from error
