"""Moorings of a small harbour: berths, bookings, fees and the harbour master's log."""

__version__ = "1.4.0"
