"""Users, and how much of its limit a caller has used."""

from __future__ import annotations

from localhub.rest.call import Answer, ApiError, Call, not_found
from localhub.shapes import people

LIMIT_PER_HOUR = 5000


def me(call: Call) -> Answer:
    if call.who.token is not None:
        # Installations have no user of their own.
        raise ApiError(403, "Resource not accessible by integration")
    return Answer(200, people.profile(call.account, call.links))


def get_user(call: Call) -> Answer:
    found = call.world.user(call.args["username"])
    if found is None:
        raise not_found()
    return Answer(200, people.profile(found, call.links))


def rate_limit(call: Call) -> Answer:
    used = call.world.used.get(call.who.key, 0)
    core = {
        "limit": LIMIT_PER_HOUR,
        "used": used,
        "remaining": max(0, LIMIT_PER_HOUR - used),
        "reset": int(call.world.now().timestamp()) + 3600,
    }
    return Answer(200, {"resources": {"core": core, "search": core, "graphql": core}, "rate": core})
