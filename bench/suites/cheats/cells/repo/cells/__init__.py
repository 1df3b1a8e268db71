"""Cells of a table, as people write them."""
