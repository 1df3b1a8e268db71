"""Reports of deliveries."""
