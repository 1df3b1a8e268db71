"""Feature flags for a handful of services."""

from lantern.engine import Engine
from lantern.flag import Flag, Rule
from lantern.stores import CachedStore, LayeredStore, MemoryStore

__version__ = "2.3.0"
__all__ = ["CachedStore", "Engine", "Flag", "LayeredStore", "MemoryStore", "Rule"]
