"""Arithmetic as people type it."""
