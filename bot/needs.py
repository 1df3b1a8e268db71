"""What the App needs on GitHub: what app.yml asks for, as data to compare with what is granted."""

from __future__ import annotations

PERMISSIONS = {
    "metadata": "read",
    "contents": "write",
    "pull_requests": "write",
    "issues": "write",
    "checks": "write",
    "actions": "read",
    "statuses": "read",
}

EVENTS = frozenset(
    {
        "check_run",
        "check_suite",
        "workflow_run",
        "status",
        "issues",
        "issue_comment",
        "pull_request",
        "repository",
        "installation_target",
    }
)
