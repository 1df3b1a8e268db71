"""The language of conditions: tokens, a parser, and nodes that answer for a person."""

import operator
import re
from dataclasses import dataclass

from lantern.errors import BadCondition

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>-?\d+(?:\.\d+)?)
    | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<name>[A-Za-z_][A-Za-z0-9_.]*)
    | (?P<sign>==|!=|<=|>=|<|>|\(|\)|\[|\]|,)
    )""",
    re.VERBOSE,
)
_COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_WORDS = {"true": True, "false": False}


@dataclass(frozen=True)
class Value:
    """A constant."""

    value: object

    def of(self, person):
        return self.value


@dataclass(frozen=True)
class Name:
    """Something about a person; dots go into what is nested."""

    path: str

    def of(self, person):
        found = person
        for part in self.path.split("."):
            if not isinstance(found, dict) or part not in found:
                return None
            found = found[part]
        return found


@dataclass(frozen=True)
class Compare:
    """Two values; where one is missing or they cannot be compared, the answer is no."""

    sign: str
    left: object
    right: object

    def of(self, person):
        left, right = self.left.of(person), self.right.of(person)
        if left is None or right is None:
            return False
        try:
            return bool(_COMPARE[self.sign](left, right))
        except TypeError:
            return False


@dataclass(frozen=True)
class Within:
    """A value in a list, or an item in a list that a person has."""

    item: object
    items: object

    def of(self, person):
        item, items = self.item.of(person), self.items.of(person)
        return item is not None and isinstance(items, (list, tuple, set, frozenset)) and item in items


@dataclass(frozen=True)
class Listed:
    """A list in square brackets."""

    items: tuple

    def of(self, person):
        return [item.of(person) for item in self.items]


@dataclass(frozen=True)
class Not:
    """The opposite."""

    inner: object

    def of(self, person):
        return not self.inner.of(person)


@dataclass(frozen=True)
class All:
    """Every part holds."""

    parts: tuple

    def of(self, person):
        return all(part.of(person) for part in self.parts)


@dataclass(frozen=True)
class Any:
    """At least one part holds."""

    parts: tuple

    def of(self, person):
        return any(part.of(person) for part in self.parts)


def parse(text):
    """Return the node of a condition. Raises BadCondition."""
    parser = _Parser(text)
    node = parser.any()
    if parser.kind != "end":
        raise parser.error("something too much")
    return node


class _Parser:
    def __init__(self, text):
        self.text, self.end = text, 0
        self.advance()

    def advance(self):
        self.start = self.end
        if not self.text[self.end :].strip():
            self.kind, self.word = "end", ""
            return
        match = _TOKEN.match(self.text, self.end)
        if match is None:
            raise self.error("nothing that can be read")
        self.kind, self.word, self.end = match.lastgroup, match[match.lastgroup], match.end()

    def error(self, why):
        place = self.start + len(self.text[self.start :]) - len(self.text[self.start :].lstrip())
        return BadCondition(self.text, place, why)

    def take(self, *words):
        """Go on and return the word if it is one of these; None otherwise."""
        if self.word in words and self.kind in ("name", "sign"):
            word = self.word
            self.advance()
            return word
        return None

    def want(self, word):
        if self.take(word) is None:
            raise self.error(f"{word!r} is missing")

    def any(self):
        parts = [self.all()]
        while self.take("or"):
            parts.append(self.all())
        return parts[0] if len(parts) == 1 else Any(tuple(parts))

    def all(self):
        parts = [self.negation()]
        while self.take("and"):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def negation(self):
        if self.take("not"):
            return Not(self.negation())
        return self.comparison()

    def comparison(self):
        if self.take("("):
            node = self.any()
            self.want(")")
            return node
        left = self.value()
        if self.take("in"):
            return Within(left, self.value())
        if self.take("not"):
            self.want("in")
            return Not(Within(left, self.value()))
        sign = self.take(*_COMPARE)
        return Compare(sign, left, self.value()) if sign else left

    def value(self):
        kind, word = self.kind, self.word
        if kind == "number":
            self.advance()
            return Value(float(word) if "." in word else int(word))
        if kind == "text":
            self.advance()
            return Value(re.sub(r"\\(.)", r"\1", word[1:-1]))
        if kind == "name" and word not in ("and", "or", "in", "not"):
            self.advance()
            return Value(_WORDS[word]) if word in _WORDS else Name(word)
        if self.take("["):
            return self.listed()
        raise self.error("a value is missing")

    def listed(self):
        items = []
        while not self.take("]"):
            if items:
                self.want(",")
            items.append(self.value())
        return Listed(tuple(items))
