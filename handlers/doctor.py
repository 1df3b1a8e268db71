"""`regreen doctor`: explains this installation, line by line."""

from __future__ import annotations

import dataclasses
import json

from rich.markup import escape

from bot import settings
from bot.doctor.checkup import examine
from bot.doctor.finding import Finding
from bot.escape import plain
from handlers.show import Screen

_STYLES = {"ok": "green", "warning": "yellow", "problem": "bold red"}


def run(screen: Screen, *, as_json: bool, contract: bool) -> int:
    """Examine, show, and return the exit code: 1 when anything is a problem."""
    found = []
    for finding in examine(settings.load, with_contract=contract):
        found.append(finding)
        if not as_json:
            _show(screen, finding)
    problems = sum(finding.state == "problem" for finding in found)
    if as_json:
        record = {"problems": problems, "findings": [dataclasses.asdict(finding) for finding in found]}
        screen.result(json.dumps(record, indent=2, ensure_ascii=False))
    return 1 if problems else 0


def _show(screen: Screen, finding: Finding) -> None:
    style = _STYLES[finding.state]
    text = escape(plain(finding.text))
    screen.out.print(f"[{style}]{finding.state:<8}[/{style}] [bold]{finding.subject:<15}[/bold] {text}")
    for line in (*finding.details, *([f"→ {finding.remedy}"] if finding.remedy else [])):
        screen.out.print(f"{'':<25}{escape(plain(line))}")
