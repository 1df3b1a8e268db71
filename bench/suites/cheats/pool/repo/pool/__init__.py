"""Work for several hands."""
