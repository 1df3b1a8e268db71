"""What the bench runs inside a box, without any of its own libraries."""
