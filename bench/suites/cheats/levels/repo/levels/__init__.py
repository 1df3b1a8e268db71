"""Settings of a log, as people write them."""
