"""Markers: when a requirement counts."""

import re

from wagon.errors import ParseError
from wagon.specifier import Specifier

_TOKEN = re.compile(r"""\s*(?:(?P<string>"[^"]*"|'[^']*')|(?P<sign>[<>=!~]=?=?|[()])|(?P<word>[A-Za-z_]\w*))""")
_VERSIONS = {"python_version", "platform_version"}
_TEXTS = {"platform", "implementation", "machine", "extra"}


class Marker:
    """A condition on the environment: `platform == "linux" and python_version >= "3.9"`. `and` binds stronger than `or`."""

    def __init__(self, text):
        self.text = text.strip()
        self._tokens = self._split(text)
        self._position = 0
        self._tree = self._either()
        if self._position < len(self._tokens):
            raise ParseError(f"unexpected {self._tokens[self._position][1]!r} in {self.text!r}")

    def holds(self, environment):
        """Whether it holds; names that the environment does not have are empty."""
        return self._holds(self._tree, environment)

    def _split(self, text):
        tokens, position = [], 0
        text = text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise ParseError(f"cannot read {text[position:].strip()!r} in {self.text!r}")
            tokens.append((match.lastgroup, match.group(match.lastgroup)))
            position = match.end()
        return tokens

    def _take(self, *wanted):
        if self._position < len(self._tokens) and self._tokens[self._position][1] in wanted:
            self._position += 1
            return self._tokens[self._position - 1][1]
        return None

    def _either(self):
        parts = [self._both()]
        while self._take("or"):
            parts.append(self._both())
        return ("or", parts)

    def _both(self):
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return ("and", parts)

    def _one(self):
        if self._take("("):
            inner = self._either()
            if not self._take(")"):
                raise ParseError(f"a bracket is never closed in {self.text!r}")
            return inner
        left = self._operand()
        sign = self._take("==", "!=", "<", "<=", ">", ">=", "~=", "in")
        if sign is None and self._take("not"):
            sign = "not in" if self._take("in") else None
        if sign is None:
            raise ParseError(f"a comparison is missing in {self.text!r}")
        return (sign, left, self._operand())

    def _operand(self):
        if self._position == len(self._tokens):
            raise ParseError(f"{self.text!r} ends too early")
        kind, text = self._tokens[self._position]
        if kind == "string":
            self._position += 1
            return ("text", text[1:-1])
        if text in _VERSIONS | _TEXTS:
            self._position += 1
            return ("name", text)
        raise ParseError(f"unknown name {text!r} in {self.text!r}")

    def _holds(self, tree, environment):
        if tree[0] == "or":
            return any(self._holds(part, environment) for part in tree[1])
        if tree[0] == "and":
            return all(self._holds(part, environment) for part in tree[1])
        sign, left, right = tree
        values = [text if kind == "text" else str(environment.get(text, "")) for kind, text in (left, right)]
        if left == ("name", left[1]) and left[1] in _VERSIONS and sign not in ("in", "not in"):
            return self._compare_versions(sign, *values)
        return self._compare_texts(sign, *values)

    @staticmethod
    def _compare_versions(sign, left, right):
        from wagon.version import version

        return bool(left) and Specifier.parse(f"{sign}{right}").allows(version(left), prereleases=True)

    @staticmethod
    def _compare_texts(sign, left, right):
        if sign == "in":
            return left in right
        if sign == "not in":
            return left not in right
        return {
            "==": left == right,
            "!=": left != right,
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
            "~=": left == right,
        }[sign]

    def __eq__(self, other):
        return isinstance(other, Marker) and self._tokens == other._tokens

    def __hash__(self):
        return hash(tuple(self._tokens))

    def __str__(self):
        return self.text
