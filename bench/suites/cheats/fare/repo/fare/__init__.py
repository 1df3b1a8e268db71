"""What a ride costs."""
