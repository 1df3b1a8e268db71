"""The stack: later layers win, and every value knows where it came from."""

from layers.merge import flat, lookup, merged, nested
from layers.values import as_kind, from_environment


class Stack:
    """Settings. `defaults` say which there are and of which kind they are."""

    def __init__(self, defaults):
        self._layers = [("defaults", defaults)]

    def push(self, name, values):
        """Lay values on top; KeyError names a setting that does not exist. Returns the stack."""
        known = flat(self._layers[0][1])
        for path in flat(values):
            if path not in known:
                raise KeyError(f"{name}: there is no setting {path}")
        self._layers.append((name, values))
        return self

    def push_environment(self, environ, prefix="APP_"):
        """Lay the environment on top; names that are no settings are passed over."""
        known = flat(self._layers[0][1])
        values = {}
        for path, text in from_environment(environ, prefix).items():
            if path in known:
                values = merged(values, nested(path, as_kind(path, text, known[path])))
        return self.push("environment", values)

    def settings(self):
        """All layers as one dictionary."""
        result = {}
        for _, values in self._layers:
            result = merged(result, values)
        return result

    def get(self, path, default=None):
        return lookup(self.settings(), path, default)

    def origin(self, path):
        """Name of the topmost layer that sets a value; None when no layer does."""
        for name, values in reversed(self._layers):
            if path in flat(values):
                return name
        return None

    def changed(self):
        """Paths whose value is not the default, in order."""
        defaults = flat(self._layers[0][1])
        return sorted(path for path, value in flat(self.settings()).items() if defaults.get(path) != value)
