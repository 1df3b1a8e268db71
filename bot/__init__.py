"""The mind: decides everything about a repair, and runs nobody else's code."""
