"""Orders of a kitchen, and versions of its menu."""
