"""Settings: read from the environment, wrong ones refused with the nearest right name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot import settings
from bot.errors import Refused


def test_values_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REGREEN_HOME", str(tmp_path))
    monkeypatch.setenv("REGREEN_API_URL", "https://ghe.example/api/v3/")
    values = settings.load()
    assert values.api_url == "https://ghe.example/api/v3"
    assert values.database() == tmp_path / "jobs.sqlite"


def test_unknown_setting_is_refused_with_the_nearest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGREEN_TIMEOUT", "5")
    with pytest.raises(Refused, match="Did you mean REGREEN_TIMEOUT_S"):
        settings.load()


@pytest.mark.parametrize(("name", "value"), [("TIMEOUT_S", "0"), ("PORT", "http"), ("MEMORY_MB", "1")])
def test_wrong_value_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"REGREEN_{name}", value)
    with pytest.raises(Refused, match=f"REGREEN_{name} is wrong"):
        settings.load()


def test_secrets_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGREEN_WEBHOOK_SECRET", "do-not-show")
    assert "do-not-show" not in repr(settings.load())


def test_key_file_that_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REGREEN_PRIVATE_KEY_FILE", str(tmp_path / "none.pem"))
    with pytest.raises(Refused, match=r"none\.pem"):
        settings.load().key_pem()


def test_secrets_are_taken_out_of_the_environment_and_the_rest_stays(monkeypatch):
    monkeypatch.setenv("REGREEN_WEBHOOK_SECRET", "for nobody else")
    monkeypatch.setenv("REGREEN_ANTHROPIC_KEY", "nor this")
    monkeypatch.setenv("REGREEN_APP_ID", "41")
    taken = settings.take()
    assert taken.webhook_secret.get_secret_value() == "for nobody else"
    assert settings.secret_names() >= {"REGREEN_WEBHOOK_SECRET", "REGREEN_ANTHROPIC_KEY", "REGREEN_PRIVATE_KEY"}
    assert {name for name in os.environ if name.startswith("REGREEN_")} & settings.secret_names() == set()
    assert os.environ["REGREEN_APP_ID"] == "41"
