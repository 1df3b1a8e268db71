"""Stock of a warehouse."""
