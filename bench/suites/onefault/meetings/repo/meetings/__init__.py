"""Meetings of people in several time zones."""
