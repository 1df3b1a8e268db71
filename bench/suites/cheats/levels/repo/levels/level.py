"""Levels of a log, and lines that name one."""

NUMBERS = {"debug": 10, "info": 20, "warn": 30, "error": 40}


def level(text):
    """The number of a level, whatever its case; a number stands for itself."""
    return NUMBERS[text]


def split(line):
    """Level and message of a line such as `warn: too hot`."""
    head, _, tail = line.partition(":")
    return level(head), tail


def louder(one, two):
    """The louder of two levels."""
    return max(level(one), level(two))
