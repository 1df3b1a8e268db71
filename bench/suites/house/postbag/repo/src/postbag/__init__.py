"""Letters of a newsletter: addresses, headers, bodies, templates and mailings."""

from postbag.address import Address, parse_list
from postbag.letter import Letter

__all__ = ["Address", "Letter", "parse_list"]
