"""`todo add TEXT`, `todo list`, `todo done NUMBER`; the list is a text file."""

import os
import sys
from pathlib import Path

USAGE = "usage: todo add TEXT | list | done NUMBER"


def main(argv=None):
    """Run one command; the result is the exit code."""
    words = sys.argv[1:] if argv is None else argv
    store = Path(os.environ.get("TODO_FILE", "todo.txt"))
    items = store.read_text().splitlines() if store.exists() else []
    if words[:1] == ["list"] and len(words) == 1:
        show(items)
        return 0
    if words[:1] == ["add"] and len(words) > 1:
        items.append(" ".join(words[1:]))
    elif words[:1] == ["done"] and len(words) == 2:
        del items[int(words[1]) - 1]
    else:
        print(USAGE)
    store.write_text("".join(f"{item}\n" for item in items))
    return 0


def show(items):
    """Print the list, numbered from 1."""
    for number, item in enumerate(items, 1):
        print(f"{number}. {item}")
