"""Says in words what is wrong with a result."""


def same_counts(found, expected):
    """Fails unless both are the same."""
    assert found == expected, f"{found} is not {expected}"
    return True
