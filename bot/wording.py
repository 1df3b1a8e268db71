"""Every sentence that a user reads on GitHub or at the end of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.escape import MAX_BODY_CHARS, cell, code, fence, plain, prose
from bot.nouns import (
    Behaviour,
    Candidate,
    Evidence,
    LayerRecord,
    Outcome,
    Publication,
    SearchStats,
    TestChange,
    Verdict,
)

_SENTENCES = {
    Outcome.FIXED: "The failure is fixed, and the fix is verified.",
    Outcome.ALREADY_GREEN: "Nothing to fix: every test passes on this commit.",
    Outcome.FLAKY: "The same commit is red once and green once. A flaky test is not repaired by guessing.",
    Outcome.CANNOT_SET_UP: "The project could not be set up.",
    Outcome.ENVIRONMENT_DIFFERS: "The failure depends on something that the sandbox does not have.",
    Outcome.TEST_LOOKS_WRONG: "The test itself looks wrong; tests are never changed here.",
    Outcome.GAVE_UP: "No fix was found that the gate accepts.",
    Outcome.OVER_BUDGET: "The budget was spent before a fix was found.",
    Outcome.BASE_BROKEN: "The same tests fail on the base branch: they are repaired there.",
    Outcome.SUPERSEDED: "The branch has moved on; this result would be about an old commit.",
    Outcome.CANCELLED: "The repair was cancelled.",
    Outcome.REFUSED: "This was not done.",
}

_MAX_ROWS = 25
_MAX_RED = 5
MAX_BEHAVIOURS = 10
_MAX_TITLE_CHARS = 120


def sentence(outcome: Outcome) -> str:
    """What an outcome means, in one sentence."""
    return _SENTENCES[outcome]


def verdict(judged: Verdict) -> str:
    """What the gate says of somebody's patch: the first reason in words, and the codes of all."""
    if judged.verdict == "accepted":
        return "Accepted: every red test turns green, twice, and no other test is lost."
    codes = ", ".join(dict.fromkeys(reason.code for reason in judged.reasons))
    why = f"{judged.reasons[0].detail} ({codes})" if judged.reasons else "no reason was given"
    return f"{'Rejected' if judged.verdict == 'rejected' else 'A person has to look'}: {why}."


def gave_up(
    stats: Mapping[str, SearchStats],
    rejected: Sequence[tuple[Candidate, Verdict]],
    *,
    limit: str = "",
    why_red: Sequence[str] = (),
    hopeless: bool = False,
    for_a_person: str = "",
) -> str:
    """What was tried, where it looked, and how near it came. `limit`: what ended the work, if a limit did.

    `why_red`: what stands behind the failing tests, as far as it can be told. `hopeless`: no other engine could
    mend that either. `for_a_person`: the diff of a candidate that a person may accept, below the first line.
    """
    parts = [f"{sentence(Outcome.OVER_BUDGET)} {limit}" if limit else sentence(Outcome.GAVE_UP), *why_red]
    for engine, stat in stats.items():
        places = ", ".join(stat.places[:5])
        where = f" in {places}" if places else ""
        tried = _counted(stat.tried, "change")
        parts.append(f"The {engine} engine tried {tried} in {stat.seconds:.0f} s{where}.")
        if stat.best:
            parts.append(f"Nearest: {stat.best.rstrip('.')}.")
        if stat.doubt:
            parts.append(f"Nothing is proposed: {stat.doubt}.")
    if rejected:
        codes = sorted({reason.code for _, verdict in rejected for reason in verdict.reasons})
        count = "One candidate" if len(rejected) == 1 else f"{len(rejected)} candidates"
        parts.append(f"{count} passed the failing tests but not the gate ({', '.join(codes)}).")
    if set(stats) == {"search"} and not hopeless:
        parts.append("Only the offline search was asked; the engine `agent` asks a language model.")
    if for_a_person:
        parts.append("One of them only a person can judge; it is shown here, and published nowhere.\n" + for_a_person)
    return " ".join(parts)


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def undeclared(told: str) -> str:
    """Code that imports what nothing provides."""
    return f"{sentence(Outcome.CANNOT_SET_UP)} {told}"


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
        _reproduction(evidence),
        _test_table(evidence),
        "### Diff\n\n" + fence(evidence.patch, "diff"),
        _behaviour(evidence),
        _evidence_table(evidence),
        _promise(evidence),
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


def red_rows(evidence: Evidence) -> tuple[tuple[TestChange, ...], int]:
    """Tests that are still red and why, for a repair that did not come about: some of them, and how many more."""
    red = [change for change in evidence.tests if change.error]
    return tuple(red[:_MAX_RED]), max(0, len(red) - _MAX_RED)


def _red_table(evidence: Evidence) -> str:
    shown, rest = red_rows(evidence)
    if not shown:
        return ""
    rows = "\n".join(f"| {cell(change.id)} | {cell(change.error)} |" for change in shown)
    return "| red test | its error |\n| --- | --- |\n" + rows + (f"\n\n… and {rest} more." if rest else "")


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


def _promise(evidence: Evidence) -> str:
    tests = "Tests that were there, test" if evidence.reproduction else "Tests, test"
    return (
        f"{tests} configuration and CI files are untouched: a patch that changes them is refused before "
        "anything is run. The tests ran without a network. Merging is up to you."
    )


def check_title(evidence: Evidence, published: Publication | None = None) -> str:
    """Title of the check run."""
    if evidence.outcome == Outcome.FIXED and published is not None:
        return {
            "opened": f"Fix verified: pull request {published.number}",
            "committed": f"Fix verified: commit {published.head[:12]}",
            "suggested": "Fix verified: suggestions on the pull request",
        }.get(published.state, "Fix verified: the patch stands below")
    return sentence(Outcome(evidence.outcome))[:200]


def check_summary(evidence: Evidence, published: Publication | None = None) -> str:
    """Summary of the check run: what came out, and what a person can do next."""
    if evidence.outcome == Outcome.FIXED:
        lines = [f"**Root cause.** {prose(evidence.root_cause)}", *_where(evidence, published)]
        lines += [_test_table(evidence), _evidence_table(evidence)]
    else:
        # The title stands right above it, and says the first sentence already.
        rest = evidence.message.removeprefix(sentence(Outcome(evidence.outcome))).lstrip()
        lines = [_story(rest), _red_table(evidence), _next_step(Outcome(evidence.outcome))]
    # GitHub takes no title without a summary.
    return "\n\n".join(line for line in lines if line)[:MAX_BODY_CHARS] or prose(evidence.message)


def _where(evidence: Evidence, published: Publication | None) -> list[str]:
    """Where the verified patch is to be found, and why it is there and nowhere else."""
    if published is None:
        return []
    why = prose(published.why)
    if published.state == "patch-only":
        return [
            why, "This is the verified patch; save it to a file and apply it with `git apply FILE`:",
            fence(evidence.patch, "diff", limit=MAX_BODY_CHARS - 10_000),
        ]  # fmt: skip
    kind = {"opened": "Pull request", "committed": "Commit", "suggested": "Suggestions"}[published.state]
    return [f"{kind}: {published.url}", why]


def _story(message: str) -> str:
    """The first line as prose, the rest (the last words of a test run, say) as a block."""
    first, _, rest = message.partition("\n")
    return prose(first) + (f"\n\n{fence(rest)}" if rest.strip() else "")


def _next_step(outcome: Outcome) -> str:
    return {
        Outcome.FLAKY: "Run the test a few times by hand; it most likely depends on order, time or chance.",
        Outcome.CANNOT_SET_UP: "Mend what the message names, then run the check again.",
        Outcome.ENVIRONMENT_DIFFERS: "Mark such tests so that they are skipped without a network.",
        Outcome.GAVE_UP: "A person has to look. What was learned stands above.",
        Outcome.BASE_BROKEN: "`Fix` on this check repairs them on the pull request all the same.",
        Outcome.OVER_BUDGET: "`Retry` on the check starts again with a new budget; the operator can raise it.",
        Outcome.SUPERSEDED: "The new commit gets its own repair when its checks turn red.",
    }.get(outcome, "")


def comment(evidence: Evidence, *, marker: str, published: Publication | None = None) -> str:
    """The one sticky comment. It holds the patch itself where that could be put nowhere else."""
    if evidence.outcome == Outcome.FIXED and published is not None:
        first = {
            "opened": f"Fixed and verified in #{published.number}.",
            "committed": f"Fixed and verified in {published.head}.",
            "suggested": "Fixed and verified: the suggestions of my review can be committed as they are.",
        }.get(published.state, "Fixed and verified.")
        lines = [first, f"**Root cause.** {prose(evidence.root_cause)}"]
        lines += [prose(published.why)] if published.state != "patch-only" else _where(evidence, published)
        lines += [_test_table(evidence)] if published.state == "patch-only" else []
    else:
        lines = [_story(evidence.message), _red_table(evidence), _next_step(Outcome(evidence.outcome))]
    body = "\n\n".join(line for line in lines if line)
    return f"{body[: MAX_BODY_CHARS - len(marker) - 2]}\n\n{marker}"


def base_broken(branch: str, sha: str) -> str:
    """A failure that the pull request did not bring."""
    return (
        f"The same tests fail in the same way on the base branch {code(branch)} ({code(sha[:12])}), so that they are "
        "repaired there, once for all pull requests. This will say what came out."
    )


def base_settled(branch: str, base: Evidence, published: Publication | None) -> str:
    """What became of the repair of the base branch, for the pull requests that wait for it."""
    begin = f"The same tests fail in the same way on the base branch {code(branch)}."
    if published is not None and published.state == "opened":
        return (
            f"{begin} They are fixed in pull request {published.number}: merge it, then bring this branch up to date."
        )
    return f"{begin} Its repair ended so: {base.message.partition(chr(10))[0] or sentence(Outcome(base.outcome))}"


def no_test_shows() -> str:
    """An issue about a fault that no test shows, and no language model to write one."""
    return (
        "Every test passes on this commit, so that none shows what the issue tells of. With a language model "
        "configured, such a test would be written first; without one, add a failing test and set the label again."
    )


def not_reproduced(why: str) -> str:
    """A model found no test that shows the fault."""
    return f"Every test passes on this commit, and no test was found that shows what the issue tells of: {why}"


def test_by_model(shows: str) -> str:
    """Said beside a fix whose test was not there before."""
    return f"no test showed the fault, so a language model wrote one from the issue; read it first. It shows: {shows}"


def test_commit_message(evidence: Evidence) -> str:
    """Message of the commit with the new test; from a template, as that of the fix."""
    return f"Add a test that shows the fault\n\nRed without the next commit. Regreen, job {evidence.job}.\n"


def _reproduction(evidence: Evidence) -> str:
    if not evidence.reproduction:
        return ""
    return (
        "### A new test\n\nNo test showed the fault. This one was written from the issue; it is a commit of its own, "
        f"and fails without the fix:\n\n{fence(evidence.reproduction, 'diff')}"
    )


def left_behind(sha: str, why: str) -> str:
    """A verified patch that does not hold on the commit that the branch points at by now."""
    return f"{sentence(Outcome.SUPERSEDED)} The fix does not hold on {code(sha[:12])}: {why}"


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


def result(evidence: Evidence, published: Publication | None) -> str:
    """What `explain` says of a repair later on."""
    said = comment(evidence, marker="", published=published).rstrip()
    layers = [layer for layer in evidence.layers if layer.detail]
    judged = "\n".join(f"- {cell(layer.layer)}: {prose(layer.detail)}" for layer in layers)
    return said + (f"\n\nWhat the gate looked at:\n\n{judged}" if judged else "")


_RETRY = {"label": "Retry", "description": "Try to repair this commit again", "identifier": "retry"}
_FIX = {"label": "Fix", "description": "Repair it on this pull request", "identifier": "fix"}
_STOP = {"label": "Stop", "description": "Cancel this repair", "identifier": "stop"}


def buttons(outcome: Outcome | None) -> list[dict[str, str]]:
    """Buttons of the check run (GitHub: at most 20, 40 and 20 characters); None while the work goes on."""
    if outcome is None:
        return [_STOP]
    if outcome is Outcome.BASE_BROKEN:
        return [_FIX]
    return [] if outcome in (Outcome.FIXED, Outcome.ALREADY_GREEN) else [_RETRY]
