"""Engines propose patches for a failure; none of them decides whether a patch is good."""
