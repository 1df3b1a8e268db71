"""What is well and what is not with this installation, each with its cause and its remedy."""
