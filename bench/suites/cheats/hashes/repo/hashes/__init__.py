"""Check sums."""
