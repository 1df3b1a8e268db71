"""What an attempt leaves to the next one: a page, and nothing else of its conversation."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engines.agent.outputs import cut
from bot.nouns import Candidate, Verdict

_DIFF_CHARS = 4000
_REASON_CHARS = 300


def page(
    *, why: str, diff: str, red: Sequence[str], refuted: Sequence[str], judged: Sequence[tuple[Candidate, Verdict]]
) -> str:
    """Why it ended, what it had changed (which is undone now), what still failed, and what was ruled out."""
    parts = [f"It ended because: {why}"]
    if diff:
        parts.append(f"Its changes, which are undone now:\n{cut(diff, _DIFF_CHARS)}")
    if red:
        parts.append("Still red at its last run: " + ", ".join(red[:10]))
    for candidate, verdict in judged:
        reasons = "; ".join(f"{reason.code}: {reason.detail[:_REASON_CHARS]}" for reason in verdict.reasons[:5])
        parts.append(f"The gate said no to a patch of {', '.join(candidate.patch.files)}: {reasons}")
    if refuted:
        parts.append("Ruled out:\n" + "\n".join(f"- {text}" for text in refuted[:10]))
    return "\n\n".join(parts)
