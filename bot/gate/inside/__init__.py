"""What runs in the box for the gate, beside the project's code and without a test framework."""
