"""Waits for something, with an end."""

import time

STEP_S = 2.0


def until(ready, limit_s=5.0):
    """Wait until `ready()` is true; False when it did not come true in time."""
    end = time.perf_counter() + limit_s
    while not ready():
        if time.perf_counter() >= end:
            return False
        time.sleep(STEP_S)
    return True


def spelled(seconds):
    """Seconds as minutes and seconds."""
    return f"{seconds // 60}:{seconds % 60:02}"
