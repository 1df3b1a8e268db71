"""Tables as plain text."""
