"""GitHub's own OpenAPI description, pruned, and the validators made from it."""
