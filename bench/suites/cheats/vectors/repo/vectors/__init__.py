"""Rows of numbers that are reckoned with as one."""

from vectors.row import Row, total

__all__ = ["Row", "total"]
