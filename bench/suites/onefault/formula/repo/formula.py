"""Small formulas: numbers, names, + - * / ^, parentheses and functions."""

import math
import re

_TOKEN = re.compile(r"\s*(?:(?P<number>\d+\.?\d*)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/^(),]))")
FUNCTIONS = {"min": min, "max": max, "sqrt": math.sqrt, "abs": abs}


class FormulaError(ValueError):
    """The formula cannot be read or worked out."""


def tokens(text):
    """(kind, text) pairs. FormulaError names the place of a sign that is unknown."""
    found = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError(f"unknown sign at {at + 1}")
        found.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return found


class Parser:
    """Recursive descent: sums of products of powers."""

    def __init__(self, text, names=None):
        self.tokens = tokens(text)
        self.names = names or {}
        self.at = 0

    def peek(self):
        """The next token's text, None at the end."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self):
        token = self.tokens[self.at]
        self.at += 1
        return token

    def expect(self, sign):
        if self.peek() != sign:
            raise FormulaError(f"{sign} is missing")
        self.take()

    def value(self):
        """The value of the whole formula."""
        if not self.tokens:
            raise FormulaError("nothing to work out")
        result = self.sum()
        if self.peek() is not None:
            raise FormulaError(f"unexpected {self.peek()}")
        return result

    def sum(self):
        result = self.product()
        while self.peek() in ("+", "-"):
            _, sign = self.take()
            right = self.product()
            result = result + right if sign == "+" else result - right
        return result

    def product(self):
        result = self.factor()
        while self.peek() in ("*", "/"):
            _, sign = self.take()
            right = self.factor()
            if sign == "/" and right == 0:
                raise FormulaError("division by zero")
            result = result * right if sign == "*" else result / right
        return result

    def factor(self):
        """A sign binds weaker than a power: -2^2 is -4."""
        if self.peek() == "-":
            self.take()
            return -self.factor()
        base = self.atom()
        if self.peek() == "^":
            self.take()
            return base ** self.factor()
        return base

    def atom(self):
        if self.peek() is None:
            raise FormulaError("the formula ends too early")
        kind, text = self.take()
        if kind == "number":
            return float(text)
        if kind == "name":
            return self.call(text) if self.peek() == "(" else self.named(text)
        if text == "(":
            result = self.sum()
            self.expect(")")
            return result
        raise FormulaError(f"unexpected {text}")

    def call(self, name):
        if name not in FUNCTIONS:
            raise FormulaError(f"unknown function {name}")
        self.expect("(")
        arguments = [self.sum()]
        while self.peek() == ",":
            self.take()
            arguments.append(self.sum())
        self.expect(")")
        return FUNCTIONS[name](*arguments)

    def named(self, name):
        try:
            return self.names[name]
        except KeyError:
            raise FormulaError(f"unknown name {name}") from None


def evaluate(text, **names):
    """The value of a formula; whole results are ints."""
    result = Parser(text, names).value()
    return int(result) if result == int(result) else result
