"""Errors, named by what happens next.

    Refused       a person can mend it: told with a hint, never retried
      Unaccepted    it is GitHub that says so, of this very request: another way may do
    TryLater      GitHub or the model is busy: the job goes back, with a delay
    OutOfBudget   steps, money or time are spent: an outcome, not a crash
    SandboxError  the box broke (defined in `sandbox`): says nothing about the patch; new box, same job

Anything else is a bug and goes up whole.
"""

from __future__ import annotations


class Refused(Exception):
    """A person can mend this. `cause` says what is wrong, `remedy` what to do about it.

    `kind` is one word for machines, and decides the exit code of the command line: "usage" (2) or
    "cannot-set-up" (4).
    """

    def __init__(self, cause: str, remedy: str, *, kind: str = "usage", log: str = "") -> None:
        super().__init__(f"{cause} {remedy}")
        self.cause = cause
        self.remedy = remedy
        self.kind = kind
        self.log = log


class Unaccepted(Refused):
    """GitHub understood, and did not accept what was asked of it (409, 422)."""


class TryLater(Exception):
    """The other side is busy or out of order; `after_s` says how long to wait before the next try."""

    def __init__(self, cause: str, *, after_s: float) -> None:
        super().__init__(f"{cause}; trying again in {after_s:.0f} s")
        self.after_s = after_s


class OutOfBudget(Exception):
    """Time, steps or money are spent; the message says which."""
