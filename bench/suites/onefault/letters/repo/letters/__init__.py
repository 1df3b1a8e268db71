"""Form letters."""
