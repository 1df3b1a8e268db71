"""What can happen on a GitHub, by topic: state changes, then the webhooks that tell of it."""
