"""One file for each ecosystem: how it is recognised, installed, tested and reported."""
