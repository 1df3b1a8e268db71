"""A list of things to do, on the command line."""
