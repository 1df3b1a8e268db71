"""The loop of the model-driven engine, with a scripted model behind real HTTP."""

from __future__ import annotations

import itertools
import json

import pytest
from agenttable import PRICE, Desk, Killed, Memory, caps, engine, rejected, solve, transcript_of
from factories import FIXED
from modelserver import PROVIDERS, ModelServer, Reply, Status, call, finish

from bot.engines.agent import transcript
from bot.engines.agent.models.patience import Patience
from bot.engines.agent.prices import Price, Row
from bot.errors import OutOfBudget

EDIT = call("edit_file", path="shop/pricing.py", old="/ 100)", new="/ 100, 2)")
WRONG = call("edit_file", path="shop/pricing.py", old="/ 100)", new="/ 100, 1)")
SOLUTION = (call("read_file", path="shop/pricing.py"), EDIT, call("run_tests"), finish())


@pytest.mark.parametrize("provider", PROVIDERS)
def test_look_edit_test_and_finish_lead_to_an_accepted_patch(provider: str) -> None:
    desk = Desk()
    with ModelServer(SOLUTION) as server:
        proposals = solve(server, desk, provider=provider)
    (candidate,) = proposals.candidates
    assert candidate.patch.files == {"shop/pricing.py": FIXED.encode()}
    assert (candidate.engine, candidate.operator) == ("agent", "scripted-0")
    assert candidate.root_cause == "The cents are dropped."
    assert proposals.stats.tokens > 100
    assert proposals.stats.cost_usd > 0
    assert len(server.requests) == 4


def test_requests_grow_at_their_end_only() -> None:
    """The bytes that a provider caches: each request begins with all of the one before it."""
    with ModelServer(SOLUTION) as server:
        solve(server)
    plain = [json.loads(seen.raw) for seen in server.requests]
    for body in plain:
        for part in [*body["system"], *(block for message in body["messages"] for block in message["content"])]:
            part.pop("cache_control", None)
    for before, after in itertools.pairwise(plain):
        assert json.dumps(after["system"]) == json.dumps(before["system"])
        assert json.dumps(after["tools"]) == json.dumps(before["tools"])
        assert json.dumps(after["messages"]).startswith(json.dumps(before["messages"])[:-1])
    assert [tool["name"] for tool in plain[0]["tools"]] == sorted(tool["name"] for tool in plain[0]["tools"])


def test_system_prompt_and_tools_are_the_same_for_every_job() -> None:
    bodies = []
    for _ in range(2):
        with ModelServer([finish()]) as server:
            solve(server, Desk(contents={"a.py": "x = 1\n"}))
        bodies.append(server.requests[0].body)
    assert bodies[0]["system"] == bodies[1]["system"]
    assert bodies[0]["tools"] == bodies[1]["tools"]


def test_gate_gives_its_reasons_and_the_attempt_goes_on() -> None:
    desk = Desk(passes=lambda tree: True, verdicts=[rejected("test-broken", "test_total is red now")])
    with ModelServer(
        [
            WRONG,
            finish("first"),
            call("edit_file", path="shop/pricing.py", old="100, 1)", new="100, 2)"),
            finish("second"),
        ]
    ) as server:
        proposals = solve(server, desk)
    assert "test-broken" in server.requests[2].last
    assert [found.root_cause for found in desk.judged] == ["first", "second"]
    assert proposals.candidates[0].patch.files == {"shop/pricing.py": FIXED.encode()}


def test_claim_with_red_tests_does_not_trouble_the_gate() -> None:
    desk = Desk()
    with ModelServer([WRONG, finish(), call("finish", conclusion="gave-up", root_cause="no idea")]) as server:
        solve(server, desk, attempts=1)
    assert "Not yet" in server.requests[2].last
    assert desk.judged == []


def test_claim_without_a_change_is_no_claim() -> None:
    desk = Desk()
    with ModelServer([finish(), *SOLUTION]) as server:
        assert solve(server, desk).candidates
    assert "Nothing has been changed" in server.requests[1].last


def test_gate_is_asked_at_most_three_times_in_an_attempt() -> None:
    edits = [call("edit_file", path="shop/pricing.py", old=f"100, {n})", new=f"100, {n + 1})") for n in range(1, 9)]
    script = [WRONG, finish()] + [reply for edit in edits for reply in (edit, finish())]
    desk = Desk(passes=lambda tree: True, verdicts=[rejected()] * 99)
    with ModelServer(script) as server:
        proposals = solve(server, desk, attempts=1)
    assert len(desk.judged) == 3
    assert proposals.stats.best


def test_stuck_attempt_hands_a_page_to_a_fresh_one() -> None:
    again = call("read_file", path="shop/none.py")
    script = [
        WRONG,
        call("finish", conclusion="fixed", root_cause="x", refuted=["It is not the percent."]),
        *[again] * 5,
        *SOLUTION,
    ]
    with ModelServer(script) as server:
        proposals = solve(server)
    assert proposals.candidates
    fresh = server.requests[7].body["messages"]
    assert len(fresh) == 1
    page = fresh[0]["content"][0]["text"]
    for words in ("An earlier attempt", "100, 1)", "It is not the percent.", "Still red"):
        assert words in page


def test_third_repetition_is_told_and_the_fifth_ends_the_attempt() -> None:
    with ModelServer([call("read_file", path="none.py")] * 20) as server:
        solve(server, attempts=1)
    assert len(server.requests) == 5
    assert "3 times" in server.requests[3].last
    assert "times" not in server.requests[4].last


def test_cheap_model_is_tried_first_and_the_strong_one_after_it() -> None:
    with (
        ModelServer([call("finish", conclusion="gave-up", root_cause="too hard")]) as cheap,
        ModelServer(SOLUTION) as strong,
    ):
        with engine(cheap, strong) as made:
            proposals = made.converse(Desk().failure, Desk().table())
        assert (len(cheap.requests), len(strong.requests)) == (1, 4)
    assert proposals.candidates[0].operator == "scripted-1"


def test_model_that_believes_the_test_is_wrong_is_heard() -> None:
    with ModelServer([call("finish", conclusion="test-looks-wrong", root_cause="20 % of 10 is 2.")]) as server:
        proposals = solve(server)
    assert (proposals.candidates, proposals.test_looks_wrong) == ((), "20 % of 10 is 2.")
    assert len(server.requests) == 1


def test_repair_that_nobody_claimed_is_judged_all_the_same() -> None:
    """The model is gone after its edit: the patch so far is not lost."""
    with ModelServer([EDIT, Status(401, "invalid key", "authentication_error")]) as server:
        proposals = solve(server)
    assert proposals.candidates[0].patch.files == {"shop/pricing.py": FIXED.encode()}


def test_unknown_tool_and_wrong_arguments_are_answered() -> None:
    with ModelServer(
        [call("bash", command="id"), call("read_fil", path="a"), call("read_file", path=1), *SOLUTION]
    ) as server:
        assert solve(server).candidates
    assert "There is no such tool" in server.requests[1].last
    assert "Did you mean 'read_file'?" in server.requests[2].last
    assert "has to be a string" in server.requests[3].last


def test_every_call_of_a_turn_is_answered_in_order() -> None:
    many = Reply(calls=(("read_file", {"path": "shop/pricing.py"}), ("nothing", {}), ("list_files", {})))
    with ModelServer([many, *SOLUTION]) as server:
        solve(server)
    answers = server.requests[1].body["messages"][-1]["content"]
    asked = server.requests[1].body["messages"][-2]["content"]
    assert [block["tool_use_id"] for block in answers] == [block["id"] for block in asked]
    assert [bool(block.get("is_error")) for block in answers] == [False, True, False]


def test_more_calls_than_a_turn_may_hold_are_answered_and_not_run() -> None:
    many = Reply(calls=tuple(("read_file", {"path": f"{n}.py"}) for n in range(40)))
    with ModelServer([many, *SOLUTION]) as server:
        solve(server)
    answers = server.requests[1].body["messages"][-1]["content"]
    assert sum("at most 16 calls" in json.dumps(answer) for answer in answers) == 24
    assert len([answer for answer in answers if answer["type"] == "tool_result"]) == 40


def test_transcript_tells_what_happened_and_only_its_owner_reads_it(tmp_path) -> None:
    with ModelServer(SOLUTION) as server:
        solve(server, transcripts=tmp_path / "transcripts")
    path = transcript_of(tmp_path / "transcripts")
    lines = list(transcript.read(path))
    assert [line["kind"] for line in lines].count("answer") == 4
    assert [line["name"] for line in lines if line["kind"] == "tool"] == [
        "read_file",
        "edit_file",
        "run_tests",
        "finish",
    ]
    assert lines[-1]["how"] == "accepted"
    assert path.stat().st_mode & 0o777 == 0o600


# Faults: what each of them ends as. `8 tries` of a busy provider are four here.

LONG = Reply(
    calls=(("edit_file", {"path": "shop/pricing.py", "old": "/ 100)", "new": "/ 100, 2)"}),),
    raw_arguments='{"path": "shop/pri',
    stop="length",
)
CUT = Reply("I will edit it. " * 10, calls=EDIT.calls, fault="cut")


@pytest.mark.parametrize(
    "faults",
    [
        [Status(429, kind="rate_limit_error")],
        [Status(429, kind="rate_limit_error", headers=(("retry-after", "0"),))],
        [Status(529, kind="overloaded_error")] * 3,
        [Status(500)],
        [Reply("words " * 30, fault="overload")],
        [CUT],
        [Reply("words " * 30, fault="silent")],
        [Reply("words " * 30, fault="pings")],
        [Reply(calls=EDIT.calls, stop="odd")],
        [LONG],
        [LONG, LONG],
        [Reply(calls=WRONG.calls, stop="length")],
        [Reply("I think. " * 20, stop="length")],
        [Reply(calls=(("edit_file", {}),), raw_arguments='{"path": ')],
        [Reply("Let me think about it.")],
        [call("read_file", path="shop/pricing.py"), Reply(stop="refusal")],
        [call("read_file", path="shop/pricing.py"), Status(400, "prompt is too long", "invalid_request_error")],
    ],
    ids=[
        "429", "429 with retry-after", "529", "500", "overload in a stream", "cut stream", "silent stream", "stream that pings",
        "unknown stop", "call cut at the limit", "call cut twice", "call cut behind its end", "words cut at the limit", "malformed arguments", "no call",
        "refusal", "context exceeded",
    ],
)  # fmt: skip
def test_fault_is_survived_and_no_partial_call_is_run(faults: list[Reply | Status]) -> None:
    desk = Desk()
    with ModelServer([*faults, *SOLUTION]) as server:
        proposals = solve(server, desk, idle_s=0.4)
    assert [found.patch.files for found in desk.judged] == [{"shop/pricing.py": FIXED.encode()}]
    assert proposals.stats.cost_usd < 0.5


@pytest.mark.parametrize(
    ("fault", "calls", "words"),
    [
        (Status(401, "invalid", "authentication_error"), 1, "key"),
        (Status(404, kind="not_found_error"), 1, "not-found"),
        (Status(402, kind="billing_error"), 1, "spend-limit"),
        (Status(400, "bad request", "invalid_request_error"), 1, "request"),
        (Status(200, html=True), 1, "not-a-model"),
        (Status(529, kind="overloaded_error"), 4 * 3, "busy"),
        (Status(429, kind="rate_limit_error", headers=(("retry-after", "3600"),)), 1, "3600 s"),
        (Reply("again " * 50, fault="endless"), 1, "runaway"),
        (Reply(stop="refusal"), 1, "refuses"),
        (Reply("Done!"), 2 * 3, "without a result"),
    ],
    ids=[
        "401",
        "404",
        "402",
        "400",
        "html",
        "529 for ever",
        "retry after an hour",
        "endless",
        "refusal",
        "only words",
    ],
)
def test_fault_that_stays_ends_the_repair_and_says_why(fault: Reply | Status, calls: int, words: str) -> None:
    with ModelServer(lambda seen: fault) as server:
        proposals = solve(server)
    assert (proposals.candidates, len(server.requests)) == ((), calls)
    assert words in proposals.stats.best


# Budgets


def test_money_is_never_overspent_whatever_happens() -> None:
    """Cut streams whose cost nobody knows count as much as was reserved for them."""
    price = Price(Row(input=100.0, output=500.0, cache_read=10.0, cache_write=125.0), "2026-10-31")
    for reply in (
        CUT,
        Reply("words " * 30, fault="silent"),
        call("list_files"),
        Reply("x" * 300, usage=False, calls=(("list_files", {}),)),
    ):
        with ModelServer(lambda seen, reply=reply: reply) as server:
            proposals = solve(server, price=price, caps=caps(usd=2.0), idle_s=0.3)
        assert 0 < proposals.stats.cost_usd <= 2.0
        assert server.requests


def test_limit_that_ended_the_repair_is_named() -> None:
    with ModelServer(lambda seen: call("list_files", glob=f"*{len(seen.raw)}")) as server:
        proposals = solve(server, caps=caps(calls=5))
    assert len(server.requests) == 5
    assert "All 5 model calls" in proposals.over_budget
    with ModelServer(lambda seen: call("list_files")) as server:
        assert "$0.00" in solve(server, caps=caps(usd=0.0001)).over_budget
        assert server.requests == []
        assert "tokens" in solve(server, caps=caps(tokens=600)).over_budget


def test_time_that_runs_out_in_a_box_forgets_no_money() -> None:
    class Late(Desk):
        def run_suite(self, tree, only):
            raise OutOfBudget("The time for this repair is over.")

    with ModelServer(SOLUTION) as server:
        proposals = solve(server, Late())
    assert proposals.over_budget == "The time for this repair is over."
    assert proposals.stats.cost_usd > 0


def test_no_more_tests_are_run_than_the_budget_has() -> None:
    desk = Desk()
    with ModelServer(
        lambda seen: (
            call("run_tests") if len(seen.body["messages"]) % 4 == 1 else call("list_files", glob=f"*{len(seen.raw)}")
        )
    ) as server:
        solve(server, desk, caps=caps(test_runs=3, calls=20))
    assert desk.runs == 3
    assert any("All 3 test runs are used" in seen.last for seen in server.requests)


def test_answer_becomes_shorter_before_the_money_is_gone() -> None:
    price = Price(Row(input=1.0, output=100.0, cache_read=0.1, cache_write=1.0), "2026-10-31")
    with ModelServer([finish()]) as server:
        solve(server, price=price, caps=caps(usd=0.5), attempts=1)
    assert server.requests[0].body["max_tokens"] < 5000


def test_model_is_asked_to_come_to_an_end_once() -> None:
    with ModelServer(lambda seen: call("list_files", glob=f"*{len(seen.raw)}")) as server:
        solve(server, caps=caps(calls=10), attempts=1)
    assert sum("Come to an end" in seen.last for seen in server.requests) == 1


def test_old_results_are_cleared_once_and_then_a_fresh_attempt_begins() -> None:
    contents = {
        "shop/pricing.py": FIXED.replace(", 2)", ")"),
        "big.txt": "".join(f"line {n} of a long text\n" for n in range(4000)),
    }
    with ModelServer(lambda seen: call("read_file", path="big.txt", start=len(seen.raw) % 3000 + 1)) as server:
        solve(server, Desk(contents=contents), window=20_000, max_tokens=2000, caps=caps(calls=40))
    cleared = [seen for seen in server.requests if "left out to make room" in seen.text]
    assert cleared
    fresh = [
        seen for seen in server.requests if "An earlier attempt" in seen.text and len(seen.body["messages"]) == 1
    ]
    assert len(fresh) == 2
    assert max(len(seen.raw) for seen in server.requests) < 100_000


# Restarts


def test_kill_at_any_step_repeats_no_answer_that_was_stored() -> None:
    """The engine is killed once before each step's result is stored; only that one question is asked again."""
    with ModelServer(SOLUTION) as server:
        memory = Memory()
        whole = solve(server, step=memory)
    names = list(memory.names)
    assert sum(name.endswith(":answer") for name in names) == 4
    for victim in names:
        with ModelServer(lambda seen: SOLUTION[len(seen.body["messages"]) // 2]) as server:
            memory = Memory()
            memory.die_before = victim
            with pytest.raises(Killed):
                solve(server, step=memory)
            memory.die_before = ""
            proposals = solve(server, step=memory)
        assert proposals.candidates[0].patch == whole.candidates[0].patch
        assert len(server.requests) == (5 if victim.endswith(":answer") else 4)
        if victim.endswith(":answer"):
            assert proposals.stats.cost_usd > whole.stats.cost_usd  # what may have been paid twice is counted


def test_restart_counts_the_same_money_and_asks_nothing() -> None:
    memory = Memory()
    with ModelServer(SOLUTION) as server:
        first = solve(server, step=memory)
        again = solve(server, step=memory)
        assert len(server.requests) == 4
    assert again == first


# Roles


def test_planner_writes_a_plan_that_the_attempt_begins_with() -> None:
    with ModelServer([Reply("Look at apply_discount."), *SOLUTION]) as server:
        assert solve(server, planner=True).candidates
    assert server.requests[0].tools == []
    assert "Look at apply_discount." in server.requests[1].text


def test_reviewer_sees_task_diff_and_evidence_and_can_send_back_once() -> None:
    back = call("review", approve=False, reasons="Say why two digits.")
    with ModelServer([EDIT, finish(), back, finish("Prices have cents.")]) as server:
        desk = Desk()
        assert solve(server, desk, reviewer=True).candidates
    review = server.requests[2]
    assert review.tools == ["review"]
    assert "/ 100, 2)" in review.text
    assert len(review.body["messages"]) == 1
    assert "Say why two digits." in server.requests[3].last
    assert [found.root_cause for found in desk.judged] == ["Prices have cents."]


def test_explorer_reads_with_a_share_of_the_budget_and_no_more() -> None:
    script = [
        call("explore", question="Who calls total?"),
        call("search_code", pattern="total"),
        Reply("Only the tests."),
        *SOLUTION,
    ]
    with ModelServer(script) as server:
        assert solve(server, explorers=True).candidates
    assert "explore" not in server.requests[1].tools
    assert "edit_file" not in server.requests[1].tools
    assert "Only the tests." in server.requests[3].last
    with ModelServer(
        lambda seen: call("explore", question="?") if "explore" in seen.tools else call("list_files")
    ) as server:
        solve(server, explorers=True, attempts=1, caps=caps(calls=30))
    assert len(server.requests) <= 30


def test_several_accepted_patches_are_gathered_and_the_smallest_wins() -> None:
    wide = Reply(
        calls=(
            ("edit_file", {"path": "shop/pricing.py", "old": "/ 100)", "new": "/ 100, 2)"}),
            ("create_file", {"path": "shop/more.py", "text": "X = 1\n"}),
        )
    )
    with ModelServer([wide, finish("wide"), EDIT, finish("small"), EDIT, finish("small again")]) as server:
        proposals = solve(server, samples=3)
    assert proposals.candidates[0].root_cause == "small"


def test_busy_provider_is_waited_for_with_growing_pauses() -> None:
    with ModelServer([*[Status(529, kind="overloaded_error")] * 7, *SOLUTION]) as server:
        assert solve(server, patience=Patience(tries=8, first_s=0.001, most_s=0.01)).candidates
    assert len(server.requests) == 11


def test_cancelled_repair_asks_nothing_more() -> None:
    with ModelServer(SOLUTION) as server:
        assert solve(server, Desk(cancelled=True)).candidates == ()
    assert server.requests == []


def test_price_of_this_file_is_the_one_that_is_charged() -> None:
    with ModelServer(SOLUTION) as server:
        proposals = solve(server)
    spent = sum(len(seen.raw) // 4 for seen in server.requests) * PRICE.row.input / 1e6
    assert spent < proposals.stats.cost_usd < spent * 1.5
