"""The layers of the gate, one a file: each looks at a patch in its own way and says what it found."""
