"""Codes of countries."""
