"""What the probe asks and finds: inputs that no test uses, and what comes of them on both sides of a patch."""
