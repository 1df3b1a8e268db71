"""Examples that the tests go through."""

WINNERS = [
    (["tea", "jam", "jam"], "jam"),
    (["yes"], "yes"),
    (["b", "a", "c", "c", "b", "c"], "c"),
]
