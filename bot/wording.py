"""Every sentence that a user reads on GitHub or at the end of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.escape import MAX_BODY_CHARS, cell, code, fence, plain, prose
from bot.nouns import Behaviour, Candidate, Evidence, LayerRecord, Outcome, SearchStats, TestChange, Verdict

_SENTENCES = {
    Outcome.FIXED: "The failure is fixed, and the fix is verified.",
    Outcome.ALREADY_GREEN: "Nothing to fix: every test passes on this commit.",
    Outcome.FLAKY: "The same commit is red once and green once. A flaky test is not repaired by guessing.",
    Outcome.CANNOT_SET_UP: "The project could not be set up.",
    Outcome.ENVIRONMENT_DIFFERS: "The failure depends on something that the sandbox does not have.",
    Outcome.TEST_LOOKS_WRONG: "The test itself looks wrong; tests are never changed here.",
    Outcome.GAVE_UP: "No fix was found that the gate accepts.",
    Outcome.OVER_BUDGET: "The budget is spent before a fix was found.",
    Outcome.SUPERSEDED: "The branch has moved on; this result would be about an old commit.",
    Outcome.CANCELLED: "The repair was cancelled.",
    Outcome.REFUSED: "This was not done.",
}

_MAX_ROWS = 25
MAX_BEHAVIOURS = 10
_MAX_TITLE_CHARS = 120


class Pulled(Protocol):
    """What is said of a pull request of ours."""

    @property
    def number(self) -> int: ...


def sentence(outcome: Outcome) -> str:
    """What an outcome means, in one sentence."""
    return _SENTENCES[outcome]


def verdict(judged: Verdict) -> str:
    """What the gate says of somebody's patch, in one sentence."""
    codes = ", ".join(dict.fromkeys(reason.code for reason in judged.reasons))
    return {
        "accepted": "Accepted: every red test turns green, twice, and no other test is lost.",
        "needs-review": f"A person has to look: {codes}.",
        "rejected": f"Rejected: {codes}.",
    }[judged.verdict]


def gave_up(
    stats: Mapping[str, SearchStats],
    rejected: Sequence[tuple[Candidate, Verdict]],
    *,
    limit: str = "",
    for_a_person: str = "",
) -> str:
    """What was tried, where it looked, and how near it came. `limit`: what ended the work, if a limit did.

    `for_a_person`: the diff of a candidate that a person may accept; it stands below the first line.
    """
    parts = [f"{sentence(Outcome.OVER_BUDGET)} {limit}" if limit else sentence(Outcome.GAVE_UP)]
    for engine, stat in stats.items():
        places = ", ".join(stat.places[:5])
        where = f" in {places}" if places else ""
        parts.append(f"The {engine} engine tried {stat.tried:,} changes in {stat.seconds:.0f} s{where}.")
        if stat.best:
            parts.append(f"Nearest: {stat.best}")
        if stat.doubt:
            parts.append(f"Nothing is proposed: {stat.doubt}.")
    if rejected:
        codes = sorted({reason.code for _, verdict in rejected for reason in verdict.reasons})
        count = "One candidate" if len(rejected) == 1 else f"{len(rejected)} candidates"
        parts.append(f"{count} passed the failing tests but not the gate ({', '.join(codes)}).")
    if for_a_person:
        parts.append("One of them only a person can judge; it is shown here, and published nowhere.\n" + for_a_person)
    return " ".join(parts)


def doubt(why: str) -> str:
    """A model's belief that the test is wrong, told as what it is."""
    return f"{sentence(Outcome.TEST_LOOKS_WRONG)} The model's reason, which nobody has checked: {why}"


def pull_title(evidence: Evidence) -> str:
    """Title of the pull request: what turns green, and where the change is. No text of others unescaped."""
    cured = [change for change in evidence.tests if change.after == "passed"]
    name = _short(cured[0].id) if cured else "the failing tests"
    verb = f"and {len(cured) - 1} more pass" if len(cured) > 1 else "passes"
    title = plain(f"Fix {_files(evidence)}: {name} {verb} again")
    # A title is no Markdown, so nothing can be escaped in it: what could mention or close is left out.
    return "".join(char for char in title if char not in "@#\n\t")[:_MAX_TITLE_CHARS]


def _short(test_id: str) -> str:
    return test_id.rsplit("::", 1)[-1].split("[", maxsplit=1)[0]


def _files(evidence: Evidence) -> str:
    files = [line[len("+++ b/") :] for line in evidence.patch.splitlines() if line.startswith("+++ b/")]
    return ", ".join(files[:2]) + (" …" if len(files) > 2 else "")


def commit_message(evidence: Evidence) -> str:
    """Message of the commit; from a template, so that no text of others can close issues or skip CI."""
    cured = [_short(change.id) for change in evidence.tests if change.after == "passed"][:10]
    files = _files(evidence)
    names = "".join(f"\n- {''.join(char for char in name if char.isalnum() or char in '_-.')}" for name in cured)
    return f"Fix {files}\n\nTurns green:{names}\n\nVerified by Regreen, job {evidence.job}.\n"


def pull_body(evidence: Evidence, *, marker: str, about: str = "") -> str:
    """Body of the pull request: root cause, diff, evidence table. Closes with the hidden marker."""
    sections = [
        f"**Root cause.** {prose(evidence.root_cause)}",
        about,
        _test_table(evidence),
        "### Diff\n\n" + fence(evidence.patch, "diff"),
        _behaviour(evidence),
        _evidence_table(evidence),
        _promise(),
    ]
    body = "\n\n".join(section for section in sections if section)
    return f"{body[: MAX_BODY_CHARS - len(marker) - 2]}\n\n{marker}"


def _test_table(evidence: Evidence) -> str:
    rows = [_row(change) for change in evidence.tests[:_MAX_ROWS]]
    rest = len(evidence.tests) - len(rows)
    more = f"\n\n… and {rest} more." if rest > 0 else ""
    same = evidence.tests_total - len(evidence.tests)
    unchanged = f"\n\nThe other {same} tests of the suite give the same results as before." if same > 0 else ""
    return "### Tests\n\n| test | before | after |\n| --- | --- | --- |\n" + "\n".join(rows) + more + unchanged


def _row(change: TestChange) -> str:
    icons = {"passed": "✅ passed", "failed": "❌ failed", "error": "❌ error"}
    return (
        f"| {cell(change.id)} | {icons.get(change.before, change.before)} | {icons.get(change.after, change.after)} |"
    )


def changed(evidence: Evidence) -> tuple[Behaviour, ...]:
    """Inputs whose result differs with the patch, from all layers that looked for them."""
    return tuple(behaviour for layer in evidence.layers for behaviour in layer.changed)[:MAX_BEHAVIOURS]


def _behaviour(evidence: Evidence) -> str:
    """Folded: what changes beyond the tests, so that a person sees whether it is meant."""
    found = changed(evidence)
    if not found:
        return ""
    rows = "\n".join(
        f"| {cell(one.call)} | {cell(one.before)} | {cell(one.after)}{' ⚠️' if one.worse else ''} |" for one in found
    )
    worse = sum(one.worse for one in found)
    warning = f" ({worse} that worked before)" if worse else ""
    return (
        f"<details><summary>Behaviour that changed: {len(found)} inputs that no test uses{warning}</summary>\n\n"
        f"| call | before | after |\n| --- | --- | --- |\n{rows}\n\n</details>"
    )


def _mark(layer: LayerRecord) -> str:
    return "n/a" if layer.unapplied else "✅" if layer.passed else "❌"


def _evidence_table(evidence: Evidence) -> str:
    rows = [
        ("commit repaired", cell(evidence.base_sha[:12])),
        ("tree with the patch", cell(evidence.tree[:12])),
        ("patch (SHA-256)", cell(evidence.patch_sha256[:16])),
        ("sandbox", cell(evidence.sandbox)),
        ("image", cell(evidence.image.removeprefix("sha256:")[:12])),
        ("command", cell(evidence.commands[0] if evidence.commands else "")),
        ("runs", "red twice before, green twice after, each in a box that ran nothing else"),
        ("gate", ", ".join(f"{layer.layer} {_mark(layer)}" for layer in evidence.layers)),
        (
            "engine",
            f"{code(evidence.engine)}, operator {code(evidence.operator)}, {evidence.candidates_tried:,} candidates",
        ),
        ("time", ", ".join(f"{name} {seconds:.1f} s" for name, seconds in evidence.durations_s.items())),
        ("cost", f"{evidence.tokens:,} tokens, ${evidence.cost_usd:.2f}"),
    ]
    lines = "\n".join(f"| {name} | {value} |" for name, value in rows)
    notes = "".join(f"\n- {prose(note)}" for note in evidence.notes)
    return f"### Evidence\n\n| fact | value |\n| --- | --- |\n{lines}" + (f"\n\nNotes:{notes}" if notes else "")


def _promise() -> str:
    return (
        "Tests, test configuration and CI files are untouched: a patch that changes them is refused before "
        "anything is run. The tests ran without a network. Merging is up to you."
    )


def check_title(evidence: Evidence, pull_number: int | None = None) -> str:
    """Title of the check run."""
    if evidence.outcome == Outcome.FIXED and pull_number:
        return f"Fix verified: pull request {pull_number}"
    return sentence(Outcome(evidence.outcome))[:200]


def check_summary(evidence: Evidence, pull_url: str = "") -> str:
    """Summary of the check run: what came out, and what a person can do next."""
    if evidence.outcome == Outcome.FIXED:
        lines = [f"**Root cause.** {prose(evidence.root_cause)}", f"Pull request: {pull_url}" if pull_url else ""]
        lines += [_test_table(evidence), _evidence_table(evidence)]
    else:
        lines = [_story(evidence), _next_step(Outcome(evidence.outcome))]
    return "\n\n".join(line for line in lines if line)[:MAX_BODY_CHARS]


def _story(evidence: Evidence) -> str:
    """The first line as prose, the rest (the last words of a test run, say) as a block."""
    first, _, rest = evidence.message.partition("\n")
    return prose(first) + (f"\n\n{fence(rest)}" if rest.strip() else "")


def _next_step(outcome: Outcome) -> str:
    return {
        Outcome.FLAKY: "Run the test a few times by hand; it most likely depends on order, time or chance.",
        Outcome.CANNOT_SET_UP: "Mend what the message names, then run the check again.",
        Outcome.ENVIRONMENT_DIFFERS: "Mark such tests so that they are skipped without a network.",
        Outcome.GAVE_UP: "A person has to look. What was learned stands above.",
        Outcome.SUPERSEDED: "The new commit gets its own repair when its checks turn red.",
    }.get(outcome, "")


def comment(evidence: Evidence, *, marker: str, pull_number: int | None = None, diff: bool = False) -> str:
    """The one sticky comment. `diff` adds the patch itself, where no pull request can be opened."""
    if evidence.outcome == Outcome.FIXED and pull_number:
        lines = [f"Fixed and verified in #{pull_number}.", f"**Root cause.** {prose(evidence.root_cause)}"]
    elif evidence.outcome == Outcome.FIXED and diff:
        lines = [
            f"**Root cause.** {prose(evidence.root_cause)}",
            "This is the verified patch. Regreen cannot push to a fork; apply it with `git apply`:",
            fence(evidence.patch, "diff"),
            _test_table(evidence),
        ]
    else:
        lines = [_story(evidence), _next_step(Outcome(evidence.outcome))]
    body = "\n\n".join(line for line in lines if line)
    return f"{body[: MAX_BODY_CHARS - len(marker) - 2]}\n\n{marker}"


_STAGES = {
    "prepare": ("Setting up", "Installing what the project needs into an image."),
    "reproduce": ("Reproducing", "Running the tests on the untouched commit, twice, to see the failure."),
    "repair": ("Looking for a fix", "Searching for a change of the code that turns the failing tests green."),
    "verify": ("Verifying", "A candidate is being judged in boxes that ran nothing else."),
}


def stage(name: str) -> tuple[str, str]:
    """Title and summary of the check run while a stage is running."""
    return _STAGES[name]


def working(marker: str, sha: str) -> str:
    """The sticky comment while a repair is running."""
    return f"Working on {code(sha[:12])}. This comment will say what came out.\n\n{marker}"


def broke(job: str, error: Exception) -> str:
    """A fault of ours, or of the machine, in words that hold nothing of the machine."""
    return (
        f"Regreen itself could not go on ({type(error).__name__}). The operator finds the details in the log "
        f"under the job {job}."
    )


def stopped(user: str, count: int) -> str:
    """Answer to `stop`, and the message of the jobs that it ended."""
    ended = {0: "Nothing was running.", 1: "The repair that was running is cancelled."}.get(
        count, f"The {count} repairs that were running are cancelled."
    )
    return f"{prose(user)} stopped the work on this pull request. {ended} A person can start it again."


def explained(last: str, *, under_way: bool) -> str:
    """Answer to `explain`: how the last repair ended."""
    running = "A repair is under way.\n\n" if under_way else ""
    return f"{running}{last or 'Nothing has been repaired here yet, so there is nothing to explain.'}"


def result(evidence: Evidence, pull: Pulled | None) -> str:
    """What `explain` says of a repair later on."""
    said = comment(evidence, marker="", pull_number=pull.number if pull else None).rstrip()
    layers = [layer for layer in evidence.layers if layer.detail]
    judged = "\n".join(f"- {cell(layer.layer)}: {prose(layer.detail)}" for layer in layers)
    return said + (f"\n\nWhat the gate looked at:\n\n{judged}" if judged else "")


def status(commits: Sequence[str], *, stopped_by: str | None, attempts: int) -> str:
    """Answer to `status`."""
    running = [f"A repair of {code(sha[:12])} is under way." for sha in commits] or ["No repair is under way."]
    stop = (
        [f"{prose(stopped_by)} stopped the work: red checks start nothing until a person asks."] if stopped_by else []
    )
    times = "once" if attempts == 1 else f"{attempts} times"
    tried = [f"Red checks started a repair {times}."] if attempts else []
    return " ".join([*running, *stop, *tried])


def help_text(unknown: str = "") -> str:
    """Answer to `help`, and to a command that there is not. The commands stand in code: this text starts nothing."""
    odd = f"There is no command {code(unknown)}.\n\n" if unknown else ""
    rows = "".join(f"\n| {code(f'/regreen {verb}')} | {what} |" for verb, what in _HELP)
    return (
        f"{odd}Commands are the first line of a comment, by somebody with write permission.\n\n"
        f"| command | what it does |\n| --- | --- |{rows}"
    )


_HELP = (
    ("fix", "repair what is red on the head of this pull request"),
    ("fix tests/test_a.py::test_b", "repair one test, or one test file"),
    ("retry", "the same as `fix`, also after a stop"),
    ("stop", "cancel what is running, and start nothing by itself any more"),
    ("status", "what is under way"),
    ("explain", "how the last repair ended, and what the gate looked at"),
    ("help", "this list"),
)


def attempts_spent(limit: int) -> str:
    """Told once, when a pull request was tried as often as its policy allows."""
    return (
        f"This pull request was tried {limit} times, and is still red: Regreen does not try again by itself. "
        "A person can ask for it."
    )


_RETRY = {"label": "Retry", "description": "Try to repair this commit again", "identifier": "retry"}
_STOP = {"label": "Stop", "description": "Cancel this repair", "identifier": "stop"}


def buttons(outcome: Outcome | None) -> list[dict[str, str]]:
    """Buttons of the check run (GitHub: at most 20, 40 and 20 characters); None while the work goes on."""
    if outcome is None:
        return [_STOP]
    return [] if outcome in (Outcome.FIXED, Outcome.ALREADY_GREEN) else [_RETRY]


def may_not_command(user: str) -> str:
    """Answer to somebody without write permission, in a log and never on GitHub: it would be noise."""
    return f"{user} has no write permission on this repository"
