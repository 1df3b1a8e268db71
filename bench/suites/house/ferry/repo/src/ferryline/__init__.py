"""Timetables and journeys between islands."""

__version__ = "1.9.0"
