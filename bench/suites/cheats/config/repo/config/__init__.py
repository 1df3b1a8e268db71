"""Settings from text."""
