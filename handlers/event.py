"""What every webhook has in common, read with tolerance: only the fields that are used, unknown ones ignored."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from bot.nouns import Skip

M = TypeVar("M", bound="Part")

Id = Annotated[int, Field(ge=0, lt=2**63)]
"""A number of GitHub's; larger ones fit into no database."""
Sha = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
"""A commit: never an option or a path."""
Name = Annotated[str, StringConstraints(max_length=1000)]
"""A login, label, branch or check; GitHub's own limits are lower."""


class Part(BaseModel):
    """A piece of a payload."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class User(Part):
    """Who did something; `type` is "Bot" for Apps."""

    login: Name
    type: Name = "User"


class RepoId(Part):
    """A repository where GitHub names it only by the way: id, address and short name."""

    id: Id


class Repo(Part):
    id: Id
    full_name: Name
    default_branch: Name = ""


class Installation(Part):
    id: Id


class Event(Part):
    """The envelope. A payload without an installation was not sent to an App."""

    action: Name = ""
    repository: Repo
    installation: Installation
    sender: User


def read(
    model: type[M], payload: dict[str, Any], event: str, *actions: str, otherwise: str = "asks for nothing"
) -> M | Skip:
    """The event when its action is one of these, or the reason why it is not used."""
    action = payload.get("action")
    if action not in actions:
        # Anything may stand there: nothing but a short word is repeated.
        return Skip(f"{event}.{action[:40] if isinstance(action, str) else type(action).__name__} {otherwise}")
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        return lacking(error)


def lacking(error: ValidationError) -> Skip:
    """The first field that is missing or odd, by its name."""
    first = error.errors()[0]
    return Skip(f"the payload lacks {'.'.join(str(part) for part in first['loc'])}: {first['msg']}")
