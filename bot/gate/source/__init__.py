"""What stands in the sources: facts of the syntax tree, read without running anything."""
