"""Stock as a history of events."""
