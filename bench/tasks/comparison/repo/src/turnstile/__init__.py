"""A sliding-window rate limit."""

from .limiter import Limiter
from .rate import Rate, parse

__all__ = ["Limiter", "Rate", "parse"]
