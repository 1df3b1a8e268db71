"""Check runs and check suites."""

from __future__ import annotations

from localhub.changes import checks
from localhub.rest.call import Answer, ApiError, Call, invalid, not_found, page
from localhub.shapes import checks as shapes
from localhub.shapes.people import Json
from localhub.state import CheckRun, CheckSuite

LARGEST_BYTES = 65535
NOT_YOURS = "check run can only be modified by the GitHub App that created it."


def create(call: Call) -> Answer:
    app = call.who.acting_app
    assert app is not None
    sha = call.body["head_sha"]
    if call.repo.git.type_of(sha) != "commit":
        raise ApiError(422, f"No commit found for SHA: {sha}")
    check_sizes(call.body)
    run = checks.create_run(call.world, call.repo, app, call.body)
    return Answer(201, shown(call, run))


def check_sizes(body: Json) -> None:
    output = body.get("output") or {}
    for name in ("summary", "text"):
        if len((output.get(name) or "").encode()) > LARGEST_BYTES:
            raise invalid("CheckRun", message=f"Output {name} exceeds a maximum bytesize of {LARGEST_BYTES}")


def shown(call: Call, run: CheckRun) -> Json:
    return shapes.check_run(call.repo, run, call.links)


def held_run(call: Call) -> CheckRun:
    found = call.repo.runs.get(call.number("check_run_id"))
    if found is None:
        raise not_found()
    return found


def get(call: Call) -> Answer:
    return Answer(200, shown(call, held_run(call)))


def update(call: Call) -> Answer:
    run = held_run(call)
    if run.app is not call.who.acting_app:
        raise ApiError(403, f"Invalid app_id `{call.account.login}` - {NOT_YOURS}")
    check_sizes(call.body)
    checks.update_run(call.world, call.repo, run, call.body)
    return Answer(200, shown(call, run))


def listed_annotations(call: Call) -> Answer:
    run = held_run(call)
    return page(call, run.annotations, lambda each: shapes.annotation(call.repo, run, each, call.links))


def rerequest(call: Call) -> Answer:
    checks.press(call.world, call.repo, held_run(call), checks.RunAction("rerequested"), call.account)
    return Answer(201, {})


def for_ref(call: Call) -> Answer:
    sha = call.commit(call.args["ref"]).sha
    return listed(call, [each for each in call.repo.runs.values() if each.head_sha == sha])


def listed(call: Call, runs: list[CheckRun]) -> Answer:
    query = call.query
    if query.get("filter", "latest") == "latest":
        runs = list({(each.app.id, each.name): each for each in runs}.values())
    if "check_name" in query:
        runs = [each for each in runs if each.name == query["check_name"]]
    if "status" in query:
        runs = [each for each in runs if each.status == query["status"]]
    if "app_id" in query:
        runs = [each for each in runs if str(each.app.id) == query["app_id"]]
    return page(call, runs, lambda each: shown(call, each), key="check_runs")


def held_suite(call: Call) -> CheckSuite:
    found = call.repo.suites.get(call.number("check_suite_id"))
    if found is None:
        raise not_found()
    return found


def get_suite(call: Call) -> Answer:
    return Answer(200, shapes.check_suite_in_list(call.repo, held_suite(call), call.links))


def suite_runs(call: Call) -> Answer:
    suite = held_suite(call)
    return listed(call, [each for each in call.repo.runs.values() if each.suite is suite])


def suites_for_ref(call: Call) -> Answer:
    sha = call.commit(call.args["ref"]).sha
    found = [each for each in call.repo.suites.values() if each.head_sha == sha]
    return page(
        call,
        found,
        lambda each: shapes.check_suite_in_list(call.repo, each, call.links),
        key="check_suites",
    )
