"""Postage."""
