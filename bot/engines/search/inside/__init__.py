"""The part of the search that runs inside the sandbox: Python 3.8+, standard library and pytest only."""
