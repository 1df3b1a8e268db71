"""Figures about samples."""
