"""What runs inside the sandbox to start a test suite and report on it: Python 3.8+, no library of ours."""
