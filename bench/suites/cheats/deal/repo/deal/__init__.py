"""A ledger for people who change their minds."""
