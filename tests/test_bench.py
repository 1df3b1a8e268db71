"""`regreen bench`: from the command line to scores, tables and the page."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, replace
from html.parser import HTMLParser
from pathlib import Path

import corpora
import pytest
from playwright.sync_api import sync_playwright

from bench import page, run
from bench.differences import between
from bench.score import Score
from bench.scorebook import Scorebook
from bench.tally import Rate, steady, table, tally
from bot.errors import Refused


def regreen(*args: str, timeout: float = 500) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "handlers.cli", "bench", *args]
    return subprocess.run(argv, capture_output=True, text=True, timeout=timeout)


def make_score(**changes: object) -> Score:
    one = Score("host/two", "d", "constant", "fixed", True, "off-by-one", 10, 1.5, 9.0, 2, 2, True)
    return replace(one, **changes)


def make_run(folder: Path, *rounds: list[Score], suite: str = "onefault") -> Path:
    about = run.About("regreen bench onefault", ("search",), "docker", 60, "0.1", "Linux, 2 cores", "2026-11-29")
    run.write_about(folder, about)
    for number, scores in enumerate(rounds, start=1):
        for score in scores:
            run.book(folder, suite, number).add(score)
    return folder


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(0, 0, 0, 100), (0, 10, 0, 27.75), (10, 10, 72.25, 100), (5, 10, 23.66, 76.34), (81, 100, 72.22, 87.49)],
)
def test_intervals_are_those_of_wilson(count, of, low, high):
    assert Rate(count, of).interval == pytest.approx((low, high), abs=0.01)


def test_rate_reads_as_a_person_would_say_it():
    assert str(Rate(3, 4)) == "3 (75.0 %, 30 to 95)"


def test_only_tasks_with_the_same_verdict_every_time_are_steady():
    first = [make_score(), make_score(task="b"), make_score(task="c")]
    second = [make_score(), make_score(task="b", resolved=False)]
    assert steady([first, second]) == Rate(1, 2)
    shown = table("t", [first, second])
    assert "2 rounds" in str(shown.caption)


def test_sums_say_what_the_gate_kept_out():
    one = tally([make_score(rejected=2, protected=1, outside=("x",)), make_score(outcome="gave-up", resolved=False)])
    assert (one.accepted, one.rejected, one.protected, one.outside) == (1, 2, 1, 1)


TRAP = {"expected": ("flaky", "environment-differs"), "resolved": False}


def test_leaving_the_code_alone_counts_where_it_is_right_and_the_reason_too():
    scores = [
        make_score(outcome="flaky", **TRAP),
        make_score(outcome="gave-up", **TRAP),
        make_score(outcome="fixed", **TRAP),
        make_score(outcome="gave-up", resolved=False),
        make_score(),
    ]
    one = tally(scores)
    assert (one.to_be_left, one.rightly_left, one.right, one.resolved, one.false_successes) == (3, 1, 2, 1, 1)
    assert one.solved == Rate(1, 2, 1)
    assert [score.right for score in scores] == [True, False, False, False, True]


def test_abstaining_where_either_is_right_is_right_and_no_trap():
    one = tally([make_score(outcome="gave-up", resolved=False, expected=("fixed", "gave-up"))])
    assert (one.right, one.to_be_left, one.resolved) == (1, 0, 0)


def test_further_rounds_of_the_same_tasks_do_not_make_an_interval_narrower():
    once = tally([make_score(task=name) for name in "abcd"])
    often = tally([make_score(task=name) for name in "abcd" for _ in range(5)])
    assert often.rate(often.resolved).interval == once.rate(once.resolved).interval
    assert Rate(20, 20).interval != once.rate(once.resolved).interval


def runs(**results: str) -> tuple[list[Score], list[Score]]:
    """Two runs by task: a letter for each, + where it ended right."""
    pairs = [
        [make_score(task=task, resolved=sign == "+") for task, sign in zip(results, signs, strict=True)]
        for signs in zip(*results.values(), strict=True)
    ]
    return pairs[0], pairs[1]


def test_differences_name_the_tasks_and_say_whether_they_may_be_chance():
    new, old = runs(a="+-", b="+-", c="-+", d="++", e="--")
    found = between(new, old)
    assert (found.better, found.worse, found.common) == (("a", "b"), ("c",), 5)
    assert found.chance == 1.0
    clear = between(*runs(**{f"t{number}": "+-" for number in range(10)}))
    assert clear.chance == pytest.approx(2 / 1024)
    assert "less than 1 %" in str(clear)
    assert str(between(new, new)) == "0 better, 0 worse of 5 tasks that both have tried"


def test_tasks_that_only_one_run_has_tried_are_no_difference():
    new, old = runs(a="+-", b="++")
    assert between(new, [*old[1:], make_score(task="z", resolved=False)]).common == 1


def test_share_of_the_rounds_counts_in_a_comparison():
    often = [make_score(), make_score(), make_score(resolved=False)]
    assert between(often, [make_score(), make_score(resolved=False)]).better == ("host/two",)


@pytest.mark.parametrize(
    ("only", "names", "fits"),
    [
        ("", ("a/b",), True),
        ("a/b", ("xa/bx",), True),
        ("a/*", ("a/b", "kind"), True),
        ("a/*", ("xa/b", "kind"), False),
        ("kind", ("a/b", "kind"), True),
        ("*[bc]", ("a/c",), True),
    ],
)
def test_patterns(only, names, fits):
    assert run.fits(only, *names) is fits


def test_rounds_are_read_in_order(tmp_path):
    scores = [[make_score(search_s=number)] for number in range(1, 12)]
    make_run(tmp_path, *scores)
    assert [found[0].search_s for found in run.rounds(tmp_path)["onefault"]] == list(range(1, 12))


def test_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(Refused, match="holds no run"):
        page.load(tmp_path)


class Page(HTMLParser):
    """Tags that are opened and closed as they should be, and everything that would be fetched or run."""

    VOID = {"meta", "br", "img", "path", "rect"}  # noqa: RUF012

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.outside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        if tag in ("script", "link", "iframe", "img"):
            self.outside.append(tag)
        self.outside += [value for name, value in attrs if name in ("src", "href") or name.startswith("on")]

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_page_is_whole_and_fetches_nothing(tmp_path):
    nasty = make_score(task="<script>alert(1)</script>", kind="<b>", patch="+ <img src=x>", said='"quotes" & <tags>')
    first = make_run(tmp_path / "new", [nasty, make_score(resolved=False)], [nasty])
    second = make_run(tmp_path / "old", [make_score(outcome="gave-up", resolved=False)], suite="packages")
    found = Page(page.render([page.load(first), page.load(second)]))
    assert found.open == []
    assert found.outside == []
    assert "<script>alert(1)</script>" in found.text
    assert "@import" not in found.text
    assert "url(" not in found.text


def test_page_stands_runs_side_by_side(tmp_path):
    new = make_run(tmp_path / "new", [make_score(), make_score(task="only-new")])
    old = make_run(tmp_path / "old", [make_score(resolved=False)])
    text = page.render([page.load(new), page.load(old)])
    (row,) = re.findall(r"<tr><td>only-new</td>.*?</tr>", text)
    assert "resolved, 1.5 s" in row
    assert "not scored" in row
    (row,) = re.findall(r"<tr><td>host/two</td>.*?</tr>", text)
    assert "false success" in row
    assert "1 better, 0 worse of 1 tasks" in text
    assert ">new: resolved<" in text


def test_page_says_what_was_left_for_the_right_reason_and_what_was_not(tmp_path):
    right = make_score(task="traps/right", outcome="flaky", **TRAP)
    wrong = make_score(task="traps/wrong", outcome="gave-up", **TRAP)
    beside = make_score(task="traps/beside", outside=("other.py",))
    text = page.render([page.load(make_run(tmp_path / "new", [right, wrong, beside], suite="traps"))])
    assert "flaky, as it should" in text
    assert "Resolved within a time" in text
    only_traps = page.render([page.load(make_run(tmp_path / "traps", [right, wrong], suite="traps"))])
    assert "Resolved within a time" not in only_traps
    assert "gave-up, not flaky or environment-differs" in text
    assert "1 (50.0 %" in text
    assert "Changed beside the known fix: other.py" in text


@pytest.mark.browser
def test_page_is_seen_in_a_browser_and_asks_for_nothing(tmp_path):
    """Charts have a size, long tables stay inside of the page, and a patch shows once its task is opened."""
    wide = make_score(task="host/" + "long-" * 30, resolved=False, patch="+ the patch")
    new = make_run(tmp_path / "new", [make_score(), wide])
    old = make_run(tmp_path / "old", [make_score(outcome="gave-up", resolved=False)])
    path = tmp_path / "index.html"
    path.write_text(page.render([page.load(new), page.load(old)]))
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    asked: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": 900, "height": 700})
        complaints: list[str] = []
        view.on("console", lambda message: complaints.append(message.text))
        view.on("request", lambda request: asked.append(request.url))
        view.goto(path.as_uri())
        sizes = [chart.bounding_box() for chart in view.locator("svg").all()]
        assert len(sizes) == 2
        assert all(size and size["width"] > 300 and size["height"] > 80 for size in sizes)
        assert view.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert not view.get_by_text("+ the patch").is_visible()
        view.get_by_text("false success, 1.5 s").click()
        assert view.get_by_text("+ the patch").is_visible()
        assert view.locator("rect.good").first.evaluate("bar => getComputedStyle(bar).fill") == "rgb(26, 127, 55)"
        assert complaints == []
        browser.close()
    assert asked == [path.as_uri()]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("onefualt",), "no suite 'onefualt'.*onefault.*quixbugs"),
        (("onefault", "--sandbox", "none"), "Without a sandbox"),
        (("onefault", "--only", "nope/*"), "No task of onefault"),
        (("onefault", "--engine", "bad:luck"), "no bad engine.*bad:lies"),
        (("onefault", "--engine", "magic"), "no engine 'magic'"),
        (("onefault", "--from", "."), "comes with Regreen"),
        (("quixbugs",), "--from PATH"),
        (("quixbugs", "--from", "nowhere"), "no checkout of QuixBugs"),
        ((), "No suite is named"),
    ],
)
def test_wrong_wishes_end_with_a_hint(args, message):
    done = regreen(*args, timeout=60)
    assert done.returncode == 2
    assert re.search(message, done.stderr, re.DOTALL), done.stderr


def test_page_can_be_made_again_without_running_anything(tmp_path):
    make_run(tmp_path / "new", [make_score()])
    make_run(tmp_path / "old", [make_score(resolved=False)])
    done = regreen("--out", str(tmp_path / "new"), "--against", str(tmp_path / "old"), "--json", timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["suites"]["onefault"]["resolved"] == 1
    assert ">old<" in (tmp_path / "new" / "index.html").read_text()


@pytest.mark.docker
def test_two_rounds_are_scored_from_end_to_end(docker_engine, tmp_path):
    """A second run with the same folder finds everything done, and makes the same page."""
    args = ("onefault", "--only", "units/conversion*", "--out", str(tmp_path), "--repeat", "2", "--jobs", "2")
    done = regreen(*args)
    assert done.returncode == 0, done.stderr
    for name in ("onefault.jsonl", "onefault.2.jsonl"):
        (score,) = Scorebook(tmp_path / name, Score).scores().values()
        assert (score.task, score.outcome, score.resolved) == ("units/conversion-upside-down", "fixed", True)
        assert score.attempts >= 1
        assert "LENGTHS[source]" in score.patch
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    again = regreen(*args, timeout=60)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    # Two rounds of one task say no more of others than one does.
    assert "2 rounds; the same verdict in all of them: 1 (100.0 %, 21 to 100)" in again.stdout


@pytest.mark.docker
def test_corpus_of_a_user_is_scored_by_one_command(docker_engine, tmp_path):
    corpus = corpora.quixbugs(tmp_path / "corpus")
    args = ("--only", "middle", "--engine", "known", "--out", str(tmp_path / "run"))
    done = regreen("quixbugs", "--from", str(corpus), *args)
    assert done.returncode == 0, done.stderr
    (score,) = Scorebook(tmp_path / "run" / "quixbugs.jsonl", Score).scores().values()
    assert (score.task, score.outcome, score.resolved) == ("middle", "fixed", True)


def test_scores_of_an_older_form_can_still_be_read(tmp_path):
    old = {
        name: value for name, value in asdict(make_score()).items() if name not in ("attempts", "rejected", "tokens")
    }
    (tmp_path / "onefault.jsonl").write_text(json.dumps(old) + "\n")
    assert run.rounds(tmp_path)["onefault"] == [[make_score()]]


@pytest.mark.parametrize(("percent", "code"), [("50", 0), ("51", 1)])
def test_too_small_a_share_ends_with_1(tmp_path, percent, code):
    make_run(tmp_path, [make_score(), make_score(task="b", resolved=False)])
    done = regreen("--out", str(tmp_path), "--at-least", percent, timeout=60)
    assert done.returncode == code
    assert ("at least 51 % should be" in done.stderr) is bool(code)
