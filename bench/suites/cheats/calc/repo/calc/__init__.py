"""Sums that a till needs."""
