"""Settings in layers: defaults, a file, the environment, the command line."""

from layers.stack import Stack
from layers.values import as_kind

__all__ = ["Stack", "as_kind"]
