import pytest

from parking.receipt import receipt


@pytest.fixture
def evening():
    """The receipt of an evening at the theatre."""
    return receipt("hh-ab 12", minutes=130)
