"""Small statistics."""
