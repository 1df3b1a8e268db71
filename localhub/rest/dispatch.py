"""From an HTTP request to its answer: who calls, may they, is the body GitHub's, is our answer GitHub's."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, unquote

from localhub import auth
from localhub.auth import Caller, UnauthorizedError
from localhub.rest.call import Answer, ApiError, Call, not_found
from localhub.rest.routes import ROUTES, Route, find
from localhub.rest.users import LIMIT_PER_HOUR
from localhub.world import Links, Request, World

PREFIX = "/api/v3"
NOT_FOR_APPS = "Resource not accessible by integration"
ONLY_FOR_APPS = "You must authenticate via a GitHub App."


@dataclass(frozen=True)
class Incoming:
    """A request as it came over the wire; `path` is still percent-encoded."""

    verb: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    web: str


def answer(world: World, request: Incoming) -> Answer:
    """Never raises for what a client did; a bug of ours goes up whole."""
    path = request.path
    links = Links(request.web, request.web)
    if path.startswith(PREFIX + "/"):
        path = path.removeprefix(PREFIX)
        links = Links(request.web, request.web + PREFIX)
    with world.lock:
        who = Caller()
        try:
            who = auth.caller(world, request.headers.get("authorization"))
            found = injected(world, request.verb, path) or routed(world, request, path, links, who)
        except UnauthorizedError as error:
            found = ApiError(error.status, str(error)).answer()
        except ApiError as error:
            found = error.answer()
        world.requests.append(Request(request.verb, unquote(path), who.key, found.status, request.body))
        return replace(found, headers=found.headers | standing(world, who))


def injected(world: World, verb: str, path: str) -> Answer | None:
    for fault in world.faults:
        if fault.fits(verb, path):
            fault.times -= 1
            made = ApiError(fault.status, fault.message).answer()
            return replace(made, headers=fault.headers)
    return None


def standing(world: World, who: Caller) -> dict[str, str]:
    used = world.used[who.key] = world.used.get(who.key, 0) + 1
    return {
        "X-GitHub-Request-Id": uuid.uuid4().hex[:16].upper(),
        "X-RateLimit-Limit": str(LIMIT_PER_HOUR),
        "X-RateLimit-Remaining": str(max(0, LIMIT_PER_HOUR - used)),
        "X-RateLimit-Used": str(used),
        "X-RateLimit-Reset": str(int(world.now().timestamp()) + 3600),
        "X-RateLimit-Resource": "core",
    }


def routed(world: World, request: Incoming, path: str, links: Links, who: Caller) -> Answer:
    path = named(world, path)
    matched = find(request.verb, path)
    if matched is None:
        world.request_violations.append(f"{request.verb} {unquote(path)}: localhub serves no such endpoint")
        raise not_found()
    operation, args = matched
    call = Call(
        world=world,
        links=links,
        who=who,
        path=unquote(path),
        args={name: unquote(value) for name, value in args.items()},
        query=dict(parse_qsl(request.query, keep_blank_values=True)),
        body=None,
        accept=request.headers.get("accept", ""),
    )
    route = ROUTES[operation]
    authorise(call, route, writes=request.verb != "GET")
    call.body = parsed(request.body)
    judge_request(call, operation)
    return judged(call, operation, route.handler(call))


def named(world: World, path: str) -> str:
    """GitHub knows a repository by its number, too: /repositories/1/… is /repos/owner/name/…"""
    parts = path.split("/", 3)
    if parts[1] != "repositories" or len(parts) < 3 or not parts[2].isdigit():
        return path
    repo = world.repos.get(int(parts[2]))
    if repo is None:
        raise not_found()
    return "/".join([f"/repos/{repo.full_name}", *parts[3:]])


def authorise(call: Call, route: Route, *, writes: bool) -> None:
    if route.kind == "jwt":
        if call.who.app is None:
            raise ApiError(401, "A JSON web token could not be decoded")
        return
    if call.who.app is not None and route.kind != "public":
        raise ApiError(401, "Bad credentials")
    if route.kind == "public":
        return
    if call.who.token and call.who.token.installation.suspended_at:
        raise ApiError(403, "This installation has been suspended")
    # A token outside its scope sees nothing here, not even public repositories: stricter than GitHub.
    if not auth.may(call.who, call.repo, "metadata", "read"):
        raise not_found()
    if call.who.account is None and writes:
        raise ApiError(401, "Requires authentication")
    if route.kind == "app-only" and call.who.token is None:
        raise ApiError(403, ONLY_FOR_APPS)
    authorise_level(call, route)


def authorise_level(call: Call, route: Route) -> None:
    for need in route.needs:
        name, level = need.split(":")
        if call.who.user and route.people:
            level = route.people
        if auth.may(call.who, call.repo, name, level):
            return
    raise ApiError(403, NOT_FOR_APPS if call.who.token else "Must have push access to repository.")


def parsed(raw: bytes) -> object:
    if not raw.strip():
        return None
    try:
        found: object = json.loads(raw)
    except ValueError:
        raise ApiError(400, "Problems parsing JSON") from None
    return found


def judge_request(call: Call, operation: str) -> None:
    body = call.body
    # Older descriptions allow a bare list of labels, and clients still send it.
    if operation.endswith("/issues/{issue_number}/labels") and isinstance(body, list):
        body = {"labels": body}
    faults = call.world.description.request_faults(operation, body)
    if faults:
        call.world.request_violations.extend(f"{operation}: {each}" for each in faults)
        raise ApiError(422, "Invalid request.\n\n" + "\n".join(faults))


def judged(call: Call, operation: str, found: Answer) -> Answer:
    if found.raw is not None or found.status in (302, 307):
        return found
    faults = call.world.description.response_faults(operation, found.status, found.body)
    if not faults:
        return found
    call.world.violations.extend(f"{operation} {found.status}: {each}" for each in faults)
    return ApiError(500, "localhub broke GitHub's description: " + faults[0]).answer()
