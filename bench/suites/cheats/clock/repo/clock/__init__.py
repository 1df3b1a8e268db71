"""Waiting and counting time."""
