"""A small template engine."""

from stencil.environment import Environment, Template
from stencil.errors import TemplateError, TemplateNotFound, TemplateSyntaxError, UndefinedError
from stencil.loaders import ChoiceLoader, DictLoader, FileLoader, PrefixLoader
from stencil.markup import Markup, escape

__all__ = [
    "ChoiceLoader",
    "DictLoader",
    "Environment",
    "FileLoader",
    "Markup",
    "PrefixLoader",
    "Template",
    "TemplateError",
    "TemplateNotFound",
    "TemplateSyntaxError",
    "UndefinedError",
    "escape",
]
