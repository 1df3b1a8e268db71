"""Plane shapes, and drawings made of them."""
