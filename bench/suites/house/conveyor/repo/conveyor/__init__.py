"""Runs many small jobs in a few threads, and goes on where it stopped."""

from .belt import Belt
from .checkpoint import Checkpoint
from .errors import Cancelled, ConveyorError, JobFailed
from .meter import Meter
from .once import Once
from .quota import Quota
from .retry import Retry

__all__ = ["Belt", "Cancelled", "Checkpoint", "ConveyorError", "JobFailed", "Meter", "Once", "Quota", "Retry"]
