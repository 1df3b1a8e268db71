"""Files that do not compile: what their text may lack. A broken file comes in, texts a little different come out."""
