"""Readers of corpora that a user brings as a checkout: each makes a suite of one layout."""
