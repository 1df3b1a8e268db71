"""Environment: loader, filters, tests, globals and the cache of templates that were parsed."""

from stencil import filters
from stencil.cache import LRUCache
from stencil.context import Context, Undefined
from stencil.errors import TemplateError, TemplateNotFound, TemplateSyntaxError
from stencil.loaders import DictLoader
from stencil.parser import Parser

TESTS = {
    "defined": lambda value: not isinstance(value, Undefined),
    "undefined": lambda value: isinstance(value, Undefined),
    "none": lambda value: value is None,
    "true": lambda value: value is True,
    "false": lambda value: value is False,
    "even": lambda value: value % 2 == 0,
    "odd": lambda value: value % 2 == 1,
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "mapping": lambda value: isinstance(value, dict),
    "iterable": lambda value: hasattr(value, "__iter__"),
}


class Environment:
    """Everything that templates share.

    auto_reload: ask the loader at each `get` whether the source has changed
    """

    def __init__(
        self, loader=None, *, autoescape=True, strict=False, cache_size=50, auto_reload=True, trim_blocks=False
    ):
        self.loader = loader or DictLoader({})
        self.autoescape = autoescape
        self.strict = strict
        self.auto_reload = auto_reload
        self.trim_blocks = trim_blocks
        self.globals = {"range": range, "dict": dict}
        self.cache = LRUCache(cache_size)
        self._filters = dict(filters.FILTERS)
        self._tests = dict(TESTS)

    def add_filter(self, name, function):
        self._filters[name] = function

    def add_test(self, name, function):
        self._tests[name] = function

    def filter(self, name):
        return self._known(self._filters, "filter", name)

    def test(self, name):
        return self._known(self._tests, "test", name)

    @staticmethod
    def _known(table, kind, name):
        try:
            return table[name]
        except KeyError:
            raise TemplateError(f"there is no {kind} {name!r}") from None

    def get(self, name):
        """A template by name, parsed again only when it has changed."""
        cached = self.cache.get(name)
        if cached is not None and (not self.auto_reload or cached.stamp == self.loader.stamp(name)):
            return cached
        source, stamp = self.loader.load(name)
        template = Template(self, source, name, stamp)
        self.cache.put(name, template)
        return template

    def select(self, names, missing_ok=False):
        """The first template that there is. None where there is none and that is well."""
        for name in names:
            try:
                return self.get(name)
            except TemplateNotFound:
                continue
        if missing_ok:
            return None
        raise TemplateNotFound(names[-1], names[:-1])

    def from_string(self, source):
        return Template(self, source)

    def render(self, source, **values):
        """Render a source that is used only once."""
        return self.from_string(source).render(**values)


class Template:
    """A parsed template."""

    def __init__(self, env, source, name=None, stamp=None):
        self.env = env
        self.name = name
        self.stamp = stamp
        try:
            parsed = Parser(source, env.trim_blocks)
        except TemplateSyntaxError as error:
            raise error.at(name=name) from error.__cause__
        self.body = parsed.body
        self.blocks = parsed.blocks
        self.parent = parsed.parent

    def render(self, **values):
        """The text, with these names."""
        return self.render_in(Context(self.env, values, self.env.globals))

    def render_in(self, context):
        """The text, in a context; blocks of templates further down the line come first."""
        template, seen = self, []
        while True:
            if template.name is not None and template.name in seen:
                raise TemplateError(f"templates extend each other: {' -> '.join([*seen, template.name])}")
            seen.append(template.name)
            for name, body in template.blocks.items():
                context.blocks.setdefault(name, []).append(body)
            if template.parent is None:
                return template._own(context)
            template = template._extended(context)

    def _extended(self, context):
        """The parent. What a child says outside of blocks is run for its names, and not printed."""
        self._own(context, only_definitions=True)
        return self.env.get(self.parent.evaluate(context))

    def _own(self, context, only_definitions=False):
        try:
            if only_definitions:
                self._define(context)
                return ""
            return self.body.render(context)
        except TemplateError as error:
            raise error.at(name=self.name) from error.__cause__

    def _define(self, context):
        from stencil.nodes import Macro, Set

        for node in self.body.nodes:
            if isinstance(node, (Macro, Set)):
                node.render(context)
