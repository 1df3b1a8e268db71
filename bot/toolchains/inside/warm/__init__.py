"""A warm pytest: one process that imports once, and runs each delta in a fork that leaves nothing behind."""
