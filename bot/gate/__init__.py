"""The gate: decides by code alone whether a patch is a genuine fix."""
