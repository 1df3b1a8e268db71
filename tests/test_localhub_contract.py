"""GitHub's description judges localhub: what is served is described, and a broken answer does not pass unseen."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_localhub import Town, make_town

from localhub.contract.description import Description
from localhub.rest import routes
from localhub.rest.call import Answer, Call
from localhub.rest.routes import ROUTES, Route, find

ROOT = Path(__file__).parent.parent


@pytest.fixture
def town() -> Iterator[Town]:
    with make_town() as made:
        yield made


@pytest.fixture(scope="module")
def description() -> Description:
    return Description()


def test_served_operations_are_exactly_the_described_ones(description: Description) -> None:
    assert set(ROUTES) == description.operations()


@pytest.mark.parametrize("operation", sorted(ROUTES))
def test_every_operation_finds_its_own_route(operation: str) -> None:
    verb, path = operation.split(" ")
    filled = path.replace("{", "").replace("}", "")
    found = find(verb, filled)
    assert found is not None
    assert found[0] == operation


def test_every_validator_compiles(description: Description) -> None:
    """A reference that leads nowhere would only show when its endpoint is first called."""
    for operation in description.operations():
        verb, path = operation.split(" ")
        described = description.rest["paths"][path][verb.lower()]
        description.request_faults(operation, {})
        for status in described["responses"]:
            description.response_faults(operation, int(status), {})
    for name in description.webhooks["webhooks"]:
        event, _, action = name.partition("-")
        description.webhook_faults(event, {"action": action} if action else {})


def test_missing_field_in_a_response_is_a_violation(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutation: a field is dropped on purpose, and must be noticed."""
    operation = "GET /repos/{owner}/{repo}"
    whole = ROUTES[operation].handler

    def broken(call: Call) -> Answer:
        found = whole(call)
        del found.body["default_branch"]
        return found

    monkeypatch.setitem(routes.ROUTES, operation, Route(broken))
    with town.client() as client:
        answer = client.get("/repos/ada/calc")
    assert answer.status_code == 500
    assert any("default_branch" in each for each in town.hub.violations)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        pytest.param(201, {"id": 1}, id="a status that is not described"),
        pytest.param(200, [], id="a list for an object"),
        pytest.param(404, {"error": "no"}, id="an error without message"),
        pytest.param(422, {"message": "m", "documentation_url": "d", "errors": [{}]}, id="an error without code"),
    ],
)
def test_wrong_answers_are_faults(description: Description, status: int, body: Any) -> None:
    assert description.response_faults("GET /repos/{owner}/{repo}", status, body)


def test_missing_field_in_a_webhook_is_a_violation(town: Town) -> None:
    town.hub.world.announce("issues", {"action": "opened", "issue": {}}, town.repo)
    assert any("issues.opened" in each for each in town.hub.violations)


def test_webhook_outside_the_description_is_a_violation(town: Town) -> None:
    town.hub.world.announce("issues", {"action": "sneezed"}, town.repo)
    assert town.hub.violations == ["webhook issues.sneezed: webhook issues-sneezed is not in the description"]


def test_request_that_github_refuses_is_recorded(town: Town) -> None:
    with town.client() as client:
        answer = client.post("/repos/ada/calc/check-runs", json={"name": "x"})
        assert answer.status_code == 422
        assert answer.json()["message"].startswith("Invalid request.")
        assert client.post("/repos/ada/calc/pulls", content=b"{").status_code == 400
        assert client.post("/repos/ada/calc/pulls").status_code == 422
    assert [each.split(": ")[0] for each in town.hub.request_violations] == [
        "POST /repos/{owner}/{repo}/check-runs",
        "POST /repos/{owner}/{repo}/pulls",
    ]
    assert town.hub.violations == []


def test_unknown_endpoint_is_recorded(town: Town) -> None:
    with town.client() as client:
        assert client.get("/repos/ada/calc/stargazers").status_code == 404
    assert town.hub.request_violations == ["GET /repos/ada/calc/stargazers: localhub serves no such endpoint"]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The refresh script as a module."""
    monkeypatch.syspath_prepend(ROOT / "scripts")
    spec = importlib.util.spec_from_file_location("refresh_openapi", ROOT / "scripts" / "refresh_openapi.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_script_asks_for_what_is_served(script: Any, description: Description) -> None:
    assert set(script.SERVED_OPERATIONS) == set(ROUTES)
    assert set(script.SERVED_WEBHOOKS) == set(description.webhooks["webhooks"])


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param({"type": "string", "nullable": True}, {"type": ["string", "null"]}, id="nullable type"),
        pytest.param(
            {"type": "string", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
            id="nullable enum",
        ),
        pytest.param(
            {"$ref": "#/x", "nullable": True}, {"anyOf": [{"$ref": "#/x"}, {"type": "null"}]}, id="nullable reference"
        ),
        pytest.param({"type": "string", "format": "uri", "example": "e"}, {"type": "string"}, id="noise"),
        pytest.param(
            {"properties": {"description": {"type": "string", "description": "d"}}},
            {"properties": {"description": {"type": "string"}}},
            id="a property that is called description",
        ),
    ],
)
def test_openapi_becomes_json_schema(script: Any, given: dict[str, Any], kept: dict[str, Any]) -> None:
    assert script.schema_only(given) == kept


def test_notice_names_the_source_packages(script: Any, description: Description) -> None:
    notice = (ROOT / "localhub" / "contract" / "NOTICE").read_text()
    assert "MIT License" in notice
    for package in (script.REST, script.WEBHOOKS):
        assert f"{package.name} {package.version}" in notice
    # The data files travel alone in some packages: the notice goes with them.
    assert description.rest["x-notice"] == description.webhooks["x-notice"] == notice
