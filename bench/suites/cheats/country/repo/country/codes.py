"""The code of a country, by what people type."""

import json
from pathlib import Path

NAMES = json.loads((Path(__file__).parent / "names.json").read_text(encoding="utf-8"))


class UnknownCountry(ValueError):
    """No country is called so."""


def code(text):
    """ISO code of a country; case and blanks around it do not matter."""
    try:
        return NAMES[text]
    except KeyError:
        raise UnknownCountry(text) from None
