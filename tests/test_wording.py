"""What GitHub is told: sentences of ours, text of others made harmless."""

from __future__ import annotations

import re

import pytest
from factories import TARGET, make_evidence
from hypothesis import given
from hypothesis import strategies as st

from bot import wording
from bot.escape import MAX_BODY_CHARS, cell, code, fence, plain, prose
from bot.nouns import Behaviour, LayerRecord, Outcome, Publication, Reason, SearchStats, TestChange, Verdict

MARKER = "<!-- regreen:job=x -->"
HOSTILE = (
    "@org/everyone fixes #1 <img src=x> ![](https://evil/x) [a](b) https://evil \x1b]8;;http://evil\x07 <!-- "
    "</details> ``` ~~~ \u202e \u200b www.evil.example"
)


def test_hostile_text_in_prose_can_neither_mention_nor_link_nor_hide() -> None:
    text = prose(HOSTILE)
    for forbidden in ("@org", "fixes #1", "<", "![", "](", "https://", "www.", "\x1b", "\u202e", "\u200b", "```"):
        assert forbidden not in text


def test_code_spans_in_prose_stay_code() -> None:
    assert prose("`round(x)` drops *the* cents") == "`round(x)` drops &#42;the&#42; cents"
    assert "@me" not in prose("an odd ` backtick and @me")


@given(st.text())
def test_code_span_and_fence_cannot_be_ended_by_their_content(text: str) -> None:
    span = code(text)
    ticks = re.match(r"`*", span)
    assert ticks is not None
    if span:
        assert f"{ticks[0]}" not in span[len(ticks[0]) : -len(ticks[0])].replace("`" * (len(ticks[0]) - 1), "")
    block = fence(text)
    opening = block.split("\n", 1)[0]
    assert not any(line.startswith(opening) for line in block.split("\n")[1:-1])
    assert block.endswith("\n" + opening)


def test_long_text_is_cut_in_the_middle_and_says_how_much_is_left_out() -> None:
    """The first words say what was tried, the last ones how it ended."""
    cut = fence("first" + "x" * 30_000 + "last", limit=1000)
    assert "characters left out" in cut
    assert cut.splitlines()[1].startswith("first")
    assert cut.splitlines()[-2].endswith("last")
    assert len(cut) < 1200


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_plain_text_holds_no_control_characters(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", plain(text))


def test_terminal_sequences_are_removed_in_linear_time() -> None:
    assert plain("\x1b[31mred\x1b[0m\x1b]0;title\x07!\x9b") == "red!"
    assert plain("\x1b]" + "x" * 1_000_000) == "x" * (1_000_000 - 4096)


def test_table_cell_has_no_bar_and_is_short() -> None:
    assert "|" not in cell("a|b")
    assert len(cell("x" * 1000)) < 200


def test_pull_request_shows_root_cause_tests_diff_and_evidence() -> None:
    body = wording.pull_body(make_evidence(), marker=MARKER, about="For #5.")
    for part in (
        "Root cause",
        "drops the cents",
        TARGET,
        "❌ failed",
        "✅ passed",
        "```diff",
        "red twice before",
        "For #5.",
    ):
        assert part in body
    assert body.endswith(MARKER)
    assert wording.pull_title(make_evidence()) == "Fix shop/pricing.py: test_discount_keeps_cents passes again"


def test_title_cannot_mention_or_refer() -> None:
    evidence = make_evidence(tests=(TestChange("t.py::test_@org fixes #1\n", "failed", "passed"),))
    assert not set("@#\n") & set(wording.pull_title(evidence))


def test_body_keeps_its_marker_whatever_the_size() -> None:
    rows = tuple(TestChange("t" * 5000 + str(n), "failed", "passed") for n in range(5000))
    evidence = make_evidence(tests=rows, patch="+x\n" * 100_000, root_cause="y" * 100_000)
    body = wording.pull_body(evidence, marker=MARKER)
    assert len(body) <= MAX_BODY_CHARS
    assert body.endswith(MARKER)


def test_commit_message_cannot_close_issues_or_skip_ci() -> None:
    evidence = make_evidence(tests=(TestChange("t.py::test_x[fixes #1 [skip ci] @me]", "failed", "passed"),))
    message = wording.commit_message(evidence)
    assert not re.search(r"#\d|\[skip|@", message)


def test_giving_up_says_what_was_tried() -> None:
    stats = {
        "search": SearchStats(1234, 60.0, ("apply_discount (shop/pricing.py:4)",), "one of two tests turns green")
    }
    rejected = [(None, Verdict("rejected", (Reason("tests", "test-broken", "x"),)))]
    text = wording.gave_up(stats, rejected)  # type: ignore[arg-type]
    for part in ("1,234 changes", "shop/pricing.py:4", "one of two", "test-broken", "the engine `agent` asks"):
        assert part in text
    one = wording.gave_up({"search": SearchStats(1), "agent": SearchStats(0)}, (), why_red=["`a.b` does not exist."])
    assert "`a.b` does not exist. The search engine tried 1 change in" in one
    assert "the engine `agent` asks" not in one


def test_verdict_begins_with_a_sentence_and_ends_with_the_codes() -> None:
    reasons = (Reason("tests", "not-red-before", "the suite is green already"), Reason("tests", "other", "x"))
    said = wording.verdict(Verdict("rejected", reasons))
    assert said == "Rejected: the suite is green already (not-red-before, other)."


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_words(outcome: Outcome) -> None:
    evidence = make_evidence(outcome=str(outcome), message=wording.sentence(outcome) + "\nlast words ```")
    assert wording.check_title(evidence)
    assert wording.check_summary(evidence)
    assert wording.comment(evidence, marker=MARKER).endswith(MARKER)


def test_comment_for_a_fork_holds_the_patch() -> None:
    text = wording.comment(
        make_evidence(patch="+fixed = 1\n"), marker=MARKER, published=Publication("patch-only", why="No branch.")
    )
    assert "git apply" in text
    assert "+fixed = 1" in text


def test_behaviour_that_changed_is_folded_in_the_pull_request_and_can_hide_nothing() -> None:
    changed = (Behaviour("f(1)", "2", "3"), Behaviour(f"f('{HOSTILE}')", "'a|b'", "raises KeyError", worse=True))
    body = wording.pull_body(make_evidence(layers=(LayerRecord("probe", True, changed=changed),)), marker=MARKER)
    assert "2 inputs that no test uses (1 that worked before)" in body
    assert "| `f(1)` | `2` | `3` |" in body
    assert "raises KeyError` ⚠️" in body
    outside_of_code = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", body)
    assert (outside_of_code.count("<details>"), outside_of_code.count("</details>")) == (1, 1)
    assert "@org/everyone" not in outside_of_code


def test_pull_request_without_changed_behaviour_folds_nothing() -> None:
    assert "<details>" not in wording.pull_body(make_evidence(), marker=MARKER)
