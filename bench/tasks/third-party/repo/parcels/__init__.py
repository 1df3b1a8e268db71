"""A client for the carrier's tracking service."""
