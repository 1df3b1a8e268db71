"""Which files no repair may touch: tests, test and CI configuration, what installs and what starts up.

Names are compared case-folded and NFC-normalised: `Tests/` on a case-insensitive disk is `tests/`.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

import pathspec
import re2

_TEST_FOLDERS = {
    "test",
    "tests",
    "__tests__",
    "__snapshots__",
    "__mocks__",
    "spec",
    "specs",
    "e2e",
    "testdata",
}
_TEST_NAMES = re.compile(
    r"^(test_.*\.pyi?|.*_test\.pyi?|tests?\.py|.*\.(test|spec)\.[cm]?[jt]sx?|.*_test\.go|.*_spec\.rb"
    r"|.*tests?\.java|.*\.snap|.*\.ambr)$"
)
_CONFTEST = re.compile(r"^conftest\.pyi?$")
_TEST_CONFIG = re.compile(
    r"^(\.?pytest\.(ini|toml)|tox\.ini|tox\.toml|noxfile\.py|\.coveragerc|\.?nose2?\.cfg|unittest\.cfg|setup\.cfg"
    r"|\.env(\..*)?|\.?mypy\.ini|\.?ruff\.toml|\.flake8|\.?pylintrc|pyrightconfig\.json|\.pre-commit-config\.ya?ml"
    r"|\.coverage(\..*)?|hatch\.toml|pixi\.toml|\.envrc|(jest|vitest|karma|babel|playwright)\.config\..*|\.mocharc.*|\.nycrc.*|\.golangci\.ya?ml|codecov\.ya?ml)$"
)
_CI_FOLDERS = {".github", ".gitlab", ".circleci", ".buildkite", ".azure-pipelines", ".woodpecker", ".ci"}
_CI_NAMES = re.compile(
    r"^(\.gitlab-ci\.ya?ml|\.travis\.ya?ml|azure-pipelines\.ya?ml|jenkinsfile.*|appveyor\.ya?ml|\.appveyor\.ya?ml"
    r"|\.drone\.ya?ml|bitbucket-pipelines\.ya?ml|makefile|gnumakefile|justfile|taskfile\.ya?ml|dockerfile.*"
    r"|containerfile.*|(docker-)?compose.*\.ya?ml|(run[-_]?)?tests?\.(sh|bash|bat|cmd|ps1)|run[-_]?tests?(\.py)?)$"
)
_DEPENDENCIES = re.compile(
    r"^(.*requirements.*\.(txt|in)|constraints.*\.txt|.*\.lock|pipfile|package(-lock)?\.json|npm-shrinkwrap\.json"
    r"|pnpm-lock\.yaml|go\.(mod|sum)|cargo\.toml|pom\.xml|.*\.gradle(\.kts)?|environment\.ya?ml|setup\.py|manifest\.in"
    r"|\.python-version|pylock.*\.toml)$"
)
_STARTUP = re.compile(r"^((site|user)customize\.py|.*\.(pth|pyc|pyo|so|pyd|dll|dylib|egg-link)|entry_points\.txt)$")
_STARTUP_FOLDERS = re.compile(r"^(__pycache__|.*\.(egg-info|dist-info)|site-packages|\.?venv|node_modules)$")

POLICY_REMEDY = "with `gate.dependencies: true` in .github/regreen.yml a person decides"
EXPLANATIONS = {
    "test-changed": "tests are the specification, and a repair never edits them",
    "conftest-changed": "conftest.py steers the tests: a person changes it, by a commit of their own",
    "test-config-changed": "this file configures how the tests are run or checked: a person changes it",
    "ci-changed": "this file decides what CI runs: a person changes it",
    "dependency-changed": f"this file decides what is installed; {POLICY_REMEDY}",
    "startup-changed": "the interpreter or its packages load this file by themselves",
    "repository-file-changed": "git reads this file",
    "protected-by-policy": "`gate.protect` in .github/regreen.yml protects it",
}


def why_protected(path: str, test_files: Collection[str] = ()) -> str | None:
    """The reason code why `path` is off limits, or None where a repair may edit it.

    `test_files`: files in which the baseline run found tests, whatever their names.
    """
    folded = unicodedata.normalize("NFC", path).casefold()
    *folders, name = PurePosixPath(folded).parts or ("",)
    if _CONFTEST.match(name):
        return "conftest-changed"
    if any(folder in _CI_FOLDERS for folder in folders) or _CI_NAMES.match(name):
        return "ci-changed"
    if any(part.startswith(".git") for part in (*folders, name)):
        return "repository-file-changed"
    if _STARTUP.match(name) or any(_STARTUP_FOLDERS.match(folder) for folder in folders):
        return "startup-changed"
    if path in test_files or _TEST_NAMES.match(name) or any(folder in _TEST_FOLDERS for folder in folders):
        return "test-changed"
    if _TEST_CONFIG.match(name):
        return "test-config-changed"
    if _DEPENDENCIES.match(name) or "requirements" in folders:
        return "dependency-changed"
    return None


def spec(patterns: Sequence[str]) -> pathspec.PathSpec[pathspec.Pattern]:
    """Patterns in the manner of .gitignore, by RE2: linear in the path. ValueError for what is none."""
    try:
        with warnings.catch_warnings(action="ignore", category=FutureWarning):  # of `[[` in a pattern of others
            return pathspec.PathSpec.from_lines("gitignore", patterns, backend="re2")
    except (ValueError, re.error, re2.error) as error:
        raise ValueError("it holds no pattern that can be read") from error


def covers(patterns: Sequence[str], path: str) -> bool:
    """Whether one of a repository's own patterns, in the manner of .gitignore, covers this path."""
    return bool(patterns) and spec(patterns).match_file(path)
