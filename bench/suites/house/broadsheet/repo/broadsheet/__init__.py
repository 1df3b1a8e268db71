"""Lays out text for terminals and for the printer in the hall."""

from broadsheet.blocks import Beside, Rule, Stack, Text
from broadsheet.page import pages
from broadsheet.table import Table

__all__ = ["Beside", "Rule", "Stack", "Table", "Text", "pages"]
