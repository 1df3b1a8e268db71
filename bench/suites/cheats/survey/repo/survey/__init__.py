"""Answers of a survey."""
