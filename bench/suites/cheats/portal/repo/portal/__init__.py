"""A portal for members."""
