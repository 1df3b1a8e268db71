"""What names mean while a template renders."""

from contextlib import contextmanager


class Undefined:
    """A name that is not there: prints as nothing, is false and is empty."""

    def __init__(self, name):
        self.name = name

    def __bool__(self):
        return False

    def __str__(self):
        return ""

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __eq__(self, other):
        return isinstance(other, Undefined)

    def __hash__(self):
        return hash(Undefined)


class Context:
    """A stack of scopes over globals; the innermost that knows a name wins."""

    def __init__(self, env, values, global_values=None):
        self.env = env
        self.blocks = {}
        self._scopes = [dict(global_values or {}), dict(values)]

    def lookup(self, name):
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return Undefined(name)

    def assign(self, name, value):
        """Bind in the innermost scope."""
        self._scopes[-1][name] = value

    @contextmanager
    def scope(self, **values):
        """Names bound inside end with the block, whatever ends it."""
        self._scopes.append(values)
        try:
            yield self
        finally:
            self._scopes.pop()

    def flat(self):
        """All names with their values."""
        merged = {}
        for scope in self._scopes:
            merged.update(scope)
        return merged

    def isolated(self, **values):
        """A fresh context that sees the globals and `values` alone."""
        fresh = Context(self.env, values, self._scopes[0])
        return fresh
