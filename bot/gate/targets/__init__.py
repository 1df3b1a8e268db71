"""What is made of the tests: clones of them, and programs that say without a test framework what they assert."""
