"""Converts amounts of money with a table of rates."""
