"""A ledger."""
