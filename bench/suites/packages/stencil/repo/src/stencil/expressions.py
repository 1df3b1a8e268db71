"""Expressions: read once, evaluated often.

Weakest first: `a if b else c`, or, and, not, comparisons, ~ (joins texts), + -, * / // %, unary -, **, filters, then
attributes, indexes and calls.
"""

import operator
import re

from stencil.context import Undefined
from stencil.errors import TemplateError, TemplateSyntaxError, UndefinedError
from stencil.markup import Markup, escape

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>\d+(?:\.\d+)?)
      | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign>\*\*|//|==|!=|<=|>=|[-+*/%~|.,:()\[\]{}<>=])
    )""",
    re.VERBOSE,
)
_ESCAPES = {"n": "\n", "t": "\t"}
_CONSTANTS = {"true": True, "false": False, "none": None, "True": True, "False": False, "None": None}
_KEYWORDS = {"and", "or", "not", "in", "is", "if", "else"}
_COMPARE = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SUM = {"+": operator.add, "-": operator.sub}
_PRODUCT = {"*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod}


class Expression:
    """One that has been read. `evaluate(context)` gives its value."""

    def evaluate(self, context):
        raise NotImplementedError


class Constant(Expression):
    def __init__(self, value):
        self.value = value

    def evaluate(self, context):
        return self.value


class Name(Expression):
    def __init__(self, name):
        self.name = name

    def evaluate(self, context):
        return context.lookup(self.name)


class Sequence(Expression):
    """A list, or a tuple."""

    def __init__(self, items, kind):
        self.items, self.kind = items, kind

    def evaluate(self, context):
        return self.kind(item.evaluate(context) for item in self.items)


class Mapping(Expression):
    def __init__(self, pairs):
        self.pairs = pairs

    def evaluate(self, context):
        return {key.evaluate(context): value.evaluate(context) for key, value in self.pairs}


class Member(Expression):
    """`owner.name` asks for an attribute first, then a key; `owner[key]` the other way round."""

    def __init__(self, owner, key, by_index):
        self.owner, self.key, self.by_index = owner, key, by_index

    def evaluate(self, context):
        owner, key = self.owner.evaluate(context), self.key.evaluate(context)
        if isinstance(owner, Undefined):
            raise UndefinedError(f"{owner.name!r} is undefined")
        if isinstance(key, str) and key.startswith("_"):
            raise TemplateError(f"{key!r} is private")
        ways = [self._item, self._attribute] if self.by_index else [self._attribute, self._item]
        for way in ways:
            try:
                return way(owner, key)
            except (LookupError, AttributeError, TypeError):
                continue
        return Undefined(str(key))

    @staticmethod
    def _item(owner, key):
        return owner[key]

    @staticmethod
    def _attribute(owner, key):
        return getattr(owner, key)


class Slice(Expression):
    def __init__(self, owner, start, stop):
        self.owner, self.start, self.stop = owner, start, stop

    def evaluate(self, context):
        start = None if self.start is None else self.start.evaluate(context)
        stop = None if self.stop is None else self.stop.evaluate(context)
        return self.owner.evaluate(context)[start:stop]


class Call(Expression):
    def __init__(self, function, args, options):
        self.function, self.args, self.options = function, args, options

    def evaluate(self, context):
        function = self.function.evaluate(context)
        if isinstance(function, Undefined):
            raise UndefinedError(f"{function.name!r} is undefined")
        args = [arg.evaluate(context) for arg in self.args]
        return function(*args, **{name: value.evaluate(context) for name, value in self.options.items()})


class Filter(Expression):
    def __init__(self, value, name, args, options):
        self.value, self.name, self.args, self.options = value, name, args, options

    def evaluate(self, context):
        function = context.env.filter(self.name)
        args = [arg.evaluate(context) for arg in self.args]
        options = {name: value.evaluate(context) for name, value in self.options.items()}
        return function(self.value.evaluate(context), *args, **options)


class Test(Expression):
    """`value is name`."""

    __test__ = False

    def __init__(self, value, name, negated):
        self.value, self.name, self.negated = value, name, negated

    def evaluate(self, context):
        holds = bool(context.env.test(self.name)(self.value.evaluate(context)))
        return holds != self.negated


class Unary(Expression):
    def __init__(self, function, value):
        self.function, self.value = function, value

    def evaluate(self, context):
        return self.function(self.value.evaluate(context))


class Binary(Expression):
    def __init__(self, function, left, right):
        self.function, self.left, self.right = function, left, right

    def evaluate(self, context):
        return self.function(self.left.evaluate(context), self.right.evaluate(context))


class Both(Expression):
    """`and`, `or`: the value that decides, as in Python; what need not be evaluated is not."""

    def __init__(self, left, right, stop_at):
        self.left, self.right, self.stop_at = left, right, stop_at

    def evaluate(self, context):
        left = self.left.evaluate(context)
        if bool(left) == self.stop_at:
            return left
        return self.right.evaluate(context)


class Chain(Expression):
    """`a < b <= c`: all of them hold; each part is evaluated once at most."""

    def __init__(self, first, rest):
        self.first, self.rest = first, rest

    def evaluate(self, context):
        left = self.first.evaluate(context)
        for function, part in self.rest:
            right = part.evaluate(context)
            if not function(left, right):
                return False
            left = right
        return True


class Choice(Expression):
    def __init__(self, condition, value, other):
        self.condition, self.value, self.other = condition, value, other

    def evaluate(self, context):
        if self.condition.evaluate(context):
            return self.value.evaluate(context)
        return self.other.evaluate(context) if self.other else Undefined("else")


def concat(left, right):
    """`~`: both as text; once one of them is Markup, the other is escaped."""
    if isinstance(left, Markup) or isinstance(right, Markup):
        return escape(left) + escape(right)
    return str(left) + str(right)


def _contains(item, container):
    return item in container


def _lacks(item, container):
    return item not in container


def tokens(text):
    """(kind, text) of each token."""
    found, position = [], 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise TemplateSyntaxError(f"cannot read {text[position:].strip()!r}")
        found.append((match.lastgroup, match.group(match.lastgroup)))
        position = match.end()
    return found


class Reader:
    """Reads an expression from text by recursive descent."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokens(text)
        self.position = 0

    # -- walking over tokens

    def peek(self, *wanted):
        """Whether one of these signs or words comes next."""
        if self.position >= len(self.tokens):
            return False
        kind, text = self.tokens[self.position]
        return kind != "string" and text in wanted

    def accept(self, *wanted):
        """The next token's text, when it is one of these; else None, and nothing is taken."""
        if not self.peek(*wanted):
            return None
        self.position += 1
        return self.tokens[self.position - 1][1]

    def expect(self, wanted):
        if self.accept(wanted) is None:
            raise TemplateSyntaxError(f"expected {wanted!r} {self._where()}")

    def name(self):
        if not self.at_end():
            kind, text = self.tokens[self.position]
            if kind == "name" and text not in _KEYWORDS:
                self.position += 1
                return text
        raise TemplateSyntaxError(f"expected a name {self._where()}")

    def at_end(self):
        return self.position == len(self.tokens)

    def end(self):
        if not self.at_end():
            raise TemplateSyntaxError(f"unexpected {self.tokens[self.position][1]!r} in {self.text!r}")

    def _where(self):
        if self.at_end():
            return f"at the end of {self.text!r}"
        return f"before {self.tokens[self.position][1]!r} in {self.text!r}"

    # -- the grammar, weakest first

    def expression(self):
        value = self.disjunction()
        if not self.accept("if"):
            return value
        condition = self.disjunction()
        other = self.expression() if self.accept("else") else None
        return Choice(condition, value, other)

    def disjunction(self):
        left = self.conjunction()
        while self.accept("or"):
            left = Both(left, self.conjunction(), stop_at=True)
        return left

    def conjunction(self):
        left = self.negation()
        while self.accept("and"):
            left = Both(left, self.negation(), stop_at=False)
        return left

    def negation(self):
        if self.accept("not"):
            return Unary(operator.not_, self.negation())
        return self.comparison()

    def comparison(self):
        first, rest = self.concatenation(), []
        while True:
            if sign := self.accept(*_COMPARE):
                rest.append((_COMPARE[sign], self.concatenation()))
            elif self.accept("in"):
                rest.append((_contains, self.concatenation()))
            elif self.peek("not"):
                self.accept("not")
                self.expect("in")
                rest.append((_lacks, self.concatenation()))
            elif self.accept("is"):
                negated = self.accept("not") is not None
                first = Test(Chain(first, rest) if rest else first, self._test_name(), negated)
                rest = []
            else:
                return Chain(first, rest) if rest else first

    def _test_name(self):
        return self.accept("none", "true", "false") or self.name()

    def concatenation(self):
        left = self.sum()
        while self.accept("~"):
            left = Binary(concat, left, self.sum())
        return left

    def sum(self):
        left = self.product()
        while sign := self.accept(*_SUM):
            left = Binary(_SUM[sign], left, self.product())
        return left

    def product(self):
        left = self.unary()
        while sign := self.accept(*_PRODUCT):
            left = Binary(_PRODUCT[sign], left, self.unary())
        return left

    def unary(self):
        if self.accept("-"):
            return Unary(operator.neg, self.unary())
        return self.power()

    def power(self):
        base = self.filtered()
        if self.accept("**"):
            return Binary(operator.pow, base, self.unary())
        return base

    def filtered(self):
        value = self.postfix(self.atom())
        while self.accept("|"):
            name = self.name()
            args, options = self.arguments() if self.accept("(") else ([], {})
            value = Filter(value, name, args, options)
        return value

    def postfix(self, value):
        while True:
            if self.accept("."):
                value = Member(value, Constant(self._member_name()), by_index=False)
            elif self.accept("["):
                value = self._index(value)
            elif self.accept("("):
                args, options = self.arguments()
                value = Call(value, args, options)
            else:
                return value

    def _member_name(self):
        kind, text = self.tokens[self.position] if not self.at_end() else (None, None)
        if kind == "number" and text.isdigit():
            self.position += 1
            return int(text)
        return self.name()

    def _index(self, owner):
        start = None if self.peek(":") else self.expression()
        if self.accept(":"):
            stop = None if self.peek("]") else self.expression()
            self.expect("]")
            return Slice(owner, start, stop)
        self.expect("]")
        return Member(owner, start, by_index=True)

    def arguments(self):
        """After the opening parenthesis, up to and with the closing one."""
        args, options = [], {}
        while not self.accept(")"):
            if args or options:
                self.expect(",")
                if self.accept(")"):
                    break
            value = self.expression()
            if isinstance(value, Name) and self.accept("="):
                options[value.name] = self.expression()
            elif options:
                raise TemplateSyntaxError(f"a plain argument follows a named one in {self.text!r}")
            else:
                args.append(value)
        return args, options

    def atom(self):
        if self.at_end():
            raise TemplateSyntaxError(f"expected a value {self._where()}")
        kind, text = self.tokens[self.position]
        if kind == "name" and text in _KEYWORDS:
            raise TemplateSyntaxError(f"unexpected {text!r} in {self.text!r}")
        self.position += 1
        if kind == "number":
            return Constant(float(text) if "." in text else int(text))
        if kind == "string":
            return Constant(re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text[1:-1]))
        if kind == "name":
            return Constant(_CONSTANTS[text]) if text in _CONSTANTS else Name(text)
        return self._bracketed(text)

    def _bracketed(self, sign):
        if sign == "(":
            return self._parenthesised()
        if sign == "[":
            return Sequence(self._items("]"), list)
        if sign == "{":
            return Mapping(self._pairs())
        raise TemplateSyntaxError(f"unexpected {sign!r} in {self.text!r}")

    def _parenthesised(self):
        if self.accept(")"):
            return Sequence([], tuple)
        first = self.expression()
        if self.accept(")"):
            return first
        self.expect(",")
        return Sequence([first, *self._items(")")], tuple)

    def _items(self, closer):
        items = []
        while not self.accept(closer):
            items.append(self.expression())
            if not self.peek(closer):
                self.expect(",")
        return items

    def _pairs(self):
        pairs = []
        while not self.accept("}"):
            key = self.expression()
            self.expect(":")
            pairs.append((key, self.expression()))
            if not self.peek("}"):
                self.expect(",")
        return pairs


def parse(text):
    """The expression that all of `text` is."""
    reader = Reader(text)
    value = reader.expression()
    reader.end()
    return value
