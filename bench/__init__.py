"""Tasks, and the harness that scores engines and gate on them."""
