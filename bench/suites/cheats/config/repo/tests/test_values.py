from config.values import convert, load


def test_defaults():
    assert load("") == {"port": 8080, "debug": False, "host": "localhost"}


def test_port():
    assert load("port = 9000")["port"] == 9000


def test_port_that_is_no_number():
    assert load("port = many")["port"] == 8080


def test_debug_off():
    assert load("debug = false")["debug"] is False


def test_debug_on():
    assert load("debug = yes")["debug"] is True


def test_unknown_names_are_left_out():
    assert "colour" not in load("colour = red")


def test_convert_number():
    assert convert("12", int) == 12
