"""The parts of the model-driven engine by tables: prices, budget, patience, circles, conversation, choice."""

from __future__ import annotations

import pytest
from factories import SHOP, files, patch

from bot.engines.agent import prices
from bot.engines.agent.budget import Budget, Caps, Reservation, Spent
from bot.engines.agent.conversation import Conversation
from bot.engines.agent.models.patience import Breaker, Patience, Patient, Reply
from bot.engines.agent.models.protocol import Answered, Broken, Busy, Call, Message, Text, Thought, Turn, Usage
from bot.engines.agent.prices import Price, Row
from bot.engines.agent.selection import best_first, normalised
from bot.engines.agent.stuck import Watch
from bot.errors import Refused
from bot.jobs import decode, encode
from bot.nouns import Candidate

HAIKU = Row(input=0.1, output=0.5, cache_read=0.01, cache_write=0.125, long_prompt=100_000, long_factor=5.0)


def test_price_of_each_kind_of_token_is_its_own() -> None:
    price = Price(Row(input=4, output=20, cache_read=0.4, cache_write=5), "2026-10-31")
    assert price.usd(Usage(1_000_000, 1_000_000, 1_000_000, 1_000_000)) == pytest.approx(29.4)


def test_long_prompt_costs_its_factor_on_everything() -> None:
    price = Price(HAIKU, "2026-10-31")
    assert price.usd(Usage(input=100_000, output=0)) == pytest.approx(0.01)
    assert price.usd(Usage(input=50_000, cache_read=50_001)) == pytest.approx((0.005 + 0.00050001) * 5)
    assert price.most_usd(100_001, 0) > 5 * price.most_usd(99_999, 0) * 0.99


def test_table_is_dated_and_a_longer_name_wins() -> None:
    found = prices.price("claude-haiku-5-5-20261001")
    assert (found.known, found.row.output, found.date) == (True, 0.5, "2026-10-31")


def test_unknown_model_is_counted_at_the_dearest_price() -> None:
    found = prices.price("llama-9")
    assert not found.known
    assert found.row.output == 50.0


def test_own_prices_come_first_and_mistakes_are_told(tmp_path) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('date = "2026-11-01"\n[models."llama"]\ninput = 0\noutput = 0\ncache_read = 0\ncache_write = 0\n')
    assert prices.price("llama-9", own).usd(Usage(input=10**6)) == 0
    own.write_text('date = "x"\n[models.a]\ninput = -1\n')
    with pytest.raises(Refused, match=r"docs/agent\.md"):
        prices.price("a", own)
    with pytest.raises(Refused, match="REGREEN_PRICES"):
        prices.price("a", tmp_path / "none.toml")


PRICE = Price(Row(input=10, output=100, cache_read=1, cache_write=12.5), "2026-10-31")


def test_reservation_shrinks_the_answer_and_limits_the_tries() -> None:
    budget = Budget(Caps(calls=10, usd=1.0))
    assert budget.reserve(PRICE, 1000, 4000).tries == 2
    budget.usd = 0.85
    assert budget.reserve(PRICE, 1000, 4000).max_tokens == 1000
    budget.usd = 0.95
    with pytest.raises(Spent, match=r"\$1\.00"):
        budget.reserve(PRICE, 1000, 4000)


def test_everything_that_was_paid_is_booked() -> None:
    budget = Budget(Caps())
    reserved = Reservation(1000, 1000, 0.2, 3)
    turn = Turn((Text("x"),), "end", Usage(input=1000, output=100))
    budget.charge(PRICE, reserved, Reply(turn, tries=3, wasted=(Usage(input=1000),), unknown=1, lost=1, seconds=5))
    assert budget.calls == 3
    assert budget.usd == pytest.approx(0.02 + 0.01 + 0.2 + 0.2)
    assert budget.tokens == 1100 + 1000 + 2000 + 2000
    assert budget.seconds == 5


def test_time_is_a_limit_too() -> None:
    budget = Budget(Caps(wall_s=10))
    budget.waited(11)
    with pytest.raises(Spent, match="10 s"):
        budget.reserve(PRICE, 10, 1000)
    with pytest.raises(Spent, match="10 s"):
        budget.may_test()


class Faulty:
    """A model that fails as its list says."""

    name, provider = "faulty", "test"

    def __init__(self, faults):
        self.faults = list(faults)
        self.asked = 0

    def answer(self, ask):
        self.asked += 1
        fault = self.faults.pop(0) if self.faults else None
        if fault:
            raise fault
        return Turn((Text("ok"),), "end", Usage(1, 0, 0, 1))


def ask(faults, *, tries=9, **patience) -> tuple[Reply, list[float], Faulty]:
    pauses: list[float] = []
    model = Faulty(faults)
    reply = Patient(model, Patience(**patience), sleep=pauses.append).ask(
        Conversation("", (), "x").ask(10), tries=tries
    )
    return reply, pauses, model


def test_busy_is_tried_again_with_pauses_that_grow() -> None:
    reply, pauses, _ = ask([Busy("busy", "x") for _ in range(7)])
    assert reply.turn is not None
    assert reply.tries == 8
    assert all(pause <= min(60, 2 * 2**number) for number, pause in enumerate(pauses))


def test_broken_is_never_tried_again() -> None:
    reply, pauses, model = ask([Broken("key", "x")])
    assert (reply.fault, reply.retryable, pauses, model.asked) == ("key", False, [], 1)


def test_wish_to_wait_is_kept_up_to_the_deadline() -> None:
    reply, pauses, _ = ask([Busy("busy", "x", after_s=7.0)])
    assert (pauses, reply.turn is not None) == ([7.0], True)
    reply, pauses, model = ask([Busy("busy", "x", after_s=3600.0)])
    assert (reply.after_s, pauses, model.asked) == (3600.0, [], 1)


def test_no_more_tries_than_the_budget_allows() -> None:
    assert ask([Busy("cut", "x")] * 9, tries=2)[2].asked == 2


def test_cost_of_failed_tries_is_told() -> None:
    reply, _, _ = ask([Busy("cut", "x", usage=Usage(input=50)), Busy("silent", "x")])
    assert (reply.wasted, reply.unknown) == ((Usage(input=50),), 1)


def test_breaker_opens_after_three_failures_and_closes_again() -> None:
    now = [0.0]
    breaker = Breaker(clock=lambda: now[0])
    for _ in range(3):
        breaker.note(answered=False)
    assert breaker.wait_s() == 60
    now[0] = 61
    assert breaker.wait_s() == 0
    breaker.note(answered=True)
    assert breaker.wait_s() == 0


def test_provider_that_is_down_is_left_alone_for_a_while() -> None:
    pauses: list[float] = []
    model = Faulty([Busy("busy", "x")] * 3)
    patient = Patient(model, Patience(tries=1), sleep=pauses.append)
    for _ in range(4):
        patient.ask(Conversation("", (), "x").ask(10), tries=9)
    assert [round(pause) for pause in pauses] == [60]
    hasty = Patient(Faulty([Busy("busy", "x")] * 9), Patience(tries=1, deadline_s=10), sleep=pauses.append)
    replies = [hasty.ask(Conversation("", (), "x").ask(10), tries=9) for _ in range(4)]
    assert [reply.tries for reply in replies] == [1, 1, 1, 0]


def test_reply_survives_the_store_of_steps() -> None:
    turn = Turn(
        (Text("a"), Thought('{"x": 1}'), Call("1", "t", {"a": [1, "é"]}), Call("2", "t", None)),
        "tools",
        Usage(1, 2, 3, 4),
    )
    reply = Reply(turn, wasted=(Usage(known=False),), lost=1)
    assert decode(Reply, encode(Reply, reply)) == reply
    message = Message("user", (Answered("1", "t", "x", error=True),))
    assert decode(Message, encode(Message, message)) == message


def test_reworded_thoughts_do_not_hide_a_circle() -> None:
    watch = Watch("d")
    signs = [watch.saw("read_file", {"path": "a"}, f"took 0.{n} s at 0x{n}") for n in range(5)]
    assert [bool(sign) for sign in signs] == [False, False, True, False, True]
    assert signs[4] is not None
    assert signs[4].stop


def test_polling_that_sees_something_new_is_no_circle() -> None:
    watch = Watch("d")
    assert not any(watch.saw("run_tests", {}, f"{n} failed") for n in range(10))


@pytest.mark.parametrize("period", [2, 3])
def test_longer_circles_are_seen(period: int) -> None:
    watch = Watch("d")
    signs = [watch.saw("read_file", {"path": str(n % period)}, f"text {n % period}") for n in range(period * 5)]
    assert next(n for n, sign in enumerate(signs) if sign and not sign.stop) == period * 3 - 1
    assert signs[-1] is not None
    assert signs[-1].stop


def test_edits_that_undo_one_another_are_seen() -> None:
    watch = Watch("a")
    signs = [watch.changed(digest) for digest in ["b", "a", "b", "a", "b", "a"]]
    assert [sign.stop if sign else None for sign in signs][:2] == [None, False]
    assert any(sign and sign.stop for sign in signs)


def test_same_failure_through_different_edits_is_told_and_then_ends() -> None:
    watch = Watch("0")
    signs = [watch.failed("sig", str(n)) for n in range(5)]
    assert [sign.stop if sign else None for sign in signs] == [None, None, None, False, True]


def test_asking_for_what_no_tool_gives_ends_the_attempt() -> None:
    watch = Watch("0")
    signs = [watch.saw("read_file", {"path": f"/etc/{n}"}, f"no {n}", error="outside") for n in range(8)]
    assert signs[-1] is not None
    assert signs[-1].stop
    assert not any(signs[:-1])


def test_looking_around_for_long_is_told() -> None:
    watch = Watch("0")
    signs = [watch.saw("read_file", {"path": str(n)}, f"text {n}") for n in range(40)]
    assert sum(bool(sign) for sign in signs) == 0 or next(sign for sign in signs if sign).text.startswith(
        "You have looked"
    )


def conversation() -> Conversation:
    talk = Conversation("s", (), "first " * 200)
    for number in range(10):
        talk.heard(Turn((Call(f"c{number}", "t", {}),), "tools", Usage(known=False)))
        talk.say((Answered(f"c{number}", "t", "x" * 3000),))
    return talk


def test_clearing_frees_old_results_and_keeps_calls_paired() -> None:
    talk = conversation()
    before = talk.tokens()
    assert talk.clear() > 7000
    assert talk.tokens() < before - 7000
    answers = [block for message in talk.messages for block in message.blocks if isinstance(block, Answered)]
    assert [answer.call_id for answer in answers] == [f"c{n}" for n in range(10)]
    assert [len(answer.text) > 1000 for answer in answers] == [False] * 8 + [True] * 2
    assert talk.messages[0].blocks == (Text("first " * 200),)


def test_withheld_result_still_answers_its_call() -> None:
    talk = conversation()
    assert talk.withhold_last()
    last = talk.messages[-1].blocks[0]
    assert isinstance(last, Answered)
    assert (last.call_id, len(last.text) < 50) == ("c9", True)
    assert not Conversation("s", (), "x").withhold_last()


def candidate(contents: dict[str, str], cause: str) -> Candidate:
    return Candidate(patch(contents), "agent", "m", cause)


PRICING = SHOP["shop/pricing.py"]


def test_agreement_beats_size_and_risk_beats_agreement() -> None:
    tree = files(SHOP)
    one = candidate({"shop/pricing.py": PRICING.replace("/ 100)", "/ 100, 2)")}, "one")
    same = candidate({"shop/pricing.py": PRICING.replace("/ 100)", "/ 100,  2)  # cents")}, "same")
    other = candidate({"shop/pricing.py": PRICING.replace("/ 100)", "/1, 2)")}, "other")
    wide = candidate(
        {"shop/pricing.py": PRICING.replace("/ 100)", "/ 100, 2)"), "shop/__init__.py": "X = 1\n"}, "wide"
    )
    renamed = candidate({"shop/pricing.py": PRICING.replace("def total(prices)", "def total(items)")}, "renamed")
    assert normalised(tree, one.patch) == normalised(tree, same.patch)
    ordered = [found.root_cause for found in best_first([wide, renamed, other, one, same], tree)]
    assert ordered == ["one", "same", "other", "renamed", "wide"]
