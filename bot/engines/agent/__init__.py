"""The model-driven engine: a language model with tools that act on a tree in memory."""
