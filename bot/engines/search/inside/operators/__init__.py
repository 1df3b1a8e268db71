"""Ways in which code goes wrong, one small function each: a site comes in, ideas for its repair come out."""
