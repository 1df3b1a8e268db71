"""Apps, installations, tokens and webhook deliveries."""

from __future__ import annotations

from typing import Any

from localhub import auth
from localhub.rest.call import Answer, ApiError, Call, clamped, not_found, page
from localhub.shapes import people
from localhub.shapes.repository import repository
from localhub.state import App, Installation, Token
from localhub.webhooks import Delivery

NOT_GRANTED = "The permissions requested are not granted to this installation."
NO_SUCH_REPOSITORY = (
    "There is at least one repository that does not exist or is not accessible to the parent installation."
)
SUSPENDED = "This installation has been suspended"


def own_app(call: Call) -> App:
    assert call.who.app is not None
    return call.who.app


def get_app(call: Call) -> Answer:
    app = own_app(call)
    held = sum(each.app is app for each in call.world.installations.values())
    return Answer(200, people.app_for_itself(app, call.links, installations=held))


def hook_config(call: Call) -> Answer:
    app = own_app(call)
    return Answer(200, {"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": app.webhook_url})


def installations(call: Call) -> Answer:
    mine = [each for each in call.world.installations.values() if each.app is own_app(call)]
    return page(call, mine, lambda each: people.installation(each, call.links))


def own_installation(call: Call) -> Installation:
    found = call.world.installations.get(call.number("installation_id"))
    if found is None or found.app is not own_app(call):
        raise not_found()
    return found


def get_installation(call: Call) -> Answer:
    return Answer(200, people.installation(own_installation(call), call.links))


def repo_installation(call: Call) -> Answer:
    found = call.world.installation_on(own_app(call), call.repo)
    if found is None:
        raise not_found()
    return Answer(200, people.installation(found, call.links))


def create_token(call: Call) -> Answer:
    installation = own_installation(call)
    if installation.suspended_at:
        raise ApiError(403, SUSPENDED)
    body = call.body or {}
    wishes: dict[str, str] = body.get("permissions") or {}
    granted = all(auth.grants(installation.permissions, name, level) for name, level in wishes.items())
    if not granted:
        raise ApiError(422, NOT_GRANTED)
    token = auth.mint(
        call.world, installation, permissions=wishes, repository_ids=wished_repositories(call, installation)
    )
    shown = people.token(token)
    if token.repository_ids is not None:
        repos = [call.world.repos[each] for each in sorted(token.repository_ids)]
        shown["repositories"] = [repository(each, call.links) for each in repos]
    return Answer(201, shown)


def wished_repositories(call: Call, installation: Installation) -> set[int] | None:
    body = call.body or {}
    if "repository_ids" not in body and "repositories" not in body:
        return None
    by_name = {call.world.repos[each].name: each for each in installation.repository_ids}
    wished = set(body.get("repository_ids", [])) | {by_name.get(each, 0) for each in body.get("repositories", [])}
    if not wished <= installation.repository_ids:
        raise ApiError(422, NO_SUCH_REPOSITORY)
    return wished


def own_token(call: Call) -> Token:
    if call.who.token is None:
        raise ApiError(403, "You must authenticate with an installation access token in order to call this endpoint.")
    return call.who.token


def revoke_token(call: Call) -> Answer:
    own_token(call).revoked = True
    return Answer(204)


def installation_repositories(call: Call) -> Answer:
    token = own_token(call)
    reached = [each for each in call.world.repos.values() if token.reaches(each)]
    return page(call, reached, lambda each: repository(each, call.links), key="repositories")


def delivery_item(each: Delivery) -> dict[str, Any]:
    return {
        "id": each.id,
        "guid": each.guid,
        "delivered_at": people.stamp(each.delivered_at),
        "redelivery": each.redelivery,
        "duration": round(each.duration_s, 2),
        "status": each.status,
        "status_code": each.status_code or 0,
        "event": each.event,
        "action": each.action,
        "installation_id": each.installation_id,
        "repository_id": each.repository_id,
        "throttled_at": None,
    }


def own_deliveries(call: Call) -> list[Delivery]:
    mine = [each for each in call.world.hooks.log if each.app is own_app(call) and each.done]
    return sorted(mine, key=lambda each: -each.id)


def own_delivery(call: Call) -> Delivery:
    wanted = call.number("delivery_id")
    found = next((each for each in own_deliveries(call) if each.id == wanted), None)
    if found is None:
        raise not_found()
    return found


def deliveries(call: Call) -> Answer:
    """Newest first, by cursor: GitHub knows no page numbers here."""
    size = clamped(call.query.get("per_page"), default=30, largest=100)
    cursor = call.query.get("cursor", "")
    left = [each for each in own_deliveries(call) if not cursor.isdigit() or each.id <= int(cursor)]
    more = (
        f'<{call.links.api}{call.path}?per_page={size}&cursor={left[size].id}>; rel="next"'
        if len(left) > size
        else ""
    )
    return Answer(200, [delivery_item(each) for each in left[:size]], {"Link": more} if more else {})


def get_delivery(call: Call) -> Answer:
    each = own_delivery(call)
    detail = {
        "url": each.app.webhook_url,
        "request": {"headers": each.request_headers, "payload": each.body},
        "response": {"headers": each.response_headers, "payload": each.response_text},
    }
    return Answer(200, delivery_item(each) | detail)


def redeliver(call: Call) -> Answer:
    call.world.hooks.redeliver(own_delivery(call).guid)
    return Answer(202, {})
