"""A shopping cart."""

__version__ = "1.4.0"
