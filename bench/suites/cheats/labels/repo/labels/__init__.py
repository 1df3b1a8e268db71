"""What stands on labels."""
