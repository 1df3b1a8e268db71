"""The contract as questions: localhub answers all of them as GitHub does, and one that was made worse is found out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from localhub.contract import ask

ROOT = Path(__file__).parent.parent


def test_localhub_answers_every_question_as_github_does() -> None:
    with ask.own_place() as (place, hub):
        asked = ask.ask_all(place)
        ask.webhooks_are_signed(asked, hub)
    assert asked.broken == []
    assert len(asked.held) > 60


@dataclass(frozen=True)
class Mutation:
    """A line of localhub, what is put in its place, and what the questions then say."""

    file: str
    line: str
    instead: str
    found: str


MUTATIONS = {
    "dead tokens live on": Mutation("auth.py", "if token.revoked or ", "if ", "a revoked token is worthless"),
    "long JWTs are taken": Mutation("auth.py", "expires > seconds + LONGEST_JWT_S", "False", "a JWT for an hour is refused"),
    "readers may write": Mutation("auth.py", ">= LEVELS.index(level)\n\n\ndef may", ">= 1\n\n\ndef may", "a reader's token cannot write"),
    "another form of tokens": Mutation("auth.py", 'value=f"ghs_', 'value=f"ghx_', "a token has GitHub's form"),
    "another signature": Mutation("webhooks.py", "delivery.raw, hashlib.sha256", 'delivery.raw + b" ", hashlib.sha256', "is signed"),
    "no numbers of repositories": Mutation("rest/dispatch.py", 'parts[1] != "repositories"', "True", "a repository is found by its number"),
    "bodies are not read": Mutation("rest/dispatch.py", "    if faults:\n        call.world.request", "    if False:\n        call.world.request", "repositories_have_numbers could not be asked"),
    "an error has another text": Mutation("rest/dispatch.py", '"Resource not accessible by integration"', '"Forbidden"', "a reader's token cannot write"),
    "a field is gone": Mutation("shapes/checks.py", '        "external_id": run.external_id,\n', "", "check-runs"),
    "a field has another type": Mutation("shapes/checks.py", '"name": run.name', '"name": 7', "check-runs"),
    "a field is gone, and nobody judges": Mutation("rest/dispatch.py", "    if not faults:\n        return found\n", "    found.body.pop('id', None) if isinstance(found.body, dict) else None\n    return found\n", "as described"),
    "commits are not signed": Mutation("shapes/commits.py", '"verified": True', '"verified": False', "a commit of the App is signed"),
    "branches are made twice": Mutation("rest/gitdata.py", "if git.ref(name) is not None", "if False", "a branch is made once"),
    "branches go back": Mutation("rest/gitdata.py", "not call.repo.git.is_ancestor(old, new)", "False", "a branch does not go back"),
    "pull requests are opened twice": Mutation("rest/pulls.py", "if pulls.open_between", "if 0 and pulls.open_between", "a pull request is opened once"),
    "reactions are given twice": Mutation("rest/issues.py", "201 if new else 200", "201", "a reaction is given once"),
    "comments name no App": Mutation("shapes/issues.py", "app(each.app, links) if each.app else None", "None", "a comment names the App"),
}  # fmt: skip


@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS.keys())
def test_localhub_that_was_made_worse_is_found_out(mutation: Mutation, tmp_path: Path) -> None:
    """A second or so each: every mutant is a process of its own, as the questions are asked by users."""
    shutil.copytree(ROOT / "localhub", tmp_path / "localhub", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "localhub" / mutation.file
    text = path.read_text()
    assert mutation.line in text, "the mutation fits no line any more"
    path.write_text(text.replace(mutation.line, mutation.instead))
    argv = [sys.executable, "-m", "localhub.contract.ask", "--localhub"]
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stderr[-2000:]
    broken = [line for line in done.stdout.splitlines() if line.startswith("BROKEN")]
    assert any(mutation.found in line for line in broken), done.stdout
