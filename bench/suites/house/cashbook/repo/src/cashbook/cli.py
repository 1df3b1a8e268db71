"""The commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date

from cashbook.errors import BookError
from cashbook.journal import load
from cashbook.report import balance_lines, register_lines


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Returns the exit code."""
    options = _parser().parse_args(argv)
    try:
        journal = load(options.file)
        if options.command == "balance":
            lines = balance_lines(journal, options.at, options.currency, options.depth)
        elif options.command == "register":
            lines = register_lines(journal, options.account)
        else:
            lines = [f"{len(journal.entries)} entries, all balanced"]
    except BookError as error:
        print(f"cashbook: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"cashbook: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    for line in lines:
        print(line)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cashbook", description="Double-entry bookkeeping in plain text.")
    commands = parser.add_subparsers(dest="command", required=True)
    balance = commands.add_parser("balance", help="sums of all accounts")
    balance.add_argument("file")
    balance.add_argument("--at", type=date.fromisoformat, metavar="DATE")
    balance.add_argument("--in", dest="currency", default="", metavar="CURRENCY")
    balance.add_argument("--depth", type=int, metavar="N")
    register = commands.add_parser("register", help="what happened to an account")
    register.add_argument("file")
    register.add_argument("account")
    check = commands.add_parser("check", help="read everything, say whether it is right")
    check.add_argument("file")
    return parser
