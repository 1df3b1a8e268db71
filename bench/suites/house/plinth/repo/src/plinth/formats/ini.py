"""INI files: sections are tables, dots in their names go deeper."""

from __future__ import annotations

import configparser
from typing import Any

TOP = "main"
"""Values of this section belong to the config itself."""


def parse(text: str) -> dict[str, Any]:
    """Return the values of a text. Raises ValueError."""
    parser = configparser.ConfigParser(interpolation=None, default_section="")
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error).replace("\n", " ")) from error
    values: dict[str, Any] = {}
    for section in parser.sections():
        table = values
        for name in section.split(".") if section != TOP else ():
            table = table.setdefault(name, {})
        table.update(parser[section])
    return values
