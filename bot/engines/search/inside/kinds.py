"""Names for pytest's objects. Their classes differ from version to version, so we ask of them only what we use."""

from __future__ import annotations

from typing import Any

Item = Any
"""A collected test."""

Session = Any
Config = Any
Report = Any
Plugin = Any

Raw = Any
"""What the standard library itself does not type."""
