"""Dates that come again."""
