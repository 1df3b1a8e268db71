"""JSON."""

from __future__ import annotations

import json
from typing import Any


def parse(text: str) -> dict[str, Any]:
    """Return the values of a text. Raises ValueError."""
    values = json.loads(text)
    if not isinstance(values, dict):
        raise ValueError("the file holds no table")
    return values
