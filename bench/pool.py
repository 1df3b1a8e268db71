"""Threads for the tasks of a run that may be broken off."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def threads(count: int) -> Iterator[ThreadPoolExecutor]:
    """Where the `with` block is broken off, also by whoever takes no more results, what has not begun never does."""
    with ThreadPoolExecutor(count) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
