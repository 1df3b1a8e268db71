"""Files that do not compile: a broken text comes in, texts that differ a little come out."""
