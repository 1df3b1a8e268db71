"""Python: which linters and type checkers a project uses itself, and how each is run on some of its files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from bot.engines.contract import Launch
from bot.toolchains import requirements
from sandbox import Command, Files

_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "flake8": (),
    "mypy": ("--cache-dir=/dev/null", "--no-error-summary", "--show-error-codes"),
    "pylint": ("--score=n",),
    "ruff": ("check", "--no-cache", "--output-format=concise"),
}
_FILES = {
    "flake8": (".flake8",),
    "mypy": ("mypy.ini", ".mypy.ini"),
    "pylint": (".pylintrc", "pylintrc"),
    "ruff": ("ruff.toml", ".ruff.toml"),
}


def checks(tree: Files, installed: Collection[str]) -> dict[str, Callable[[Launch, Files, Sequence[str]], Command]]:
    """Name -> the command for some files, for each checker that is configured in the tree and installed."""
    tools = requirements.toml(tree, "pyproject.toml").get("tool", {})
    configured = tools if isinstance(tools, dict) else {}
    setup = tree["setup.cfg"].data if "setup.cfg" in tree else b""
    return {
        name: _command(name)
        for name in sorted(_ARGUMENTS)
        if name in installed
        and (name in configured or any(file in tree for file in _FILES[name]) or f"[{name}]".encode() in setup)
    }


def _command(name: str) -> Callable[[Launch, Files, Sequence[str]], Command]:
    def build(launch: Launch, tree: Files, paths: Sequence[str]) -> Command:
        argv = (launch.python, "-m", name, *_ARGUMENTS[name], "--", *paths)
        return Command(argv, tree, {}, {**launch.env, "NO_COLOR": "1", "COLUMNS": "200"})

    return build
