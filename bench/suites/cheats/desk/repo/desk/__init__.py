"""A help desk."""
