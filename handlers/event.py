"""What every webhook has in common, read with tolerance: only the fields that are used, unknown ones ignored."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.nouns import Skip

M = TypeVar("M", bound="Part")


class Part(BaseModel):
    """A piece of a payload."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class User(Part):
    """Who did something; `type` is "Bot" for Apps."""

    login: str
    type: str = "User"


class RepoId(Part):
    """A repository where GitHub names it only by the way: id, address and short name."""

    id: int


class Repo(Part):
    id: int
    full_name: str
    default_branch: str = ""


class Installation(Part):
    id: int


class Event(Part):
    """The envelope. A payload without an installation was not sent to an App."""

    action: str = ""
    repository: Repo
    installation: Installation
    sender: User


def read(
    model: type[M], payload: dict[str, Any], event: str, *actions: str, otherwise: str = "asks for nothing"
) -> M | Skip:
    """The event when its action is one of these, or the reason why it is not used."""
    if payload.get("action") not in actions:
        return Skip(f"{event}.{payload.get('action')} {otherwise}")
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        first = error.errors()[0]
        return Skip(f"the payload lacks {'.'.join(str(part) for part in first['loc'])}: {first['msg']}")
