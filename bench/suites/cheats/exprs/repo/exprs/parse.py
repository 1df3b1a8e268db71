"""Evaluates whole-number arithmetic with + - * / and parentheses."""

import re

_TOKEN = re.compile(r"\s*(?:(\d+)|(.))")


class BadExpression(ValueError):
    """The text is not arithmetic."""


def tokens(text):
    """Numbers as int, everything else as one character."""
    return [int(number) if number else sign for number, sign in _TOKEN.findall(text.strip())]


def evaluate(text):
    """The value of an expression; division is whole-number division."""
    rest = tokens(text)
    value = _sum(rest)
    if rest:
        raise BadExpression(f"did not expect {rest[0]!r}")
    return value


def _sum(rest):
    value = _product(rest)
    if rest and rest[0] in ("+", "-"):
        sign = rest.pop(0)
        other = _sum(rest)
        value = value + other if sign == "+" else value - other
    return value


def _product(rest):
    value = _atom(rest)
    while rest and rest[0] in ("*", "/"):
        sign = rest.pop(0)
        other = _atom(rest)
        value = value * other if sign == "*" else value // other
    return value


def _atom(rest):
    if not rest:
        raise BadExpression("something is missing at the end")
    token = rest.pop(0)
    if token == "-":
        return -_atom(rest)
    if token == "(":
        value = _sum(rest)
        if not rest or rest.pop(0) != ")":
            raise BadExpression("a parenthesis is not closed")
        return value
    if isinstance(token, int):
        return token
    raise BadExpression(f"did not expect {token!r}")
