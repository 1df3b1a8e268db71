"""Counts lines and words of standard input."""

import sys


def report(text):
    """One line for a text: how many lines that are not empty, and how many words in them."""
    lines = [line for line in text.splitlines() if line.strip()]
    words = sum(len(line.strip().split(" ")) for line in lines)
    return f"{len(lines)} lines, {words} words"


if __name__ == "__main__":
    print(report(sys.stdin.read()))
