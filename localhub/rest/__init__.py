"""The REST endpoints, by topic; `routes.py` holds the table."""
