"""What is answered to commands; like wording.py, every sentence of it is for people."""

from __future__ import annotations

from collections.abc import Sequence

from bot.escape import code, prose

_HELP = (
    ("fix", "repair what is red on the head of this pull request"),
    ("fix tests/test_a.py::test_b", "repair one test, or one test file"),
    ("retry", "the same as `fix`, also after a stop"),
    ("stop", "cancel what is running, and start nothing by itself any more"),
    ("status", "what is under way"),
    ("explain", "how the last repair ended, and what the gate looked at"),
    ("help", "this list"),
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


def attempts_spent(limit: int) -> str:
    """Told once, when a pull request was tried as often as its policy allows."""
    return (
        f"This pull request was tried {limit} times, and is still red: Regreen does not try again by itself. "
        "A person can ask for it."
    )


def money_spent(usd: float, limit: float) -> str:
    """Told when the repairs of a pull request have cost as much as the operator allows."""
    return (
        f"The repairs of this pull request have cost ${usd:.2f} of ${limit:.2f} that they may, and it is still red: "
        "Regreen does not try again by itself. A person can ask for it; REGREEN_PULL_BUDGET_USD is the limit."
    )


def may_not_command(user: str) -> str:
    """Answer to somebody without write permission, in a log and never on GitHub: it would be noise."""
    return f"{user} has no write permission on this repository"
