"""What a template is made of. Each node writes its text with `render(context)`."""

from stencil.context import Undefined
from stencil.errors import TemplateError, UndefinedError
from stencil.markup import Markup, escape


class Node:
    """A part of a template, and the line where it stands."""

    line = None

    def render(self, context):
        raise NotImplementedError


class Body(Node):
    """Nodes one after the other. Errors learn their line here."""

    def __init__(self, nodes):
        self.nodes = nodes

    def render(self, context):
        parts = []
        for node in self.nodes:
            try:
                parts.append(node.render(context))
            except TemplateError as error:
                raise error.at(line=node.line) from error.__cause__
        return "".join(parts)


class Text(Node):
    def __init__(self, text):
        self.text = text

    def render(self, context):
        return self.text


class Print(Node):
    def __init__(self, expression):
        self.expression = expression

    def render(self, context):
        value = self.expression.evaluate(context)
        if isinstance(value, Undefined) and context.env.strict:
            raise UndefinedError(f"{value.name!r} is undefined")
        if value is None:
            return ""
        return str(escape(value) if context.env.autoescape else value)


class If(Node):
    """Branches of (condition, body); a condition None is the else."""

    def __init__(self, branches):
        self.branches = branches

    def render(self, context):
        for condition, body in self.branches:
            if condition is None or condition.evaluate(context):
                return body.render(context)
        return ""


class Loop:
    """What `loop` is inside of a for: index (from 1), index0, first, last, length, parent, cycle(…), changed(value)."""

    def __init__(self, length, parent=None):
        self.length = length
        self.parent = parent
        self.index0 = -1
        self._last = None

    @property
    def index(self):
        return self.index0 + 1

    @property
    def first(self):
        return self.index0 == 0

    @property
    def last(self):
        return self.index == self.length

    @property
    def left(self):
        """How many rounds come after this one."""
        return self.length - self.index

    def cycle(self, *values):
        return values[self.index0 % len(values)]

    def changed(self, *value):
        """Whether this is another value than in the round before; true in the first."""
        changed = value != self._last
        self._last = value
        return changed


class For(Node):
    def __init__(self, names, iterable, body, otherwise, condition=None):
        self.names = names
        self.iterable = iterable
        self.body = body
        self.otherwise = otherwise
        self.condition = condition

    def render(self, context):
        rounds = [bound for item in self.iterable.evaluate(context) if self._wanted(context, bound := self._bind(item))]
        if not rounds:
            return self.otherwise.render(context) if self.otherwise else ""
        parent = context.lookup("loop")
        loop = Loop(len(rounds), parent if isinstance(parent, Loop) else None)
        parts = []
        for number, bound in enumerate(rounds):
            loop.index0 = number
            with context.scope(**bound, loop=loop):
                parts.append(self.body.render(context))
        return "".join(parts)

    def _bind(self, item):
        if len(self.names) == 1:
            return {self.names[0]: item}
        values = tuple(item)
        if len(values) != len(self.names):
            raise TemplateError(f"cannot unpack {len(values)} values into {len(self.names)} names")
        return dict(zip(self.names, values))

    def _wanted(self, context, bound):
        """Items that the condition refuses do not count: neither in `loop` nor for the else."""
        if self.condition is None:
            return True
        with context.scope(**bound):
            return bool(self.condition.evaluate(context))


class Set(Node):
    """`set name = value`, or the text of a body."""

    def __init__(self, name, expression=None, body=None):
        self.name, self.expression, self.body = name, expression, body

    def render(self, context):
        if self.body is not None:
            context.assign(self.name, Markup(self.body.render(context)))
        else:
            context.assign(self.name, self.expression.evaluate(context))
        return ""


class With(Node):
    """Bindings are made one after the other: a later one sees the earlier."""

    def __init__(self, bindings, body):
        self.bindings, self.body = bindings, body

    def render(self, context):
        with context.scope():
            for name, expression in self.bindings:
                context.assign(name, expression.evaluate(context))
            return self.body.render(context)


class Block(Node):
    """A named part that templates further down the line may replace."""

    def __init__(self, name, body):
        self.name, self.body = name, body

    def render(self, context):
        chain = context.blocks.get(self.name, [self.body])
        return self._level(context, chain, 0)

    def _level(self, context, chain, depth):
        def parent():
            if depth + 1 >= len(chain):
                raise TemplateError(f"block {self.name!r} has no parent")
            return Markup(self._level(context, chain, depth + 1))

        with context.scope(super=parent):
            return chain[depth].render(context)


class Include(Node):
    """Another template, with the names of this place; or with none of them."""

    def __init__(self, template, missing_ok=False, isolated=False):
        self.template, self.missing_ok, self.isolated = template, missing_ok, isolated

    def render(self, context):
        names = self.template.evaluate(context)
        names = names if isinstance(names, (list, tuple)) else [names]
        template = context.env.select(names, missing_ok=self.missing_ok)
        if template is None:
            return ""
        inner = context.isolated() if self.isolated else context.isolated(**context.flat())
        return template.render_in(inner)


class Macro(Node):
    """A function made of template text; sees globals and its arguments alone. Defaults are evaluated at each call."""

    def __init__(self, name, parameters, body):
        self.name, self.parameters, self.body = name, parameters, body

    def render(self, context):
        context.assign(self.name, self._function(context))
        return ""

    def _function(self, context):
        def call(*args, **options):
            if len(args) > len(self.parameters):
                raise TemplateError(f"macro {self.name!r} takes {len(self.parameters)} arguments, not {len(args)}")
            given = dict(zip([name for name, _ in self.parameters], args))
            for name in options:
                if name in given:
                    raise TemplateError(f"macro {self.name!r} got {name!r} twice")
                if name not in dict(self.parameters):
                    raise TemplateError(f"macro {self.name!r} has no argument {name!r}")
            given.update(options)
            inner = context.isolated(**{self.name: call})
            for name, default in self.parameters:
                if name in given:
                    inner.assign(name, given[name])
                elif default is not None:
                    inner.assign(name, default.evaluate(inner))
            return Markup(self.body.render(inner))

        return call
