"""Booking of meeting rooms."""
