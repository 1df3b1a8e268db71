"""What can go wrong, and where."""


class TemplateError(Exception):
    """Anything wrong with a template. Shows where, as far as that is known: `page.html:3: message`."""

    def __init__(self, message, line=None, name=None):
        super().__init__(message)
        self.message = message
        self.line = line
        self.name = name

    def at(self, line=None, name=None):
        """The same error; a place that is known already is kept."""
        if self.line is None:
            self.line = line
        if self.name is None:
            self.name = name
        return self

    def __str__(self):
        place = ":".join(str(part) for part in (self.name, self.line) if part is not None)
        return f"{place}: {self.message}" if place else self.message


class TemplateSyntaxError(TemplateError):
    """The template cannot be read."""


class UndefinedError(TemplateError):
    """Something was asked of a name that is not there."""


class TemplateNotFound(TemplateError):
    """No loader knows the template."""

    def __init__(self, name, tried=()):
        said = f"template {name!r} not found"
        if tried:
            said += f" (tried {', '.join(tried)})"
        super().__init__(said)
        self.tried = tuple(tried)
