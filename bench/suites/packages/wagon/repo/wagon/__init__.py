"""Finds versions that go together."""
