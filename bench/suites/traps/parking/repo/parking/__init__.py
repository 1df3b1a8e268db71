"""A car park: what parking costs, and what is printed about it."""
