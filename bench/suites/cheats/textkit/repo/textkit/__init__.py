"""Texts for the web."""
