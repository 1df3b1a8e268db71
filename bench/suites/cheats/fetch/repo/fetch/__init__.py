"""Small tools for code that waits."""
