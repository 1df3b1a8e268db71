"""A GitHub in a box: REST, signed webhooks and git over HTTP, for tests, demo and bench."""
