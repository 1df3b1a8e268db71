"""One protocol for language models, and one file for each provider's library."""
