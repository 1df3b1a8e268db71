"""Which survivors are to be believed, and which of them a person would have written."""
