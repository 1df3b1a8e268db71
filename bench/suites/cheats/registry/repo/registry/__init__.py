"""Who wants to be told of what."""
